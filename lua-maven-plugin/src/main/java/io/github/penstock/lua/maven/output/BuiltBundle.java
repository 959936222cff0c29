package io.github.penstock.lua.maven.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The scripts of a directory and of its groups after the build.
 *
 * @param settings the settings of the build
 * @param scripts the scripts: those of the directory by name, then those of each group
 * @param library the Functions library, if there is one
 */
record BuiltBundle(
    BundleSettings settings, List<BundledScript> scripts, Optional<BuiltLibrary> library) {

  /** The scripts of the source directory itself, and then those of each group. */
  List<ScriptGroup> groups() {
    List<ScriptGroup> groups = new ArrayList<>(List.of(ScriptGroup.MAIN));
    groups.addAll(settings.groups());
    return groups;
  }

  List<BundledScript> scripts(ScriptGroup group) {
    return scripts.stream().filter(script -> script.group().equals(group)).toList();
  }
}
