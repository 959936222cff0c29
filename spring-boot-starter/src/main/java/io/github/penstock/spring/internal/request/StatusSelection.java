package io.github.penstock.spring.internal.request;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The statuses of responses whose requests are charged: {@code status 401, 403}, or {@code status
 * 4xx} for a hundred of them. Immutable.
 *
 * @param text as written in configuration
 * @param patterns of the three digits of a status
 */
public record StatusSelection(String text, List<Pattern> patterns) {
  private static final String WORD = "status ";
  private static final Pattern STATUS = Pattern.compile("[1-5](xx|[0-9][0-9])");

  /**
   * Parses a selection.
   *
   * @throws IllegalArgumentException if it is not valid
   */
  public static StatusSelection parse(String text) {
    List<Pattern> patterns = new ArrayList<>();
    String statuses = text.startsWith(WORD) ? text.substring(WORD.length()) : "";
    for (String status : statuses.split(",", -1)) {
      String one = status.strip();
      if (!STATUS.matcher(one).matches()) {
        throw new IllegalArgumentException(
            "must be \"status\" and statuses from 100 to 599, such as status 401, 403 or status 4xx: "
                + text);
      }
      patterns.add(Pattern.compile(one.replace("x", "[0-9]")));
    }
    return new StatusSelection(text, List.copyOf(patterns));
  }

  /** Returns whether a request with this status is charged. */
  boolean has(int status) {
    String digits = Integer.toString(status);
    return patterns.stream().anyMatch(pattern -> pattern.matcher(digits).matches());
  }

  @Override
  public String toString() {
    return text;
  }
}
