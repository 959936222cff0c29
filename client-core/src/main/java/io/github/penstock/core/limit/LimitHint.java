package io.github.penstock.core.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Suggests the valid text for a limit in a common notation: {@code 100/minute}, {@code 5 per 10
 * seconds}, or nginx's {@code 10r/s burst=20 nodelay}, which admits one more than its burst at
 * once.
 */
final class LimitHint {
  private static final int LONGEST = 200;
  private static final Pattern WORDS = Pattern.compile("[a-z]+|[0-9][0-9_]*|/");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,12}(?:_[0-9]{1,12})*");
  /*
   * No suggestion is made for a sign, a fraction or a grouped number, because it would be misread.
   */
  private static final Pattern UNREADABLE =
      Pattern.compile("[^a-z0-9_\\s/:;+,=-]|[0-9_][.,][0-9_]|-[0-9]");
  private static final Set<String> PER = Set.of("/", "per", "every", "each", "in", "a", "an");
  private static final Set<String> IDLE =
      Set.of(
          "r", "req", "reqs", "request", "requests", "call", "calls", "hit", "hits", "and", "rate");
  private static final Map<String, String> UNITS =
      Map.of(
          "us", "us",
          "ms", "ms|msec|millisecond|milliseconds",
          "s", "s|sec|secs|second|seconds",
          "m", "m|min|mins|minute|minutes",
          "h", "h|hr|hrs|hour|hours",
          "d", "d|day|days|week|weeks");
  private final List<String> tiers = new ArrayList<>();
  private long units;
  private long count;
  private boolean per;

  private LimitHint() {}

  /** Returns the text that was probably meant; empty if there is none. */
  static Optional<String> of(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (text.length() > LONGEST || UNREADABLE.matcher(lower).find()) {
      return Optional.empty();
    }
    List<String> words = WORDS.matcher(lower).results().map(MatchResult::group).toList();
    return new LimitHint().read(words).filter(meant -> !meant.equals(text) && isLimit(meant));
  }

  private static boolean isLimit(String text) {
    try {
      Limits.parse(text);
      return true;
    } catch (IllegalArgumentException wrong) {
      return false;
    }
  }

  private Optional<String> read(List<String> all) {
    String named = String.join("-", all.subList(0, Math.min(2, all.size())));
    boolean known = LimitKind.named(named).isPresent();
    List<String> words = known ? all.subList(2, all.size()) : all;
    boolean nginx = !known && words.contains("r");
    String before = "";
    for (String word : words) {
      if (!take(before, word, nginx)) {
        return Optional.empty();
      }
      before = word;
    }
    if (tiers.isEmpty() || units > 0 || before.equals("burst")) {
      return Optional.empty();
    }
    boolean bursts = tiers.stream().anyMatch(tier -> tier.contains(","));
    if (nginx && !bursts) {
      tiers.add(tiers.remove(tiers.size() - 1) + ",burst=1");
    }
    boolean delays = nginx && bursts && !words.contains("nodelay");
    String kind = delays ? "leaky-bucket" : nginx || bursts ? "token-bucket" : "fixed-window";
    return Optional.of((known ? named : kind) + ":" + String.join("+", tiers));
  }

  /* Returns whether the word has a meaning at this position. */
  private boolean take(String before, String word, boolean nginx) {
    long number = NUMBER.matcher(word).matches() ? number(word) : 0;
    if (before.equals("burst") && !tiers.isEmpty() && number > 0) {
      tiers.add(tiers.remove(tiers.size() - 1) + ",burst=" + (nginx ? number + 1 : number));
    } else if (number > 0 && units == 0) {
      units = number;
    } else if (number > 0 && per && count == 0) {
      count = number;
    } else if (PER.contains(word) && units > 0 && !per) {
      per = true;
    } else if (per && unit(word).isPresent()) {
      long times = Math.max(1, count) * (word.startsWith("week") ? 7 : 1);
      tiers.add(units + "/" + times + unit(word).get());
      units = 0;
      count = 0;
      per = false;
    } else {
      return word.equals("burst") || IDLE.contains(word) || nginx && word.equals("nodelay");
    }
    return true;
  }

  private static Optional<String> unit(String word) {
    return UNITS.entrySet().stream()
        .filter(unit -> List.of(unit.getValue().split("\\|")).contains(word))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static long number(String word) {
    String digits = word.replace("_", "");
    return digits.length() > 15 ? Long.MAX_VALUE / 8 : Long.parseLong(digits);
  }
}
