package io.github.penstock.lua.maven.output;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a bundle. A file whose bytes do not change keeps its time, so that no later step
 * repeats its work for it.
 */
final class BundleFiles {
  private final BuiltBundle bundle;
  private final Path resources;
  private final Path java;

  BundleFiles(BuiltBundle bundle) {
    this.bundle = bundle;
    String folder = bundle.settings().javaPackage().replace('.', '/');
    this.resources = bundle.settings().resourceDirectory().resolve(folder);
    this.java = bundle.settings().javaDirectory().resolve(folder);
  }

  /** Writes all files, and removes those of scripts that no longer exist. */
  void write() throws IOException {
    Map<Path, String> files = files();
    for (Map.Entry<Path, String> file : files.entrySet()) {
      write(file.getKey(), file.getValue().getBytes(StandardCharsets.US_ASCII));
    }
    for (String folder : new String[] {"readable", "minified", "functions"}) {
      removeOthers(resources.resolve(folder), files);
    }
  }

  private Map<Path, String> files() {
    Map<Path, String> files = new TreeMap<>();
    for (BundledScript script : bundle.scripts()) {
      hashed(files, script.readableFile(), script.readable());
      hashed(files, script.minifiedFile(), script.minified());
    }
    JavaSources sources = new JavaSources(bundle);
    files.put(resources.resolve("manifest.json"), new BundleManifest(bundle).full());
    for (ScriptGroup group : bundle.groups()) {
      files.put(java.resolve(group.javaClass() + ".java"), sources.scripts(group));
    }
    bundle
        .library()
        .ifPresent(
            library -> {
              hashed(files, library.file(), library.source());
              files.put(java.resolve("FunctionsLibrary.java"), sources.functionsLibrary(library));
            });
    return files;
  }

  private void hashed(Map<Path, String> files, String file, String text) {
    files.put(resources.resolve(file), text);
    files.put(resources.resolve(file + ".sha1"), Sha1Digest.of(text));
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), bytes)) {
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
    }
  }

  private static void removeOthers(Path folder, Map<Path, String> files) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> present = Files.walk(folder)) {
        for (Path file :
            present.filter(f -> Files.isRegularFile(f) && !files.containsKey(f)).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
