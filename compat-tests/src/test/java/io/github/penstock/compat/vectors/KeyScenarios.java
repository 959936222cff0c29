package io.github.penstock.compat.vectors;

import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Keys of every kind, and everything that has no key. */
final class KeyScenarios {
  private static final List<List<Long>> BUCKET = List.of(List.of(100L, 10L, 1_000_000L));
  private static final List<String> SUBJECTS =
      List.of(
          "user:42",
          "a",
          " ",
          "192.168.0.1",
          "2001:db8::1",
          "tenant/7?x=1&y=2",
          "{",
          "}",
          "{}",
          "a{b}c",
          "%",
          "%7B",
          "%sha256-",
          "\0",
          "a\0b",
          "\t\r\n",
          "\u001f\u0020",
          "\u007f\u0080",
          "\u00e9",
          "e\u0301",
          "\u65e5\u672c\u8a9e",
          "\ud83d\ude00",
          "\ufeffbom",
          "\u2028",
          "\"quoted\"",
          "back\\slash",
          "a".repeat(128),
          "a".repeat(129),
          "\u00e9".repeat(64),
          "\u00e9".repeat(64) + "a",
          "{".repeat(128),
          "{".repeat(129),
          "a".repeat(10_000));
  private static final List<String> NAMES =
      List.of("", " ", "a b", "a:b", "{a}", "a/b", "\u00e9", "a\n", "a".repeat(65), "a%20b");
  private static final List<String> ILL_FORMED =
      List.of(
          "",
          "ff",
          "80",
          "c0",
          "c080",
          "c1bf",
          "e282",
          "eda080",
          "edb080",
          "f4908080",
          "6180",
          "f8888080");

  private final List<KeyExample> examples = new ArrayList<>();

  static List<KeyExample> all() {
    KeyScenarios keys = new KeyScenarios();
    SUBJECTS.forEach(
        subject -> keys.add("penstock", "api", hex(subject), ScriptAlgorithm.TOKEN_BUCKET, BUCKET));
    keys.settings();
    keys.names();
    ILL_FORMED.forEach(
        hex -> keys.add("penstock", "api", hex, ScriptAlgorithm.TOKEN_BUCKET, BUCKET));
    keys.add("penstock", "api", "61".repeat(128) + "ff", ScriptAlgorithm.TOKEN_BUCKET, BUCKET);
    return List.copyOf(keys.examples);
  }

  private void settings() {
    List<List<Long>> most = List.of(List.of(1_000_000_000_000L, 1_000_000_000_000L, 9_007L));
    List<List<Long>> tiers =
        List.of(List.of(10L, 10L, 1_000_000L), List.of(100L, 50L, 60_000_000L));
    List<List<Long>> windows = List.of(List.of(10L, 1_000_000L), List.of(100L, 60_000_000L));
    String subject = hex("user:42");
    add("penstock", "api", subject, ScriptAlgorithm.LEAKY_BUCKET, BUCKET);
    add("penstock", "api", subject, ScriptAlgorithm.TOKEN_BUCKET, most);
    add("penstock", "api", subject, ScriptAlgorithm.TOKEN_BUCKET, tiers);
    add("penstock", "api", subject, ScriptAlgorithm.LEAKY_BUCKET, tiers);
    add("penstock", "api", subject, ScriptAlgorithm.FIXED_WINDOW, windows.subList(0, 1));
    add(
        "penstock",
        "api",
        subject,
        ScriptAlgorithm.FIXED_WINDOW,
        List.of(List.of(99L, 1_000_000L)));
    add("penstock", "api", subject, ScriptAlgorithm.FIXED_WINDOW, windows);
    add("penstock", "api", subject, ScriptAlgorithm.SLIDING_WINDOW, windows.subList(0, 1));
    add("penstock", "api", subject, ScriptAlgorithm.SLIDING_WINDOW, windows);
    add("penstock", "api", subject, ScriptAlgorithm.INTERVAL_BUCKET, BUCKET);
    add("penstock", "api", subject, ScriptAlgorithm.INTERVAL_BUCKET, tiers);
  }

  private void names() {
    String subject = hex("user:42");
    for (String name : List.of("a", "Shop.v2_eu-1", "-", "a".repeat(64))) {
      add(name, "api", subject, ScriptAlgorithm.TOKEN_BUCKET, BUCKET);
      add("penstock", name, subject, ScriptAlgorithm.TOKEN_BUCKET, BUCKET);
    }
    for (String name : NAMES) {
      add(name, "api", subject, ScriptAlgorithm.TOKEN_BUCKET, BUCKET);
      add("penstock", name, subject, ScriptAlgorithm.TOKEN_BUCKET, BUCKET);
    }
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private void add(
      String prefix,
      String policy,
      String subjectHex,
      ScriptAlgorithm script,
      List<List<Long>> tiers) {
    byte[] subject = HexFormat.of().parseHex(subjectHex);
    try {
      String key = KeyNames.key(prefix, policy, subject, script, tiers);
      examples.add(new KeyExample(prefix, policy, subjectHex, script, tiers, key, null));
    } catch (IllegalArgumentException bad) {
      String part = String.valueOf(bad.getMessage()).split(" ")[0];
      examples.add(new KeyExample(prefix, policy, subjectHex, script, tiers, null, part));
    }
  }
}
