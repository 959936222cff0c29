package io.github.penstock.lua.maven.header;

import java.util.List;

/**
 * The rows {@code Bounds}, {@code Marker}, {@code State}, {@code Refill}, {@code Queues} and {@code
 * Holds}: the contract of a repeated group of arguments, and of its state in a key.
 *
 * @param numbers the numbers of one group, in their order
 * @param letter begins the end of a key
 * @param marked the names of the numbers that follow the letter
 * @param forms the written state of one group: names, and the separators between them
 * @param unused the state of a group of which nothing is used
 * @param refill the way in which used units return: {@code evenly}, {@code in_batches}, {@code
 *     at_end} or {@code fading}
 * @param queues whether an admitted call waits for its turn
 * @param holds whether units can be reserved and settled later
 * @param line the line (from 1) of the first of the rows
 */
public record TierContract(
    List<TierNumber> numbers,
    String letter,
    List<String> marked,
    List<String> forms,
    String unused,
    String refill,
    boolean queues,
    boolean holds,
    int line) {
  /**
   * One number of a group.
   *
   * @param least the smallest value that the script takes
   * @param most the greatest
   */
  public record TierNumber(String name, String unit, long least, long most) {}

  /** The place of its refill among all that there are. */
  public int refillOrder() {
    return TierRowParser.REFILLS.indexOf(refill);
  }

  /** Returns whether keys with the same letter can hold the state of both. */
  public boolean shares(TierContract other) {
    return marked.size() == other.marked.size()
        && forms.equals(other.forms)
        && unused.equals(other.unused);
  }
}
