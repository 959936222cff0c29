package io.github.penstock.simulator.stats;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * How the admissions are shared between subjects: what each asked for and was denied, in 16 bytes a
 * subject, for the first {@value #MOST} subjects. Requests of later ones are only counted.
 *
 * <p>Subjects are known by 64 bits of a hash: among a million, two are confused once in 37 million
 * runs. Names are kept of denied ones, of the {@value #NAMES} most denied if there are more. Not
 * safe for use by several threads.
 */
public final class FairnessStats {
  public static final int MOST = 786_432;
  private static final int NAMES = 20_000;
  private static final int FIRST_SLOTS = 1 << 10;
  private long[] hashes = new long[FIRST_SLOTS];
  private int[] asked = new int[FIRST_SLOTS];
  private int[] denied = new int[FIRST_SLOTS];
  private final Map<Long, String> names = new HashMap<>();
  private int size;
  private long beyond;

  /** A subject asked once. */
  public void add(String subject, boolean wasDenied) {
    long hash = hash(subject);
    int slot = slot(hash);
    if (hashes[slot] == 0) {
      if (size == MOST) {
        beyond++;
        return;
      }
      if (size >= hashes.length / 4 * 3) {
        grow();
        slot = slot(hash);
      }
      hashes[slot] = hash;
      size++;
    }
    asked[slot] = Math.addExact(asked[slot], 1);
    if (wasDenied && denied[slot]++ == 0) {
      name(hash, subject);
    }
  }

  /** How many subjects there are, {@link #MOST} at most. */
  public int subjects() {
    return size;
  }

  /** How many requests came from subjects beyond {@link #MOST}. */
  public long requestsBeyond() {
    return beyond;
  }

  /** How many subjects were ever denied. */
  public int everDenied() {
    int count = 0;
    for (int each : denied) {
      count += each > 0 ? 1 : 0;
    }
    return count;
  }

  /**
   * Jain's index of the parts of their requests that subjects got admitted: 1 if all got the same
   * part, 1/n if one of n got everything.
   *
   * <p>Source: R. Jain, D. Chiu, W. Hawe, "A Quantitative Measure of Fairness and Discrimination
   * for Resource Allocation in Shared Computer Systems", DEC-TR-301, 1984.
   */
  public double jainsIndex() {
    double sum = 0;
    double squares = 0;
    for (int slot = 0; slot < hashes.length; slot++) {
      if (hashes[slot] != 0) {
        double part = (double) (asked[slot] - denied[slot]) / asked[slot];
        sum += part;
        squares += part * part;
      }
    }
    return squares == 0 ? 1 : sum * sum / (size * squares);
  }

  /** The subjects that were denied most often, the worst first. */
  public List<Share> mostDenied(int count) {
    return names.entrySet().stream()
        .map(entry -> share(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(Share::denied).reversed().thenComparing(Share::subject))
        .limit(count)
        .toList();
  }

  private Share share(long hash, String name) {
    int slot = slot(hash);
    return new Share(name, asked[slot], denied[slot]);
  }

  private void name(long hash, String subject) {
    if (names.size() == NAMES) {
      List<Long> kept =
          names.keySet().stream()
              .sorted(Comparator.comparingInt((Long each) -> denied[slot(each)]).reversed())
              .limit(NAMES / 2)
              .toList();
      names.keySet().retainAll(new HashSet<>(kept));
    }
    names.put(hash, subject);
  }

  private void grow() {
    long[] oldHashes = hashes;
    int[] oldAsked = asked;
    int[] oldDenied = denied;
    hashes = new long[2 * oldHashes.length];
    asked = new int[hashes.length];
    denied = new int[hashes.length];
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] != 0) {
        int slot = slot(oldHashes[i]);
        hashes[slot] = oldHashes[i];
        asked[slot] = oldAsked[i];
        denied[slot] = oldDenied[i];
      }
    }
  }

  private int slot(long hash) {
    int mask = hashes.length - 1;
    int slot = (int) (hash >>> 32) & mask;
    while (hashes[slot] != 0 && hashes[slot] != hash) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /* FNV-1a over the characters, then the finish of SplitMix64; never 0. */
  public static long hash(String subject) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < subject.length(); i++) {
      hash = (hash ^ subject.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
    hash ^= hash >>> 31;
    return hash == 0 ? 1 : hash;
  }

  /**
   * The units that one subject asked for, and those that it was denied.
   *
   * @param subject who
   * @param asked requests
   * @param denied requests
   */
  public record Share(String subject, long asked, long denied) {}
}
