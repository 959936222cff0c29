package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.minify.Minifier;
import io.github.penstock.lua.maven.minify.Proof;
import io.github.penstock.lua.maven.script.Problem;
import io.github.penstock.lua.maven.script.Script;
import io.github.penstock.lua.maven.script.ScriptReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Builds a bundle: reads and checks the scripts, minifies and proves them, and writes everything
 * that follows.
 *
 * <p>Nothing is written if any rule is broken. The same input gives the same bytes. Instances share
 * nothing.
 */
public final class Bundler {
  private static final int MAXIMUM_BYTES = 65_535;

  private final Settings settings;
  private final SortedSet<Problem> problems = new TreeSet<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> sizes = new ArrayList<>();

  /** For one build. */
  public Bundler(Settings settings) {
    this.settings = settings;
  }

  /**
   * Builds and writes the bundle.
   *
   * @return the rules that are broken, by file and line; if there are any, nothing was written
   */
  public SortedSet<Problem> run() throws IOException {
    ScriptReader reader = new ScriptReader(settings.sourceDirectory(), settings.peek(), problems);
    List<BundledScript> scripts = reader.read().stream().map(this::minify).toList();
    reader.unusedIncludes().forEach(i -> warnings.add("no script includes \"" + i + "\""));
    if (problems.isEmpty()) {
      Bundle bundle =
          new Bundle(settings, scripts, settings.functionsLibrary().map(l -> library(l, scripts)));
      check(bundle);
      if (problems.isEmpty()) {
        new Outputs(bundle).write();
      }
    }
    return problems;
  }

  /** What is odd and breaks no rule. */
  public List<String> warnings() {
    return warnings;
  }

  /** One line per script: what minification did to its size. */
  public List<String> sizes() {
    return sizes;
  }

  private BundledScript minify(Script script) {
    String minified = Minifier.minify(script.chunk());
    Proof.difference(script.source(), minified)
        .ifPresent(d -> problem(script.name() + ".lua", "proof", d));
    if (minified.length() > MAXIMUM_BYTES) {
      problem(
          script.name() + ".lua", "size", "the minified form is over " + MAXIMUM_BYTES + " bytes");
    }
    sizes.add(
        "%s: %d bytes, minified %d"
            .formatted(script.name(), script.source().length(), minified.length()));
    return new BundledScript(script, minified);
  }

  private FunctionsLibrary library(String name, List<BundledScript> scripts) {
    String prefix = settings.errorPrefix();
    FunctionsLibrary library = FunctionsLibrary.of(name, prefix, scripts, BundledScript::minified);
    FunctionsLibrary readable =
        FunctionsLibrary.of(name, prefix, scripts, s -> "\n" + s.readable());
    Optional<String> difference = Proof.difference(readable.program(), library.program());
    difference.ifPresent(d -> problem(library.file(), "proof", d));
    if (library.source().length() > MAXIMUM_BYTES) {
      problem(library.file(), "size", "the Functions library is over " + MAXIMUM_BYTES + " bytes");
    }
    return library;
  }

  private void check(Bundle bundle) throws IOException {
    if (settings.manifest().isPresent()) {
      KeptManifest kept = new KeptManifest(settings.manifest().get(), new Manifest(bundle).names());
      if (settings.acceptManifest()) {
        kept.accept();
      } else {
        kept.problem(settings.acceptCommand()).ifPresent(problems::add);
      }
    }
  }

  private void problem(String file, String rule, String message) {
    problems.add(
        new Problem(settings.sourceDirectory().getFileName() + "/" + file, 1, rule, message));
  }
}
