package io.github.penstock.compat.model;

import io.github.penstock.compat.model.Stored.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Says what a script of protocol 1 must answer and store: the definition that scripts, vectors and
 * clients are held to.
 *
 * <p>A bucket is a level that goes down continuously, in rational numbers; a window is a count and
 * an end. The stored text follows from the levels after a call, not the other way round.
 *
 * <p>Example: a token bucket of 10 that gains 10 a second, full, asked for 3 units at
 * 1700000000000000, answers {@code 1 10 7 0 300000 1} and stores {@code 1700000000300000} for
 * 60,300 ms.
 */
public final class Model {
  private final Algorithm algorithm;

  private Model(Algorithm algorithm) {
    this.algorithm = algorithm;
  }

  /** The model of an algorithm. */
  public static Model of(Algorithm algorithm) {
    return new Model(algorithm);
  }

  /**
   * What one call must do.
   *
   * @param keys the names of the keys
   * @param arguments the arguments as text, as a server gets them
   * @param stored what is under the first key
   * @param serverTimeUs the time of the call, unless the arguments hold one
   */
  public Outcome call(List<String> keys, List<String> arguments, Stored stored, long serverTimeUs) {
    try {
      Call call = Call.read(algorithm, keys, arguments, serverTimeUs);
      if (stored.kind() == Kind.LIST) {
        return Outcome.error(Outcome.WRONG_TYPE, stored);
      }
      return decide(call, levels(call, stored), stored);
    } catch (BadArgument bad) {
      return Outcome.error(bad.argument(), stored);
    }
  }

  private static List<Level> levels(Call call, Stored stored) throws BadArgument {
    String text = stored.text();
    String[] fields = text == null ? new String[0] : text.split(" ", -1);
    if (text != null && fields.length != call.tiers().size()) {
      throw new BadArgument("state");
    }
    List<Level> levels = new ArrayList<>();
    for (int i = 0; i < call.tiers().size(); i++) {
      Tier tier = call.tiers().get(i);
      levels.add(text == null ? tier.unused(call.nowUs()) : tier.read(fields[i], call.nowUs()));
    }
    return levels;
  }

  private static Outcome decide(Call call, List<Level> before, Stored stored) {
    if (call.cost() == 0) {
      return new Outcome(allowed(before, longestBacklog(before)), null, false, stored);
    }
    if (call.cost() < 0) {
      List<Level> after = each(before, level -> level.refunded(-call.cost()));
      return written(call, allowed(after, 0), after, stored);
    }
    int denying = firstWithMost(before, level -> urgency(level.waitUs(call.cost())));
    long waitUs = before.get(denying).waitUs(call.cost());
    if (waitUs != 0) {
      List<Long> reply = reply(0, before, denying, waitUs);
      boolean cut = before.stream().anyMatch(Level::cut);
      return cut ? written(call, reply, before, stored) : new Outcome(reply, null, false, stored);
    }
    List<Level> after = each(before, level -> level.charged(call.cost()));
    return written(call, allowed(after, longestBacklog(before)), after, stored);
  }

  private static long urgency(long waitUs) {
    return waitUs == Level.NEVER ? Long.MAX_VALUE : waitUs;
  }

  private static long longestBacklog(List<Level> levels) {
    return levels.stream().mapToLong(Level::backlogUs).max().orElseThrow();
  }

  private static List<Long> allowed(List<Level> levels, long waitUs) {
    return reply(1, levels, firstWithMost(levels, level -> -level.remaining()), waitUs);
  }

  private static List<Long> reply(long allowed, List<Level> levels, int deciding, long waitUs) {
    Level level = levels.get(deciding);
    return List.of(
        allowed, level.limit(), level.remaining(), waitUs, level.resetUs(), deciding + 1L);
  }

  private static int firstWithMost(List<Level> levels, ToLongFunction<Level> measure) {
    int first = 0;
    for (int i = 1; i < levels.size(); i++) {
      if (measure.applyAsLong(levels.get(i)) > measure.applyAsLong(levels.get(first))) {
        first = i;
      }
    }
    return first;
  }

  private static List<Level> each(List<Level> levels, UnaryOperator<Level> change) {
    return levels.stream().map(change).toList();
  }

  private static Outcome written(Call call, List<Long> reply, List<Level> after, Stored before) {
    if (after.stream().allMatch(Level::isUnused)) {
      return new Outcome(reply, null, before.kind() != Kind.NOTHING, Stored.NOTHING);
    }
    String text = after.stream().map(Level::field).collect(Collectors.joining(" "));
    long resetUs = after.stream().mapToLong(Level::resetUs).max().orElseThrow();
    long ttlMs = Rational.of(resetUs, 1000).ceil() + (call.callersTime() ? Bounds.PADDING_MS : 0);
    return new Outcome(reply, null, true, Stored.string(text, ttlMs));
  }
}
