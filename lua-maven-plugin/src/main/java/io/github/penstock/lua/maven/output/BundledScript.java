package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.script.Script;

/**
 * A script in both forms.
 *
 * @param script what was read
 * @param minified the form that ships
 */
record BundledScript(Script script, String minified) {
  String name() {
    return script.name();
  }

  String sha1() {
    return Sha1.of(minified);
  }

  String readable() {
    return script.source();
  }

  String readableSha1() {
    return Sha1.of(readable());
  }

  String readableFile() {
    return "readable/" + name() + ".lua";
  }

  String minifiedFile() {
    return "minified/" + name() + ".min.lua";
  }

  /** The name of its function in a library. */
  String function(String library) {
    return library + "_" + name().replace('-', '_');
  }

  /** The name of the function that only reads, where its header has a row for that. */
  String peekFunction(String library) {
    return function(library) + "_peek";
  }

  boolean peeks() {
    return script.header().peek().isPresent();
  }
}
