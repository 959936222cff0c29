package io.github.penstock.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptBundleTest {
  @Test
  @DisplayName("the scripts of the protocol are there")
  void scripts() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "lua"))) {
      assertThat(files.map(file -> file.getFileName().toString()).filter(f -> f.endsWith(".lua")))
          .containsExactlyInAnyOrderElementsOf(
              Stream.of(LuaScript.values()).map(script -> script.scriptName() + ".lua").toList())
          .contains("token-bucket.lua");
    }
    assertThat(LuaScript.protocolVersion()).isEqualTo(1);
    assertThat(LuaScript.bundleVersion()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
  }

  @ParameterizedTest
  @DisplayName("constant, file, .sha1 file and manifest agree on every byte")
  @EnumSource
  void sha1(LuaScript script) throws IOException {
    String name = script.scriptName();
    assertThat(resource("minified/" + name + ".min.lua")).isEqualTo(script.source());
    assertThat(resource("readable/" + name + ".lua")).isEqualTo(script.readableSource());
    assertThat(sha1(script.source()))
        .isEqualTo(script.sha1())
        .isEqualTo(resource("minified/" + name + ".min.lua.sha1"))
        .isEqualTo(manifest(name).getAsJsonObject("minified").get("sha1").getAsString());
    assertThat(sha1(script.readableSource()))
        .isEqualTo(script.readableSha1())
        .isEqualTo(resource("readable/" + name + ".lua.sha1"))
        .isEqualTo(manifest(name).getAsJsonObject("readable").get("sha1").getAsString());
  }

  @ParameterizedTest
  @DisplayName("what the protocol fixes: one key, six replies, the names of functions, Redis 6.0")
  @EnumSource
  void protocol(LuaScript script) throws IOException {
    JsonObject manifest = manifest(script.scriptName());
    String function = "penstock_1_" + script.scriptName().replace('-', '_');
    assertThat(script.numberOfKeys()).isEqualTo(1);
    assertThat(script.functionName()).isEqualTo(function);
    assertThat(script.peekFunctionName()).isEqualTo(function + "_peek");
    assertThat(script.description())
        .isEqualTo(manifest.get("description").getAsString())
        .endsWith(".");
    assertThat(manifest.getAsJsonArray("replies"))
        .extracting(
            r ->
                r.getAsJsonObject()
                    .getAsJsonArray("values")
                    .get(0)
                    .getAsJsonObject()
                    .get("name")
                    .getAsString())
        .containsExactly("allowed", "limit", "remaining", "wait_us", "reset_us", "tier");
    assertThat(manifest.getAsJsonArray("commands").toString())
        .isEqualTo("[\"DEL\",\"GET\",\"SET\",\"TIME\"]");
    assertThat(manifest.get("minimum_server_version").getAsString()).isEqualTo("6.0");
  }

  @ParameterizedTest
  @DisplayName("keys end in a letter and numbers of the tier, and the manifest says the same")
  @EnumSource
  void tier(LuaScript script) throws IOException {
    JsonObject manifest = manifest(script.scriptName());
    Gson gson = new Gson();
    assertThat(gson.toJsonTree(script.tier())).isEqualTo(manifest.get("tier"));
    assertThat(gson.toJsonTree(script.marker())).isEqualTo(manifest.get("marker"));
    assertThat(gson.toJsonTree(script.state())).isEqualTo(manifest.get("state"));
    JsonObject use = gson.toJsonTree(script.use()).getAsJsonObject();
    assertThat(use.keySet()).containsExactly("refill", "queues", "holds");
    use.entrySet()
        .forEach(word -> assertThat(manifest.get(word.getKey())).isEqualTo(word.getValue()));
    assertThat(script.tier())
        .extracting(LuaScript.TierNumber::name)
        .containsAll(script.marker().numbers());
    assertThat(script.tier().get(0).most()).isEqualTo(1_000_000_000_000L);
  }

  @Test
  @DisplayName("the drop-ins are there, apart from the scripts of the protocol")
  void dropIns() {
    assertThat(DropInScript.values())
        .extracting(DropInScript::scriptName)
        .containsExactly(
            "counter",
            "prorate-leaky-bucket",
            "rate-burst",
            "rate-burst-boolean",
            "redis-bucket",
            "token-batches");
  }

  @ParameterizedTest
  @DisplayName("constant, file, .sha1 file, manifest and library of a drop-in agree on every byte")
  @EnumSource
  void dropIn(DropInScript script) throws IOException {
    String name = "drop-in/" + script.scriptName();
    JsonObject manifest = dropInManifest(script.scriptName());
    assertThat(resource("minified/" + name + ".min.lua")).isEqualTo(script.source());
    assertThat(resource("readable/" + name + ".lua")).isEqualTo(script.readableSource());
    assertThat(sha1(script.source()))
        .isEqualTo(script.sha1())
        .isEqualTo(resource("minified/" + name + ".min.lua.sha1"))
        .isEqualTo(manifest.getAsJsonObject("minified").get("sha1").getAsString());
    assertThat(sha1(script.readableSource()))
        .isEqualTo(script.readableSha1())
        .isEqualTo(resource("readable/" + name + ".lua.sha1"))
        .isEqualTo(manifest.getAsJsonObject("readable").get("sha1").getAsString());
    assertThat(script.functionName())
        .isEqualTo("penstock_1_" + script.scriptName().replace('-', '_'))
        .isEqualTo(manifest.get("function").getAsString());
    assertThat(manifest.has("peek_function")).isFalse();
    assertThat(FunctionsLibrary.SOURCE)
        .contains(script.source())
        .contains("function_name='" + script.functionName() + "'");
  }

  @Test
  @DisplayName("the scripts of reservations are there, and only reserve has a peek")
  void reservations() throws IOException {
    assertThat(ReservationScript.values())
        .extracting(ReservationScript::functionName)
        .containsExactly("penstock_1_reserve", "penstock_1_settle");
    assertThat(ReservationScript.RESERVE.peekFunctionName()).isEqualTo("penstock_1_reserve_peek");
    assertThat(FunctionsLibrary.SOURCE).doesNotContain("penstock_1_settle_peek");
    for (ReservationScript script : ReservationScript.values()) {
      String name = "reservation/" + script.scriptName();
      assertThat(resource("minified/" + name + ".min.lua")).isEqualTo(script.source());
      assertThat(resource("readable/" + name + ".lua")).isEqualTo(script.readableSource());
      assertThat(sha1(script.source())).isEqualTo(script.sha1());
      assertThat(script.numberOfKeys()).isEqualTo(-1);
      assertThat(FunctionsLibrary.SOURCE).contains(script.source());
    }
  }

  @Test
  @DisplayName(
      "the Functions library holds every script and its peek, and allow-oom for settle alone")
  void library() throws IOException {
    String library = FunctionsLibrary.SOURCE;
    assertThat(library)
        .startsWith("#!lua name=" + FunctionsLibrary.NAME + "\n")
        .contains("callback=penstock_1_settle,flags={'allow-oom'}}")
        .containsOnlyOnce("allow-oom");
    assertThat(resource("functions/penstock_1.lua")).isEqualTo(library);
    assertThat(sha1(library))
        .isEqualTo(FunctionsLibrary.SHA1)
        .isEqualTo(resource("functions/penstock_1.lua.sha1"));
    for (LuaScript script : LuaScript.values()) {
      assertThat(library).contains(script.source());
      assertThat(library).contains("function_name='" + script.functionName() + "'");
      assertThat(library).contains("function_name='" + script.peekFunctionName() + "'");
    }
  }

  private static JsonObject manifest(String name) throws IOException {
    return script(JsonParser.parseString(resource("manifest.json")).getAsJsonObject(), name);
  }

  private static JsonObject dropInManifest(String name) throws IOException {
    JsonObject group =
        JsonParser.parseString(resource("manifest.json"))
            .getAsJsonObject()
            .getAsJsonArray("groups")
            .get(0)
            .getAsJsonObject();
    assertThat(group.get("name").getAsString()).isEqualTo("drop-in");
    return script(group, name);
  }

  private static JsonObject script(JsonObject group, String name) {
    return group.getAsJsonArray("scripts").asList().stream()
        .map(s -> s.getAsJsonObject())
        .filter(s -> s.get("name").getAsString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(LuaScript.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static String sha1(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
