package io.github.penstock.lua.maven.check;

import io.github.penstock.lua.maven.header.ScriptHeader;
import io.github.penstock.lua.maven.header.TierContract;
import io.github.penstock.lua.maven.rule.ViolationReport;
import io.github.penstock.lua.maven.syntax.Chunk;
import io.github.penstock.lua.maven.syntax.Expression;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks the rows {@code Bounds} and {@code State} against the texts of the code. */
public final class TierCheck {
  private static final String RULE = "tier";

  private TierCheck() {}

  /** Reports bounds that no error of the script states, and forms that it never writes or knows. */
  public static void check(Chunk chunk, ScriptHeader header, ViolationReport report) {
    header.tier().ifPresent(tier -> check(tier, texts(chunk), report));
  }

  private static void check(TierContract tier, Set<String> texts, ViolationReport report) {
    tier.numbers().stream()
        .map(n -> "%s must be an integer from %d to %d".formatted(n.name(), n.least(), n.most()))
        .forEach(error -> needed(tier, texts, error, "Bounds needs the error", report));
    tier.forms().stream()
        .map(form -> form.replaceAll("[a-z]+", "%d"))
        .forEach(format -> needed(tier, texts, format, "State needs the format", report));
    needed(tier, texts, tier.unused(), "State needs the unused state", report);
  }

  private static void needed(
      TierContract tier, Set<String> texts, String text, String problem, ViolationReport report) {
    if (!texts.contains(text)) {
      report.add(tier.line(), RULE, problem + " \"" + text + "\", which the script does not have");
    }
  }

  private static Set<String> texts(Chunk chunk) {
    return chunk
        .expressions()
        .filter(Expression.StringLiteral.class::isInstance)
        .map(text -> ((Expression.StringLiteral) text).value())
        .collect(Collectors.toSet());
  }
}
