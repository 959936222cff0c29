package io.github.penstock.benchmarks.limiter;

import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.LimitTier;
import io.github.penstock.core.limit.RefillForm;
import io.github.penstock.scripts.LuaScript;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A kind of limit, with limits that are never reached and limits that stay reached. */
public final class PenstockAlgorithm implements BenchmarkCandidate {
  private static final List<PenstockAlgorithm> ALL =
      Stream.of(LimitKind.values()).map(PenstockAlgorithm::new).toList();

  public static final PenstockAlgorithm TOKEN_BUCKET = of(LimitKind.TOKEN_BUCKET);

  /** The most units of a limit that no benchmark reaches. */
  static final long PLENTY = 30_000_000;

  /**
   * How long that limit takes to gain one unit: longer than it takes until a subject's next call,
   * also where many are interleaved, so that there is a state to be read, as there is in use. With
   * it, {@link #PLENTY} refills within the 100 years that a bucket may take.
   */
  public static final Duration REFILL = Duration.ofSeconds(100);

  private static final Duration DAY = Duration.ofDays(1);

  private final LimitKind kind;

  private PenstockAlgorithm(LimitKind kind) {
    this.kind = kind;
  }

  public static List<PenstockAlgorithm> all() {
    return ALL;
  }

  public static PenstockAlgorithm of(LimitKind kind) {
    return ALL.get(kind.ordinal());
  }

  /** The one of this name, such as {@code TOKEN_BUCKET}. */
  public static PenstockAlgorithm valueOf(String name) {
    return of(LimitKind.valueOf(name));
  }

  @Override
  public String name() {
    return kind.name();
  }

  /** A limit with this number of tiers that is never reached. */
  public Limit generous(int tiers) {
    return of(plenty(tiers));
  }

  /** A limit with this number of tiers, the last of which gains one unit a day. */
  public Limit exhausted(int tiers) {
    return of(Stream.concat(plenty(tiers - 1), Stream.of(LimitTier.of(1, 1, DAY))));
  }

  /** True if a unit may take no whole number of microseconds, which the state then remembers. */
  public boolean hasRemainder() {
    return kind.refill() == RefillForm.EVENLY;
  }

  /** A limit of one tier, never reached, whose unit takes no whole number of microseconds. */
  public Limit uneven() {
    return of(Stream.of(LimitTier.of(1_000_000, 7, Duration.ofSeconds(3))));
  }

  private static Stream<LimitTier> plenty(int tiers) {
    return IntStream.range(0, tiers).mapToObj(tier -> LimitTier.of(PLENTY - tier, 1, REFILL));
  }

  private Limit of(Stream<LimitTier> buckets) {
    Stream<LimitTier> tiers =
        kind.holdsBurst()
            ? buckets
            : buckets.map(tier -> LimitTier.of(tier.capacity(), tier.capacity(), DAY));
    return Limit.of(kind, tiers.toList());
  }

  public LimitKind kind() {
    return kind;
  }

  public LuaScript script() {
    return kind.script();
  }

  @Override
  public String title() {
    return script().scriptName();
  }

  @Override
  public String toString() {
    return name();
  }

  @Override
  public LimiterUnderTest on(
      ClientSession session, BenchmarkTarget target, SubjectWorkload workload) {
    return LimiterFactory.penstock(session.limiters(), this, workload, 1);
  }
}
