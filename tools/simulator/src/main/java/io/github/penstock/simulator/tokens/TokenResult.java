package io.github.penstock.simulator.tokens;

import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.simulator.traffic.LimitCandidate;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One way under one limit, with some traffic.
 *
 * @param traffic its title
 * @param plays one for each seed; one of a log
 */
public record TokenResult(
    String traffic, LimitCandidate limit, ChargeWay way, List<TokenStats> plays) {
  public TokenResult {
    plays = List.copyOf(plays);
  }

  /** The tier that the figures are about: the first. */
  public LimitTier tier() {
    return limit.limit().tiers().get(0);
  }

  /** The most that was used in any period, in percent of the limit. */
  public double percentMost(TokenStats of) {
    return 100.0 * of.most() / tier().units();
  }

  /** The middle one of the plays' figures; of an even number the lower of two. */
  public double median(ToDoubleFunction<TokenStats> figure) {
    double[] sorted = sorted(figure);
    return sorted[(sorted.length - 1) / 2];
  }

  public double greatest(ToDoubleFunction<TokenStats> figure) {
    double[] sorted = sorted(figure);
    return sorted[sorted.length - 1];
  }

  public double least(ToDoubleFunction<TokenStats> figure) {
    return sorted(figure)[0];
  }

  private double[] sorted(ToDoubleFunction<TokenStats> figure) {
    return plays.stream().mapToDouble(figure).sorted().toArray();
  }
}
