package io.github.penstock.lua.maven.output;

import java.util.List;
import java.util.Optional;

/**
 * Everything that was built from the scripts of a directory.
 *
 * @param settings what the build was told
 * @param scripts the scripts, by name
 * @param library the Functions library, if there is one
 */
record Bundle(Settings settings, List<BundledScript> scripts, Optional<FunctionsLibrary> library) {}
