package io.github.penstock.simulator.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lines of UTF-8 of at most {@value #LONGEST} bytes; a longer one is passed over without keeping
 * it, and so are zeros at the beginning of one. Not safe for use by several threads.
 */
final class LogLines {
  static final int LONGEST = 1 << 18;
  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(1 << 10);
  private int at;
  private int end;
  private long number;
  private boolean tooLong;

  public LogLines(InputStream in) {
    this.in = in;
  }

  /** The next line without its end; null after the last; empty for one that is too long. */
  @Nullable String next() throws IOException {
    line.reset();
    tooLong = false;
    boolean any = false;
    while (at < end || fill()) {
      any = true;
      int stop = at;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      keep(stop - at);
      boolean complete = stop < end;
      at = complete ? stop + 1 : stop;
      if (complete) {
        break;
      }
    }
    if (!any) {
      return null;
    }
    number++;
    return tooLong ? "" : text();
  }

  /** The number of the line that {@link #next} gave, from 1. */
  public long number() {
    return number;
  }

  /** Returns whether the line that {@link #next} gave was too long. */
  public boolean tooLong() {
    return tooLong;
  }

  /* Where a log is cut off while it is written to, the next line begins with a hole of zeros, however large. */
  private void keep(int length) {
    int from = at;
    while (line.size() == 0 && from < at + length && buffer[from] == 0) {
      from++;
    }
    int kept = at + length - from;
    if (tooLong || line.size() + kept > LONGEST) {
      tooLong = true;
      line.reset();
    } else {
      line.write(buffer, from, kept);
    }
  }

  private String text() {
    String text = line.toString(StandardCharsets.UTF_8);
    int from = number == 1 && text.startsWith("\ufeff") ? 1 : 0;
    int to = text.endsWith("\r") ? text.length() - 1 : text.length();
    return text.substring(Math.min(from, to), to);
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }
}
