package io.github.penstock.testkit.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit on the units of one window, which opens with the first charge.
 *
 * @param limit units, 1 to 10^12
 * @param windowUs 1 µs to 366 days
 */
record WindowTier(long limit, long windowUs) implements ModelTier {
  private static final Pattern FIELD = Pattern.compile("([1-9]\\d{15}):([1-9]\\d{0,12})");

  @Override
  public long fullUs() {
    return windowUs;
  }

  @Override
  public TierLevel unused(long nowUs) {
    return new WindowLevel(this, nowUs, nowUs, 0, false);
  }

  @Override
  public TierLevel read(String field, long nowUs) throws BadArgumentException {
    if (field.equals("0:0")) {
      return unused(nowUs);
    }
    Matcher matcher = FIELD.matcher(field);
    if (!matcher.matches()) {
      throw new BadArgumentException("state");
    }
    long endUs = Long.parseLong(matcher.group(1));
    long used = Long.parseLong(matcher.group(2));
    if (endUs >= ProtocolBounds.EXACT_END || used > ProtocolBounds.MOST_UNITS) {
      throw new BadArgumentException("state");
    }
    return endUs <= nowUs ? unused(nowUs) : open(endUs, used, nowUs);
  }

  private TierLevel open(long endUs, long used, long nowUs) {
    long latest = nowUs + windowUs;
    return new WindowLevel(this, nowUs, Math.min(endUs, latest), used, endUs > latest);
  }
}
