package io.github.penstock.simulator.stats;

import io.github.penstock.simulator.stats.TimeSeries.Kind;
import io.github.penstock.simulator.traffic.LimitCandidate;
import io.github.penstock.simulator.traffic.SubjectSample;
import io.github.penstock.simulator.traffic.SubjectShare;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.List;

/**
 * The figures of a replay against one limit, in memory that does not grow with the traffic. An
 * admitted request passes at its time plus the wait that it was told, which only a leaky bucket
 * does. Not safe for use by several threads.
 */
public final class ReplayStats {
  private static final long NEVER = -1;
  private static final double NEARLY_ALL = 99;
  private static final double HALF = 50;

  /** A wait that no denied caller's patience is enough for. */
  public static final long FOR_EVER = Long.MAX_VALUE;

  private SubjectSample sample = SubjectSample.ALL;
  private final TimeSeries series = new TimeSeries();
  private final FairnessStats shares = new FairnessStats(hash -> sample.weight(hash));
  private final WaitHistogram waits = new WaitHistogram();
  private final WaitHistogram delays = new WaitHistogram();
  private final PeakUsage[] peaks;
  private final TroubledSubjects troubled = new TroubledSubjects(hash -> sample.weight(hash));
  private final long[] tiersMattered;
  private long deadlineUs = DEADLINE_US;
  private long denied;
  private long never;
  private long late;
  private long again;
  private long unitsAsked;
  private long unitsPassed;
  private long firstUs = -1;
  private long lastUs = -1;

  /** A put-off that is as bad as a denial, unless another is given. */
  public static final long DEADLINE_US = 1_000_000;

  public ReplayStats(LimitCandidate candidate) {
    this.tiersMattered = new long[candidate.limit().tiers().size()];
    this.peaks =
        candidate.limit().tiers().stream()
            .map(tier -> new PeakUsage(tier, 0, 0, "", true))
            .toArray(PeakUsage[]::new);
  }

  /**
   * Begins with a time that no request is earlier than, so that they may come in several parts.
   *
   * @param us an admitted request that is put off for longer is not served
   * @param of the subjects that are played
   */
  public void begin(long timeUs, long us, SubjectSample of) {
    firstUs = timeUs;
    deadlineUs = us;
    sample = of;
    series.begin(timeUs);
    troubled.begin(timeUs);
  }

  /**
   * Ends a part of the subjects: none of them asks again, and requests of others may be earlier.
   */
  public void endPart() {
    shares.close();
    troubled.close();
  }

  /** Counts a request that may go ahead after a delay. */
  public void admitted(TrafficRequest request, long delayUs) {
    long times = asked(request, false, delayUs <= deadlineUs);
    late += delayUs <= deadlineUs ? 0 : times;
    unitsPassed += times * request.cost();
    delays.add(delayUs, times);
    series.add(Kind.PASSED, request.timeUs() + delayUs, times * request.cost());
  }

  /** Counts a request that was denied, and told to wait; -1 for ever. */
  public void denied(TrafficRequest request, long waitUs) {
    long times = asked(request, true, false);
    denied += times;
    series.add(Kind.DENIED, request.timeUs(), times * request.cost());
    if (waitUs == NEVER) {
      never += times;
    } else {
      waits.add(waitUs, times);
    }
  }

  /** Counts a request that would be answered otherwise without a tier, from 0. */
  public void tierMattered(int tier) {
    tiersMattered[tier]++;
  }

  /** Requests that would be answered otherwise without a tier, from 0. */
  public long tierMatters(int tier) {
    return tiersMattered[tier];
  }

  /** Counts a request that came within a second after the same subject was denied one. */
  public void cameAgain(TrafficRequest request) {
    again += weight(request.subject());
  }

  long weight(String subject) {
    return sample.isWhole() ? 1 : sample.weight(SubjectShare.hash(subject));
  }

  /* Returns the weight of its subject. */
  private long asked(TrafficRequest request, boolean wasDenied, boolean served) {
    if (firstUs < 0) {
      firstUs = request.timeUs();
    }
    lastUs = Math.max(lastUs, request.timeUs());
    long hash = SubjectShare.hash(request.subject());
    long times = sample.weight(hash);
    unitsAsked += times * request.cost();
    series.add(Kind.ASKED, request.timeUs(), times * request.cost());
    shares.add(hash, request.subject(), wasDenied);
    troubled.add(hash, request.timeUs(), served);
    return times;
  }

  /**
   * Counts the units of a subject that passed in a span of a tier's length that ends at this time.
   */
  public void passed(int tier, long units, long endUs, String subject, boolean exact) {
    PeakUsage known = peaks[tier];
    if (units > known.most() || units == known.most() && endUs < known.endUs()) {
      peaks[tier] = new PeakUsage(known.tier(), units, endUs, subject, exact);
    }
  }

  /** Units over time. */
  public TimeSeries series() {
    return series;
  }

  /** The shares of the subjects in the admitted requests. */
  public FairnessStats shares() {
    return shares;
  }

  /** The waits that denied callers were given, in microseconds; those for ever are left out. */
  public WaitHistogram waits() {
    return waits;
  }

  /** Returns how long admitted callers were told to wait, in microseconds. */
  public WaitHistogram delays() {
    return delays;
  }

  /** The most that passed, for each tier. */
  public List<PeakUsage> peaks() {
    return List.of(peaks);
  }

  /** Requests. */
  public long asked() {
    return admitted() + denied;
  }

  /** Requests. */
  public long admitted() {
    return delays.count();
  }

  /** Requests. */
  public long denied() {
    return denied;
  }

  /** Denied requests that cost more than the limit, so that no wait would help. */
  public long never() {
    return never;
  }

  /** Admitted requests that are put off beyond the deadline. */
  public long late() {
    return late;
  }

  /** Requests that are denied, or put off beyond the deadline. */
  public long unserved() {
    return denied + late;
  }

  /** Denied requests whose subject asked again within a second. */
  public long again() {
    return again;
  }

  public long deadlineUs() {
    return deadlineUs;
  }

  public TroubledSubjects troubled() {
    return troubled;
  }

  public long unitsAsked() {
    return unitsAsked;
  }

  public long unitsPassed() {
    return unitsPassed;
  }

  public boolean hasCosts() {
    return unitsAsked != asked();
  }

  /** The word for a unit: a request, unless some requests cost more than 1. */
  public String unit() {
    return hasCosts() ? "unit" : "request";
  }

  /**
   * The wait that 99 % of the denied do not exceed, in microseconds; {@link #FOR_EVER} if more than
   * 1 % of them can never pass.
   */
  public long longWaitUs() {
    return waitUs(NEARLY_ALL);
  }

  /** The number for half of the denied requests. */
  public long medianWaitUs() {
    return waitUs(HALF);
  }

  private long waitUs(double percent) {
    double ofThoseWhoWait = percent * denied / Math.max(1, waits.count());
    return ofThoseWhoWait > 100 || never > 0 && never == denied
        ? FOR_EVER
        : waits.percentile(ofThoseWhoWait);
  }

  public long longDelayUs() {
    return delays.percentile(NEARLY_ALL);
  }

  /** How long half of the admitted requests are put off at most, in microseconds. */
  public long medianDelayUs() {
    return delays.percentile(HALF);
  }

  /** When the first request came, in microseconds since 1970; -1 if none did. */
  public long firstUs() {
    return firstUs;
  }

  /** When the last request came, in microseconds since 1970; -1 if none did. */
  public long lastUs() {
    return lastUs;
  }
}
