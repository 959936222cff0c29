package io.github.penstock.cli;

import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.replay.ReplayResult;
import io.github.penstock.simulator.replay.ReplayResult.LimitResult;
import io.github.penstock.simulator.stats.ReplayStats;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The condition for each limit: {@code denied<0.5%} of the requests, {@code subjects<1%} troubled.
 *
 * @param subjects whether subjects are counted, or requests that are not served
 */
record LimitAssertion(String text, boolean subjects, BigDecimal percent) {
  private static final Pattern RULE =
      Pattern.compile("(denied|subjects)<(\\d{1,3}(?:\\.\\d{1,6})?)%");
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /** Of a text. Throws an IllegalArgumentException that names the rule. */
  static LimitAssertion of(String text) {
    Matcher rule = RULE.matcher(text.replace(" ", ""));
    if (!rule.matches() || new BigDecimal(rule.group(2)).compareTo(HUNDRED) > 0) {
      throw new IllegalArgumentException(
          "'" + text + "' must be denied<P% or subjects<P%, such as denied<0.5%; P is up to 100");
    }
    return new LimitAssertion(
        text, rule.group(1).equals("subjects"), new BigDecimal(rule.group(2)));
  }

  /** The first of some assertions that a limit does not keep to, in a sentence. */
  static Optional<String> failure(List<LimitAssertion> all, ReplayResult played) {
    return played.results().stream()
        .flatMap(
            limit ->
                all.stream().filter(each -> !each.holds(limit)).map(each -> each.sentence(limit)))
        .findFirst();
  }

  private long part(LimitResult limit) {
    ReplayStats stats = limit.stats();
    return subjects ? stats.troubled().count() : stats.unserved();
  }

  private long whole(LimitResult limit) {
    return subjects ? limit.stats().shares().subjects() : limit.stats().asked();
  }

  private boolean holds(LimitResult limit) {
    BigDecimal may = percent.multiply(BigDecimal.valueOf(whole(limit)));
    return BigDecimal.valueOf(part(limit)).multiply(HUNDRED).compareTo(may) < 0;
  }

  private String sentence(LimitResult limit) {
    return "--assert %s does not hold: %s %s %s of %s (%s)."
        .formatted(
            text,
            limit.candidate().name(),
            subjects ? "troubles" : "does not serve",
            NumberText.count(part(limit)),
            NumberText.count(whole(limit), subjects ? "subject" : "request"),
            NumberText.percent(part(limit), whole(limit)));
  }
}
