package io.github.penstock.simulator.stats;

import io.github.penstock.simulator.traffic.SubjectShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.agrona.collections.Long2LongHashMap;

/**
 * How the admissions are shared between subjects: what each asked for and was denied, in 16 bytes a
 * subject, of those that may still ask.
 *
 * <p>Subjects are known by 64 bits of a hash: among a million, two are confused once in 37 million
 * runs. Names are kept of denied ones, of the {@value #NAMES} most denied if there are more. Not
 * safe for use by several threads.
 */
public final class FairnessStats {
  private static final int NAMES = 20_000;
  private static final long ASKED = 1L << Integer.SIZE;
  /* By the hash of a subject: what it asked for above, what it was denied below. */
  private final Long2LongHashMap counts = new Long2LongHashMap(1 << 10, 0.75f, 0);
  private final Map<Long, String> names = new HashMap<>();
  private final List<Share> worst = new ArrayList<>();
  private long subjects;
  private long everDenied;
  private double sum;
  private double squares;

  /** A subject asked once. */
  public void add(String subject, boolean wasDenied) {
    long hash = hash(subject);
    long before = counts.get(hash);
    counts.put(hash, Math.addExact(before, wasDenied ? ASKED + 1 : ASKED));
    if (wasDenied && denied(before) == 0) {
      name(hash, subject);
    }
  }

  /** Ends the count of all subjects so far, none of which may ask again. */
  public void close() {
    List<Share> kept = mostDenied(NAMES);
    worst.clear();
    worst.addAll(kept);
    everDenied = everDenied();
    subjects = subjects();
    for (long each : counts.values()) {
      sum += part(each);
      squares += part(each) * part(each);
    }
    counts.clear();
    names.clear();
  }

  /** Returns how many subjects there are. */
  public long subjects() {
    return subjects + counts.size();
  }

  /** Returns how many subjects were ever denied. */
  public long everDenied() {
    return everDenied + counts.values().stream().filter(each -> denied(each) > 0).count();
  }

  /**
   * Jain's index of the parts of their requests that subjects got admitted: 1 if all got the same
   * part, 1/n if one of n got everything.
   *
   * <p>Source: R. Jain, D. Chiu, W. Hawe, "A Quantitative Measure of Fairness and Discrimination
   * for Resource Allocation in Shared Computer Systems", DEC-TR-301, 1984.
   */
  public double jainsIndex() {
    double whole = sum;
    double squared = squares;
    for (long each : counts.values()) {
      whole += part(each);
      squared += part(each) * part(each);
    }
    return squared == 0 ? 1 : whole * whole / (subjects() * squared);
  }

  private static double part(long counts) {
    return (double) (asked(counts) - denied(counts)) / asked(counts);
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

  /* Never 0. */
  private static long hash(String subject) {
    long hash = SubjectShare.hash(subject);
    return hash == 0 ? 1 : hash;
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
