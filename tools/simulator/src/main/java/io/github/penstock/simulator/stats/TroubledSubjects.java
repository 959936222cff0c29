package io.github.penstock.simulator.stats;

import io.github.penstock.simulator.traffic.SubjectShare;
import java.util.function.LongUnaryOperator;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongHashSet;

/**
 * Subjects that a limit troubles: in some hour of the log more than 1 % of a subject's requests,
 * and at least one, are not served. Requests come in the order of their times. Not safe for use by
 * several threads.
 */
public final class TroubledSubjects {
  private static final long HOUR_US = 3_600_000_000L;
  private static final long ASKED = 1L << Integer.SIZE;
  private static final int PERCENT = 100;
  /*
   * For this hour, by the hash of a subject: its requests in the upper half, the unserved ones in
   * the lower.
   */
  private final Long2LongHashMap hour = new Long2LongHashMap(0);
  private final LongHashSet troubled = new LongHashSet();
  private final LongUnaryOperator weight;
  private long beginUs;
  private long endUs;
  private long count;

  /** With the weight of each subject, by its hash. */
  TroubledSubjects(LongUnaryOperator weight) {
    this.weight = weight;
  }

  /** Hours are counted from this time on, which no request is earlier than. */
  void begin(long timeUs) {
    beginUs = timeUs;
  }

  /** The subject with this hash asked once. */
  void add(long hash, long timeUs, boolean served) {
    if (timeUs >= endUs) {
      close();
      endUs = beginUs + ((timeUs - beginUs) / HOUR_US + 1) * HOUR_US;
    }
    hour.put(hash, hour.get(hash) + (served ? ASKED : ASKED + 1));
  }

  /** Ends the count of all subjects so far, none of which may ask again. */
  void close() {
    hour.forEachLong(
        (subject, counts) -> {
          if (counts % ASKED * PERCENT > counts / ASKED && troubled.add(subject)) {
            count += weight.applyAsLong(subject);
          }
        });
    hour.clear();
    endUs = 0;
  }

  /** Returns how many there are; to be asked when all requests were counted. */
  public long count() {
    close();
    return count;
  }

  /** Returns whether a subject is one; to be asked when all requests were counted. */
  public boolean has(String subject) {
    close();
    return troubled.contains(SubjectShare.hash(subject));
  }
}
