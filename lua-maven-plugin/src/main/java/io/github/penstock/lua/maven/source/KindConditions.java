package io.github.penstock.lua.maven.source;

import io.github.penstock.lua.maven.header.ScriptHeader;
import io.github.penstock.lua.maven.header.ScriptHeaderParser;
import io.github.penstock.lua.maven.header.TierContract;
import io.github.penstock.lua.maven.rule.RuleViolation;
import io.github.penstock.lua.maven.syntax.Lexer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Conditions that the build writes from the headers of scripts: {@code $holds_3} is true if the
 * local {@code script} names a script whose group has three numbers and whose row {@code Holds} is
 * {@code yes}, {@code $charges_3} the same where that row is {@code no}.
 */
final class KindConditions {
  private static final String RULE = "constant";

  private final Map<String, List<KindScript>> kinds = new TreeMap<>();

  private record KindScript(String name, TierContract tier, SourceFile file) {}

  /** Reads the headers of scripts, whose mistakes are reported where the scripts are checked. */
  KindConditions(Map<String, SourceFile> scripts, ScriptConstants constants) {
    List<KindScript> all = new ArrayList<>();
    scripts.forEach(
        (name, file) -> {
          String text =
              PlaceholderPattern.matcher(file.text())
                  .replaceAll(place -> constants.text(place.group(1)));
          ScriptHeader header =
              ScriptHeaderParser.parse(
                  name, Lexer.read(text).comments(), Optional.empty(), (line, rule, message) -> {});
          if (header != null) {
            header.tier().ifPresent(tier -> all.add(new KindScript(name, tier, file)));
          }
        });
    all.stream()
        .sorted(
            Comparator.<KindScript>comparingInt(kind -> kind.tier.refillOrder())
                .thenComparing(KindScript::name))
        .forEach(
            kind -> kinds.computeIfAbsent(placeholder(kind), n -> new ArrayList<>()).add(kind));
  }

  private static String placeholder(KindScript kind) {
    return (kind.tier.holds() ? "holds_" : "charges_") + kind.tier.numbers().size();
  }

  /** The condition of a name; null if no script has such a header. */
  @Nullable String value(String name) {
    List<KindScript> named = kinds.get(name);
    if (named == null) {
      return null;
    }
    String condition =
        named.stream()
            .map(kind -> "script == \"" + kind.name + "\"")
            .collect(Collectors.joining(" or "));
    return named.size() == 1 ? condition : "(" + condition + ")";
  }

  /** Reports the scripts that no condition covers, where others are covered. */
  void checkUsed(Set<String> names, Set<RuleViolation> problems) {
    Set<String> unused = new HashSet<>(kinds.keySet());
    if (!unused.removeAll(names)) {
      return;
    }
    for (String name : unused) {
      for (KindScript kind : kinds.getOrDefault(name, List.of())) {
        problems.add(
            kind.file
                .origin(kind.tier.line())
                .violation(RULE, "no include has $" + name + ", which decides about this script"));
      }
    }
  }
}
