package io.github.penstock.testkit.model;

import static io.github.penstock.testkit.model.BadArgumentException.require;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** One limit of a call: the meaning of its stored field at a time. */
interface ModelTier {
  /** The longest time, in µs, until it is unused, without further calls. */
  long fullUs();

  /** Nothing used at a time. */
  TierLevel unused(long nowUs);

  /**
   * The units used at a time, according to a field of the stored value, cut to the tier's maximum.
   *
   * @throws BadArgumentException ({@code state}) if the field is not one that a script of protocol
   *     1 writes
   */
  TierLevel read(String field, long nowUs) throws BadArgumentException;

  /** The numbers of a field of this form, of which the first is a time; 0 for one left out. */
  static long[] numbers(Pattern form, String field) throws BadArgumentException {
    Matcher matcher = form.matcher(field);
    require(matcher.matches(), "state");
    long[] numbers =
        IntStream.rangeClosed(1, matcher.groupCount())
            .mapToLong(
                group -> matcher.group(group) == null ? 0 : Long.parseLong(matcher.group(group)))
            .toArray();
    require(numbers[0] < ProtocolBounds.EXACT_END, "state");
    return numbers;
  }
}
