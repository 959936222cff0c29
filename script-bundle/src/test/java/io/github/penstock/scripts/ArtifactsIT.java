package io.github.penstock.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ArtifactsIT {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)[^)]*\\)");
  private static final Path ROOT = Path.of(System.getProperty("penstock.root"));

  @Test
  @DisplayName("the jar works with nothing beside it but Java")
  void jar() throws Exception {
    URL jar = Path.of(System.getProperty("penstock.jar")).toUri().toURL();
    try (URLClassLoader alone =
        new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader())) {
      Class<?> script = alone.loadClass("io.github.penstock.scripts.LuaScript");
      for (Object constant : script.getEnumConstants()) {
        assertThat(script.getMethod("readableSource").invoke(constant))
            .asString()
            .startsWith("--[[");
      }
      assertThat(
              alone
                  .loadClass("io.github.penstock.scripts.FunctionsLibrary")
                  .getField("NAME")
                  .get(null))
          .isEqualTo("penstock_1");
    }
  }

  @Test
  @DisplayName("SHA256SUMS covers every other file of the zip")
  void sums() throws Exception {
    Map<String, byte[]> files = zip();
    Map<String, String> expected = new TreeMap<>();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(file.getValue());
      expected.put(file.getKey(), HexFormat.of().formatHex(digest));
    }
    expected.remove("SHA256SUMS");
    Map<String, String> sums = new TreeMap<>();
    text(files, "SHA256SUMS")
        .lines()
        .forEach(line -> sums.put(line.substring(66), line.substring(0, 64)));
    assertThat(sums).isEqualTo(expected);
  }

  @Test
  @DisplayName(
      "the zip holds both forms of every script, the library, the manifest, the vectors, three pages and the licence")
  void contents() throws IOException {
    Map<String, byte[]> files = zip();
    TreeSet<String> expected = new TreeSet<>();
    expected.addAll(
        Stream.of("LICENSE", "SHA256SUMS", "manifest.json", "functions/penstock_1.lua").toList());
    for (LuaScript script : LuaScript.values()) {
      String name = script.scriptName();
      expected.add("readable/" + name + ".lua");
      expected.add("minified/" + name + ".min.lua");
      assertThat(text(files, "minified/" + name + ".min.lua")).isEqualTo(script.source());
      assertThat(text(files, "readable/" + name + ".lua")).isEqualTo(script.readableSource());
      assertThat(text(files, "minified/" + name + ".min.lua.sha1")).isEqualTo(script.sha1());
    }
    for (ReservationScript script : ReservationScript.values()) {
      String name = "reservation/" + script.scriptName();
      expected.add("readable/" + name + ".lua");
      expected.add("minified/" + name + ".min.lua");
      assertThat(text(files, "minified/" + name + ".min.lua")).isEqualTo(script.source());
      assertThat(text(files, "readable/" + name + ".lua")).isEqualTo(script.readableSource());
    }
    for (DropInScript script : DropInScript.values()) {
      String name = "drop-in/" + script.scriptName();
      expected.add("readable/" + name + ".lua");
      expected.add("minified/" + name + ".min.lua");
      assertThat(text(files, "minified/" + name + ".min.lua")).isEqualTo(script.source());
      assertThat(text(files, "readable/" + name + ".lua")).isEqualTo(script.readableSource());
    }
    expected.addAll(
        expected.stream().filter(f -> f.endsWith(".lua")).map(f -> f + ".sha1").toList());
    expected.addAll(vectors());
    expected.addAll(
        List.of("protocol.md", "drop-ins.md", "limits.md", "migrating.md", "operations.md"));
    assertThat(files.keySet()).isEqualTo(expected);
    assertThat(text(files, "functions/penstock_1.lua")).isEqualTo(FunctionsLibrary.SOURCE);
  }

  @Test
  @DisplayName("a link in the zip leads to a file of the zip, or to the web")
  void links() throws IOException {
    Map<String, byte[]> files = zip();
    List<String> links = new ArrayList<>();
    for (String page : files.keySet().stream().filter(f -> f.endsWith(".md")).toList()) {
      URI place = URI.create("zip:/" + page);
      LINK.matcher(text(files, page))
          .results()
          .map(link -> place.resolve(link.group(1)).toString())
          .forEach(links::add);
    }
    assertThat(links).hasSizeGreaterThan(10);
    links.removeIf(link -> link.startsWith("https://"));
    links.removeIf(link -> files.containsKey(link.replaceFirst("^zip:/", "")));
    assertThat(links).isEmpty();
  }

  private static TreeSet<String> vectors() throws IOException {
    TreeSet<String> vectors = new TreeSet<>();
    Path directory = ROOT.resolve("lua/vectors");
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .map(f -> "vectors/" + directory.relativize(f))
            .filter(f -> f.endsWith(".json") || f.endsWith("/README.md"))
            .forEach(vectors::add);
      }
    }
    return vectors;
  }

  /** The files of the zip by their paths below its one directory. */
  private static Map<String, byte[]> zip() throws IOException {
    Path path = Path.of(System.getProperty("penstock.zip"));
    String directory = path.getFileName().toString().replaceFirst("\\.zip$", "/");
    Map<String, byte[]> files = new TreeMap<>();
    try (ZipFile zip = new ZipFile(path.toFile())) {
      for (ZipEntry entry : zip.stream().filter(e -> !e.isDirectory()).toList()) {
        assertThat(entry.getName()).startsWith(directory);
        files.put(
            entry.getName().substring(directory.length()),
            zip.getInputStream(entry).readAllBytes());
      }
    }
    return files;
  }

  private static String text(Map<String, byte[]> files, String name) {
    assertThat(files).containsKey(name);
    return new String(files.get(name), StandardCharsets.ISO_8859_1);
  }
}
