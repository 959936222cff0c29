package io.github.penstock.lua.maven.output;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a build.
 *
 * @param sourceDirectory where the scripts are
 * @param includeDirectory where their includes and constants are
 * @param javaDirectory takes the Java sources
 * @param resourceDirectory takes the scripts and the manifest, in the folders of the Java package
 * @param javaPackage the package of the Java sources
 * @param bundleVersion the version of the bundle
 * @param protocolVersion the version of the protocol between callers and scripts
 * @param functionsLibrary the name of the Functions library, if there is one
 * @param errorPrefix begins every error, before a colon; {@code {script}} in it means the script's
 *     name
 * @param peek the row {@code Peek} of headers without one: {@code ARGV[1] is 0}
 * @param minimumServerVersion the oldest Redis for scripts whose header names none
 * @param groups the directories below the source directory whose scripts have separate enums
 * @param manifest the manifest of names and SHA1s that is kept with the sources, if there is one
 * @param acceptManifest whether to write that manifest instead of comparing it
 * @param acceptCommand the command that does so, for messages
 */
public record BundleSettings(
    Path sourceDirectory,
    Path includeDirectory,
    Path javaDirectory,
    Path resourceDirectory,
    String javaPackage,
    String bundleVersion,
    int protocolVersion,
    Optional<String> functionsLibrary,
    String errorPrefix,
    Optional<String> peek,
    String minimumServerVersion,
    List<ScriptGroup> groups,
    Optional<Path> manifest,
    boolean acceptManifest,
    String acceptCommand) {

  /** Checks the values that no file checks. */
  public BundleSettings {
    require(
        javaPackage.matches("[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)*"),
        "javaPackage",
        "be a Java package");
    require(
        functionsLibrary.map(l -> l.matches("[A-Za-z0-9_]+")).orElse(true),
        "functionsLibrary",
        "have letters, digits and '_' only");
    require(
        !errorPrefix.isEmpty() && errorPrefix.matches("[ -~&&[^'\\\\]]*"),
        "errorPrefix",
        "be printable ASCII without quotes and backslashes");
    require(
        minimumServerVersion.matches("\\d+\\.\\d+"),
        "minimumServerVersion",
        "be a version such as 6.0");
    groups = List.copyOf(groups);
    require(
        groups.stream().map(ScriptGroup::javaClass).distinct().count() == groups.size()
            && groups.stream()
                .noneMatch(g -> List.of("LuaScript", "FunctionsLibrary").contains(g.javaClass())),
        "groups",
        "name enums that nothing else is called");
    require(protocolVersion >= 1, "protocolVersion", "be at least 1");
  }

  private static void require(boolean holds, String name, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must " + rule);
    }
  }
}
