package io.github.penstock.compat.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit on the units of one window, which opens with the first charge.
 *
 * @param limit units, 1 to 10^12
 * @param windowUs 1 µs to 366 days
 */
record Window(long limit, long windowUs) implements Tier {
  private static final Pattern FIELD = Pattern.compile("([1-9]\\d{15}):([1-9]\\d{0,12})");

  @Override
  public Level unused(long nowUs) {
    return WindowLevel.closed(this, nowUs);
  }

  @Override
  public Level read(String field, long nowUs) throws BadArgument {
    if (field.equals("0:0")) {
      return WindowLevel.closed(this, nowUs);
    }
    Matcher matcher = FIELD.matcher(field);
    if (!matcher.matches()) {
      throw new BadArgument("state");
    }
    long endUs = Long.parseLong(matcher.group(1));
    long used = Long.parseLong(matcher.group(2));
    if (endUs >= Bounds.EXACT_END || used > Bounds.MOST_UNITS) {
      throw new BadArgument("state");
    }
    return endUs <= nowUs ? WindowLevel.closed(this, nowUs) : open(endUs, used, nowUs);
  }

  private Level open(long endUs, long used, long nowUs) {
    long latest = nowUs + windowUs;
    return new WindowLevel(this, nowUs, Math.min(endUs, latest), used, endUs > latest);
  }
}
