package io.github.penstock.lua.maven.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleBuilderTest {
  private static final String LOCK =
      """
      --[[
        lock: takes a lock, whoever has it.

        KEYS[1]   lock    the lock
        KEYS[n]   other   optional: the one to take instead
        ARGV[1]   token   text
        Reply     ok      text
      ]]
      redis.call("DEL", KEYS[1])
      return redis.call("SET", KEYS[#KEYS], ARGV[1])
      """;

  private static final String METER =
      """
      --[[
        meter: counts what is left.

        KEYS[1]     key   a key
        ARGV[1..1]  max   one, repeated
        Bounds      max 1..9
        Marker      m max
        State       left  unused 0
        Refill      at_end
        Queues      no
        Holds       yes
        Reply       left  text
      ]]
      for i = 1, #ARGV do
        if not tonumber(ARGV[i]) then return redis.error_reply("max must be an integer from 1 to 9") end
      end
      redis.call("SET", KEYS[1], string.format("%d", 1))
      return "0"
      """;

  @TempDir Path root;
  private ProjectCopy project;

  @BeforeEach
  void copy() throws IOException {
    project = new ProjectCopy(root);
  }

  @Test
  @DisplayName("every file is written, hashed over exactly its bytes")
  void files() throws IOException {
    assertThat(project.build(true)).isEmpty();
    assertThat(names(root.resolve("resources/com/example/jobs")))
        .containsExactly(
            "functions/jobs.lua",
            "functions/jobs.lua.sha1",
            "manifest.json",
            "minified/quota.min.lua",
            "minified/quota.min.lua.sha1",
            "minified/unlock.min.lua",
            "minified/unlock.min.lua.sha1",
            "minified/zoo.min.lua",
            "minified/zoo.min.lua.sha1",
            "readable/quota.lua",
            "readable/quota.lua.sha1",
            "readable/unlock.lua",
            "readable/unlock.lua.sha1",
            "readable/zoo.lua",
            "readable/zoo.lua.sha1");
    assertThat(project.text("minified/unlock.min.lua"))
        .isEqualTo(
            "if redis.call(\"GET\",KEYS[1])==ARGV[1]then return redis.call(\"DEL\",KEYS[1])end return 0");
    assertThat(project.text("minified/unlock.min.lua.sha1"))
        .isEqualTo(Sha1Digest.of(project.text("minified/unlock.min.lua")))
        .matches("[0-9a-f]{40}");
    assertThat(Sha1Digest.of("abc")).isEqualTo("a9993e364706816aba3e25717850c26c9cd0d89d");
  }

  @Test
  @DisplayName("the manifest says what a caller must know")
  void manifest() throws IOException {
    project.build(true);
    JsonObject manifest = JsonParser.parseString(project.text("manifest.json")).getAsJsonObject();
    assertThat(manifest.get("bundle_version").getAsString()).isEqualTo("1.2.3");
    assertThat(manifest.get("protocol_version").getAsInt()).isEqualTo(4);
    JsonObject quota = manifest.getAsJsonArray("scripts").get(0).getAsJsonObject();
    assertThat(quota.get("name").getAsString()).isEqualTo("quota");
    assertThat(quota.get("description").getAsString())
        .isEqualTo(
            "takes `cost` units from every tier of a quota that starts anew after its period.");
    assertThat(quota.get("number_of_keys").getAsInt()).isEqualTo(1);
    assertThat(quota.get("commands").toString()).isEqualTo("[\"GET\",\"SET\",\"TIME\"]");
    assertThat(quota.get("minimum_server_version").getAsString()).isEqualTo("6.0");
    assertThat(quota.get("function").getAsString()).isEqualTo("jobs_quota");
    assertThat(quota.get("peek_function").getAsString()).isEqualTo("jobs_quota_peek");
    assertThat(quota.getAsJsonArray("arguments").get(1).toString())
        .isEqualTo(
            "{\"index\":\"2\",\"optional\":false,\"repeated\":true,\"values\":[{\"name\":\"limit\",\"unit\":\"units\"},"
                + "{\"name\":\"period_us\",\"unit\":\"microseconds\"}],\"description\":\"one tier, repeated\"}");
    assertThat(
            quota.getAsJsonArray("arguments").get(2).getAsJsonObject().get("index").getAsString())
        .isEqualTo("last");
    assertThat(quota.getAsJsonArray("replies")).hasSize(3);
    JsonObject minified = quota.getAsJsonObject("minified");
    String text = project.text(minified.get("file").getAsString());
    assertThat(minified.get("bytes").getAsInt()).isEqualTo(text.length());
    assertThat(minified.get("sha1").getAsString()).isEqualTo(Sha1Digest.of(text));
    JsonObject unlock = manifest.getAsJsonArray("scripts").get(1).getAsJsonObject();
    assertThat(unlock.get("reply").getAsString()).isEqualTo("value");
    assertThat(unlock.get("minimum_server_version").getAsString()).isEqualTo("6.2");
    assertThat(unlock.has("peek_function")).isFalse();
    JsonObject zoo = manifest.getAsJsonArray("scripts").get(2).getAsJsonObject();
    assertThat(zoo.get("number_of_keys").getAsInt()).isEqualTo(-1);
  }

  @Test
  @DisplayName("the Java sources compile alone and say the same")
  void java() throws Exception {
    project.build(true);
    try (URLClassLoader classes = compile()) {
      Class<?> script = classes.loadClass("com.example.jobs.LuaScript");
      Object[] constants = script.getEnumConstants();
      assertThat(constants).extracting(Object::toString).containsExactly("QUOTA", "UNLOCK", "ZOO");
      for (Object constant : constants) {
        String name = (String) value(constant, "scriptName");
        assertThat(value(constant, "source"))
            .isEqualTo(project.text("minified/" + name + ".min.lua"));
        assertThat(value(constant, "sha1"))
            .isEqualTo(project.text("minified/" + name + ".min.lua.sha1"));
        assertThat(value(constant, "readableSource"))
            .isEqualTo(project.text("readable/" + name + ".lua"));
        assertThat(value(constant, "readableSha1"))
            .isEqualTo(project.text("readable/" + name + ".lua.sha1"));
        assertThat(value(constant, "functionName")).isEqualTo("jobs_" + name);
      }
      assertThat(value(constants[0], "peekFunctionName")).isEqualTo("jobs_quota_peek");
      assertThatThrownBy(() -> value(constants[1], "peekFunctionName"))
          .hasRootCauseMessage("unlock has no call that only reads");
      assertThat(value(constants[2], "numberOfKeys")).isEqualTo(-1);
      assertThat(script.getMethod("bundleVersion").invoke(null)).isEqualTo("1.2.3");
      assertThat(script.getMethod("protocolVersion").invoke(null)).isEqualTo(4);
      Class<?> library = classes.loadClass("com.example.jobs.FunctionsLibrary");
      assertThat(library.getField("SOURCE").get(null))
          .isEqualTo(project.text("functions/jobs.lua"));
      assertThat(library.getField("SHA1").get(null))
          .isEqualTo(project.text("functions/jobs.lua.sha1"));
    }
  }

  @Test
  @DisplayName("tier, marker and state are in the manifest and in the enum")
  void tiers() throws Exception {
    Files.writeString(project.file("lua/meter.lua"), METER);
    assertThat(project.build(true)).isEmpty();
    JsonObject meter =
        JsonParser.parseString(project.text("manifest.json"))
            .getAsJsonObject()
            .getAsJsonArray("scripts")
            .get(0)
            .getAsJsonObject();
    assertThat(meter.getAsJsonArray("tier").toString())
        .isEqualTo("[{\"name\":\"max\",\"unit\":\"units\",\"least\":1,\"most\":9}]");
    assertThat(meter.get("marker").toString())
        .isEqualTo("{\"letter\":\"m\",\"numbers\":[\"max\"]}");
    assertThat(meter.get("state").toString()).isEqualTo("{\"forms\":[\"left\"],\"unused\":\"0\"}");
    try (URLClassLoader classes = compile()) {
      Object[] constants = classes.loadClass("com.example.jobs.LuaScript").getEnumConstants();
      assertThat(value(constants[0], "tier").toString())
          .isEqualTo("[TierNumber[name=max, unit=units, least=1, most=9]]");
      assertThat(value(constants[0], "marker").toString())
          .isEqualTo("KeyMarker[letter=m, numbers=[max]]");
      assertThat(value(constants[0], "state").toString())
          .isEqualTo("TierState[forms=[left], unused=0]");
      assertThat(value(constants[0], "use").toString())
          .isEqualTo("UnitUse[refill=at_end, queues=false, holds=true]");
      assertThat(value(constants[1], "tier").toString()).isEqualTo("[]");
    }
  }

  @Test
  @DisplayName("two scripts with one letter and different states are named")
  void sameLetter() throws IOException {
    Files.writeString(project.file("lua/meter.lua"), METER);
    Files.writeString(
        project.file("lua/other.lua"),
        METER.replace("meter:", "other:").replace("m max", "m").replace("%d left", "%d"));
    assertThat(project.build(true))
        .extracting(RuleViolation::toString)
        .containsExactly(
            "lua/other.lua:1: tier: another script has the marker m and another state");
  }

  @Test
  @DisplayName("a group has an enum, folders and a part of the manifest of its own")
  void groups() throws Exception {
    Path directory = Files.createDirectories(project.file("lua/old-ones"));
    Files.writeString(directory.resolve("lock.lua"), LOCK);
    BundleSettings grouped =
        project.settings(true, List.of(new ScriptGroup("old-ones", "OldScript")));
    assertThat(new BundleBuilder(grouped).run()).isEmpty();
    String minified = "redis.call(\"DEL\",KEYS[1])return redis.call(\"SET\",KEYS[#KEYS],ARGV[1])";
    assertThat(project.text("minified/old-ones/lock.min.lua")).isEqualTo(minified);
    assertThat(project.text("minified/old-ones/lock.min.lua.sha1"))
        .isEqualTo(Sha1Digest.of(minified));
    assertThat(project.text("functions/jobs.lua")).contains("function_name='jobs_lock'");
    JsonObject manifest = JsonParser.parseString(project.text("manifest.json")).getAsJsonObject();
    assertThat(manifest.getAsJsonArray("scripts").toString())
        .doesNotContain("\"lock\",\"description\"");
    JsonObject group = manifest.getAsJsonArray("groups").get(0).getAsJsonObject();
    assertThat(group.get("name").getAsString()).isEqualTo("old-ones");
    JsonObject lock = group.getAsJsonArray("scripts").get(0).getAsJsonObject();
    assertThat(lock.getAsJsonObject("minified").get("file").getAsString())
        .isEqualTo("minified/old-ones/lock.min.lua");
    assertThat(lock.get("number_of_keys").getAsInt()).isEqualTo(-1);
    try (URLClassLoader classes = compile()) {
      assertThat(classes.loadClass("com.example.jobs.LuaScript").getEnumConstants())
          .extracting(Object::toString)
          .containsExactly("QUOTA", "UNLOCK", "ZOO");
      Object constant = classes.loadClass("com.example.jobs.OldScript").getEnumConstants()[0];
      assertThat(value(constant, "source")).isEqualTo(minified);
      assertThat(value(constant, "readableSource")).isEqualTo(LOCK);
      assertThat(value(constant, "functionName")).isEqualTo("jobs_lock");
    }
    assertThat(new BundleBuilder(project.settings(false)).run())
        .extracting(RuleViolation::message)
        .singleElement()
        .asString()
        .startsWith("old-ones/lock is gone; ");
    assertThat(new BundleBuilder(project.settings(true)).run()).isEmpty();
    assertThat(names(root.resolve("resources"))).noneMatch(n -> n.contains("old-ones"));
  }

  @Test
  @DisplayName("a group without a directory, and a name that two scripts have, are named")
  void wrongGroups() throws IOException {
    BundleBuilder missing =
        new BundleBuilder(project.settings(true, List.of(new ScriptGroup("none", "NoScript"))));
    assertThatThrownBy(missing::run)
        .hasMessage("groups must name directories: " + project.file("lua/none"));
    assertThatThrownBy(() -> new ScriptGroup("include", "OldScript"))
        .hasMessageEndingWith("not include");
    assertThatThrownBy(() -> new ScriptGroup("old-ones", "lower"))
        .hasMessage("groups must name Java enums, not lower");
    assertThatThrownBy(() -> project.settings(true, List.of(new ScriptGroup("a", "LuaScript"))))
        .hasMessage("groups must name enums that nothing else is called");
    Files.createDirectories(project.file("lua/old-ones"));
    Files.copy(project.file("lua/unlock.lua"), project.file("lua/old-ones/unlock.lua"));
    BundleBuilder twice =
        new BundleBuilder(
            project.settings(true, List.of(new ScriptGroup("old-ones", "OldScript"))));
    assertThat(twice.run())
        .extracting(RuleViolation::toString)
        .containsExactly("lua/old-ones/unlock.lua:1: name: two scripts have this name");
  }

  @Test
  @DisplayName("without a library, nothing speaks of functions")
  void noLibrary() throws Exception {
    BundleSettings s = project.settings(true);
    BundleSettings without =
        new BundleSettings(
            s.sourceDirectory(),
            s.includeDirectory(),
            s.javaDirectory(),
            s.resourceDirectory(),
            s.javaPackage(),
            s.bundleVersion(),
            s.protocolVersion(),
            java.util.Optional.empty(),
            s.errorPrefix(),
            s.peek(),
            s.minimumServerVersion(),
            List.of(),
            java.util.Optional.empty(),
            false,
            "");
    assertThat(new BundleBuilder(without).run()).isEmpty();
    assertThat(Files.exists(project.file("java/com/example/jobs/FunctionsLibrary.java"))).isFalse();
    assertThat(Files.exists(project.resource("functions"))).isFalse();
    assertThat(project.text("manifest.json")).doesNotContain("function");
    try (URLClassLoader classes = compile()) {
      assertThat(classes.loadClass("com.example.jobs.LuaScript").getMethods())
          .noneMatch(m -> m.getName().contains("unction"));
    }
  }

  @Test
  @DisplayName("the same input gives the same bytes, and unchanged files keep their time")
  void incremental() throws IOException {
    project.build(true);
    Map<String, String> first = contents();
    FileTime early = FileTime.fromMillis(1_000_000_000_000L);
    Path readable = project.resource("readable/unlock.lua");
    Files.setLastModifiedTime(readable, early);
    assertThat(project.build(false)).isEmpty();
    assertThat(contents()).isEqualTo(first);
    assertThat(Files.getLastModifiedTime(readable)).isEqualTo(early);
  }

  @Test
  @DisplayName("files of a script that is no more are removed")
  void removed() throws IOException {
    project.build(true);
    Files.delete(project.file("lua/zoo.lua"));
    assertThat(project.build(true)).isEmpty();
    assertThat(names(root.resolve("resources"))).noneMatch(n -> n.contains("zoo"));
  }

  @Test
  @DisplayName(
      "a missing manifest, and one that differs, fail with the names and the command that accepts")
  void keptManifest() throws IOException {
    assertThat(project.build(false))
        .extracting(RuleViolation::toString)
        .containsExactly(
            "lua/manifest.json:1: manifest: there is no manifest yet. To accept it: the accepting command");
    assertThat(Files.exists(root.resolve("resources"))).isFalse();
    project.build(true);
    String before = project.text("minified/unlock.min.lua.sha1");
    project.edit("lua/unlock.lua", "return 0", "return  (0)");
    project.edit("lua/quota.lua", "  Source      the tests", "  Source      all tests");
    List<String> problems = project.build(false).stream().map(RuleViolation::toString).toList();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0))
        .startsWith(
            "lua/manifest.json:1: manifest: quota changed in its readable form only; unlock changed from "
                + before)
        .contains("; functions_library changed from ")
        .endsWith(". To accept it: the accepting command");
    assertThat(project.build(true)).isEmpty();
    assertThat(project.build(false)).isEmpty();
    Files.move(project.file("lua/zoo.lua"), project.file("lua/aviary.lua"));
    project.edit("lua/aviary.lua", "zoo:", "aviary:");
    assertThat(project.build(false).first().message())
        .contains("aviary is new; ")
        .contains("zoo is gone; ");
    Files.writeString(project.file("lua/manifest.json"), "<<<<<<<");
    assertThat(project.build(false).first().message()).startsWith("it is not a manifest");
  }

  @Test
  @DisplayName("settings that cannot be used are named")
  void settings() {
    assertThatThrownBy(() -> settings("com.Example-x", "jobs"))
        .hasMessage("javaPackage must be a Java package");
    assertThatThrownBy(() -> settings("com.example", "no-dash"))
        .hasMessage("functionsLibrary must have letters, digits and '_' only");
  }

  private BundleSettings settings(String javaPackage, String library) {
    BundleSettings s = project.settings(true);
    return new BundleSettings(
        s.sourceDirectory(),
        s.includeDirectory(),
        s.javaDirectory(),
        s.resourceDirectory(),
        javaPackage,
        "1",
        1,
        java.util.Optional.of(library),
        "ERR",
        s.peek(),
        "6.0",
        List.of(),
        s.manifest(),
        false,
        "");
  }

  @Test
  @DisplayName("the sums of a directory are those that sha256sum checks")
  void checksums() throws IOException {
    Path directory = Files.createDirectories(root.resolve("sums/b"));
    Files.writeString(directory.resolve("file"), "abc");
    Files.writeString(root.resolve("sums/a"), "");
    ChecksumFile.write(root.resolve("sums"));
    ChecksumFile.write(root.resolve("sums"));
    assertThat(Files.readString(root.resolve("sums/SHA256SUMS")))
        .isEqualTo(
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n"
                + "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b/file\n");
  }

  private URLClassLoader compile() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> sources =
        names(root.resolve("java")).stream()
            .map(n -> root.resolve("java").resolve(n).toString())
            .toList();
    List<String> arguments =
        Stream.concat(
                Stream.of(
                    "-Xlint:all",
                    "-Xdoclint:all/protected",
                    "-Werror",
                    "-d",
                    root.resolve("resources").toString()),
                sources.stream())
            .toList();
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
    return new URLClassLoader(new URL[] {root.resolve("resources").toUri().toURL()}, null);
  }

  private static Object value(Object constant, String method) throws ReflectiveOperationException {
    return constant.getClass().getMethod(method).invoke(constant);
  }

  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (String name : names(root)) {
      contents.put(name, Files.readString(root.resolve(name)));
    }
    return contents;
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .map(f -> directory.relativize(f).toString())
          .sorted()
          .toList();
    }
  }
}
