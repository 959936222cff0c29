package io.github.penstock.simulator.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.agrona.collections.Long2LongHashMap;

/**
 * The requests and denials of each subject, in 16 bytes a subject, for those that may still call.
 *
 * <p>Subjects are known by 64 bits of a hash: among a million, two are confused once in 37 million
 * runs. Names are kept of denied ones, of the {@value #NAMES} most denied if there are more. Not
 * safe for use by several threads.
 */
public final class FairnessStats {
  private static final int NAMES = 20_000;
  private static final long ASKED = 1L << Integer.SIZE;
  /* By the hash of a subject: its requests in the upper half, its denials in the lower. */
  private final Long2LongHashMap counts = new Long2LongHashMap(1 << 10, 0.75f, 0);
  private final Map<Long, String> names = new HashMap<>();
  private final List<Share> worst = new ArrayList<>();
  private final LongUnaryOperator weight;
  private long subjects;
  private long everDenied;
  /* For subjects that represent others: sums of their requests and denials, and of products. */
  private long asked;
  private long denied;
  private double askedAsked;
  private double askedDenied;
  private double deniedDenied;

  /** With the weight of each subject, by its hash. */
  FairnessStats(LongUnaryOperator weight) {
    this.weight = weight;
  }

  /** A subject with this hash asked once. */
  void add(long hash, String subject, boolean wasDenied) {
    long before = counts.get(hash);
    counts.put(hash, Math.addExact(before, wasDenied ? ASKED + 1 : ASKED));
    subjects += before == 0 ? weight.applyAsLong(hash) : 0;
    if (wasDenied && denied(before) == 0) {
      everDenied += weight.applyAsLong(hash);
      name(hash, subject);
    }
  }

  /** Ends the count of all subjects so far, none of which may ask again. */
  void close() {
    List<Share> kept = mostDenied(NAMES);
    worst.clear();
    worst.addAll(kept);
    counts.forEachLong(this::close);
    counts.clear();
    names.clear();
  }

  private void close(long hash, long each) {
    long times = weight.applyAsLong(hash);
    if (times > 1) {
      asked += asked(each);
      denied += denied(each);
      askedAsked += (double) asked(each) * asked(each);
      askedDenied += (double) asked(each) * denied(each);
      deniedDenied += (double) denied(each) * denied(each);
    }
  }

  public long subjects() {
    return subjects;
  }

  public long everDenied() {
    return everDenied;
  }

  /**
   * A better estimate of the denied requests if some subjects represent others: these give the
   * ratio of denied requests to requests, and the number of requests is known.
   *
   * @param counted denied requests, weighted by subject
   * @param more how many more requests there are than were counted so
   */
  public double denied(long counted, long more) {
    close();
    return counted + more * ratio();
  }

  /**
   * The standard error of that.
   *
   * @param times for how many each of those subjects stands
   */
  public double deniedError(long times) {
    close();
    double squared = deniedDenied - 2 * ratio() * askedDenied + ratio() * ratio() * askedAsked;
    return Math.sqrt(times * (times - 1) * Math.max(0, squared));
  }

  private double ratio() {
    return asked == 0 ? 0 : (double) denied / asked;
  }

  /** The subjects that were denied most often, the worst first. */
  public List<Share> mostDenied(int count) {
    return Stream.concat(
            worst.stream(),
            names.entrySet().stream()
                .map(entry -> share(entry.getValue(), counts.get(entry.getKey().longValue()))))
        .sorted(Comparator.comparingLong(Share::denied).reversed().thenComparing(Share::subject))
        .limit(count)
        .toList();
  }

  private static Share share(String name, long counts) {
    return new Share(name, asked(counts), denied(counts));
  }

  private static long asked(long counts) {
    return counts / ASKED;
  }

  private static long denied(long counts) {
    return counts % ASKED;
  }

  private void name(long hash, String subject) {
    if (names.size() == NAMES) {
      List<Long> kept =
          names.keySet().stream()
              .sorted(
                  Comparator.comparingLong((Long each) -> denied(counts.get(each.longValue())))
                      .reversed())
              .limit(NAMES / 2)
              .toList();
      names.keySet().retainAll(new HashSet<>(kept));
    }
    names.put(hash, subject);
  }

  /**
   * The requests of one subject, and those of them that were denied.
   *
   * @param subject who
   * @param asked requests
   * @param denied requests
   */
  public record Share(String subject, long asked, long denied) {}
}
