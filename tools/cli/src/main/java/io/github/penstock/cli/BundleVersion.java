package io.github.penstock.cli;

import io.github.penstock.scripts.LuaScript;
import picocli.CommandLine.IVersionProvider;

/** The version of the scripts that the commands use. */
final class BundleVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "Penstock scripts " + LuaScript.bundleVersion() + ", protocol " + LuaScript.protocolVersion()
    };
  }
}
