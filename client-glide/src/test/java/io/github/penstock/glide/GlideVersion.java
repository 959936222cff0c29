package io.github.penstock.glide;

import glide.api.BaseClient;
import glide.api.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The GLIDE on the class path. */
final class GlideVersion {
  private static final Pattern JAR = Pattern.compile("valkey-glide-([0-9.]+)");

  private GlideVersion() {}

  /** Its version, of which only its jar's name tells. */
  static String found() {
    String jar = BaseClient.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    Matcher version = JAR.matcher(jar);
    return version.find() ? version.group(1) : "of " + jar;
  }

  /** Turns off its log, which is written to standard output, where surefire's reports go. */
  static void silenceLog() {
    Logger.init(Logger.Level.OFF);
  }
}
