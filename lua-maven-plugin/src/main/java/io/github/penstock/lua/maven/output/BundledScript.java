package io.github.penstock.lua.maven.output;

import io.github.penstock.lua.maven.script.CheckedScript;

/**
 * A script in both forms.
 *
 * @param group the group that it belongs to
 * @param script the script as it was read
 * @param minified the form to send
 */
record BundledScript(ScriptGroup group, CheckedScript script, String minified) {
  String name() {
    return script.name();
  }

  String sha1() {
    return Sha1Digest.of(minified);
  }

  String readable() {
    return script.source();
  }

  String readableSha1() {
    return Sha1Digest.of(readable());
  }

  String readableFile() {
    return "readable/" + group.folder() + name() + ".lua";
  }

  String minifiedFile() {
    return "minified/" + group.folder() + name() + ".min.lua";
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
