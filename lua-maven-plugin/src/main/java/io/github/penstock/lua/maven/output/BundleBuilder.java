package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.header.TierContract;
import io.github.penstock.lua.maven.minify.BytecodeProof;
import io.github.penstock.lua.maven.minify.ScriptMinifier;
import io.github.penstock.lua.maven.rule.RuleViolation;
import io.github.penstock.lua.maven.script.CheckedScript;
import io.github.penstock.lua.maven.script.ScriptReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Builds a bundle: reads and checks the scripts, minifies and proves them, and writes everything
 * that follows.
 *
 * <p>Nothing is written if any rule is broken. Equal input gives equal bytes. Instances share
 * nothing.
 */
public final class BundleBuilder {
  private static final int MAXIMUM_BYTES = 65_535;

  private final BundleSettings settings;
  private final SortedSet<RuleViolation> problems = new TreeSet<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> sizes = new ArrayList<>();

  /** Prepares one build. */
  public BundleBuilder(BundleSettings settings) {
    this.settings = settings;
  }

  /**
   * Builds and writes the bundle.
   *
   * @return the rules that are broken, by file and line; if there are any, nothing was written
   */
  public SortedSet<RuleViolation> run() throws IOException {
    List<BundledScript> scripts = new ArrayList<>(scripts(ScriptGroup.MAIN, settings.peek()));
    for (ScriptGroup group : settings.groups()) {
      scripts.addAll(scripts(group, Optional.empty()));
    }
    checkNames(scripts);
    checkMarkers(scripts);
    if (problems.isEmpty()) {
      BuiltBundle bundle =
          new BuiltBundle(
              settings, scripts, settings.functionsLibrary().map(l -> library(l, scripts)));
      check(bundle);
      if (problems.isEmpty()) {
        new BundleFiles(bundle).write();
      }
    }
    return problems;
  }

  /** Oddities that break no rule, one line each. */
  public List<String> warnings() {
    return warnings;
  }

  /** The size of each script before and after minification, one line each. */
  public List<String> sizes() {
    return sizes;
  }

  private List<BundledScript> scripts(ScriptGroup group, Optional<String> peek) throws IOException {
    Path directory = settings.sourceDirectory().resolve(group.directory());
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException("groups must name directories: " + directory);
    }
    ScriptReader reader = new ScriptReader(directory, settings.includeDirectory(), peek, problems);
    List<BundledScript> scripts = reader.read().stream().map(s -> minify(group, s)).toList();
    if (group.equals(ScriptGroup.MAIN)) {
      reader.unusedIncludes().forEach(i -> warnings.add("no script includes \"" + i + "\""));
    }
    return scripts;
  }

  private void checkNames(List<BundledScript> scripts) {
    Set<String> names = new HashSet<>();
    scripts.stream()
        .filter(script -> !names.add(script.name()))
        .forEach(
            script ->
                problem(
                    file(script.group(), script.script()), "name", "two scripts have this name"));
  }

  /** Scripts whose keys have one letter read and write each other's state. */
  private void checkMarkers(List<BundledScript> scripts) {
    Map<String, TierContract> known = new HashMap<>();
    for (BundledScript script : scripts) {
      script
          .script()
          .header()
          .tier()
          .filter(tier -> !tier.shares(known.computeIfAbsent(tier.letter(), letter -> tier)))
          .ifPresent(
              tier ->
                  problem(
                      file(script.group(), script.script()),
                      "tier",
                      "another script has the marker " + tier.letter() + " and another state"));
    }
  }

  private static String file(ScriptGroup group, CheckedScript script) {
    return group.folder() + script.name() + ".lua";
  }

  private BundledScript minify(ScriptGroup group, CheckedScript script) {
    String minified = ScriptMinifier.minify(script.chunk());
    BytecodeProof.difference(script.source(), minified)
        .ifPresent(d -> problem(file(group, script), "proof", d));
    if (minified.length() > MAXIMUM_BYTES) {
      problem(file(group, script), "size", "the minified form is over " + MAXIMUM_BYTES + " bytes");
    }
    sizes.add(
        "%s: %d bytes, minified %d"
            .formatted(script.name(), script.source().length(), minified.length()));
    return new BundledScript(group, script, minified);
  }

  private BuiltLibrary library(String name, List<BundledScript> scripts) {
    String prefix = settings.errorPrefix();
    BuiltLibrary library = BuiltLibrary.of(name, prefix, scripts, BundledScript::minified);
    BuiltLibrary readable = BuiltLibrary.of(name, prefix, scripts, s -> "\n" + s.readable());
    Optional<String> difference = BytecodeProof.difference(readable.program(), library.program());
    difference.ifPresent(d -> problem(library.file(), "proof", d));
    return library;
  }

  private void check(BuiltBundle bundle) throws IOException {
    if (settings.manifest().isPresent()) {
      KeptManifest kept =
          new KeptManifest(settings.manifest().get(), new BundleManifest(bundle).names());
      if (settings.acceptManifest()) {
        kept.accept();
      } else {
        kept.problem(settings.acceptCommand()).ifPresent(problems::add);
      }
    }
  }

  private void problem(String file, String rule, String message) {
    problems.add(
        new RuleViolation(settings.sourceDirectory().getFileName() + "/" + file, 1, rule, message));
  }
}
