package io.github.penstock.simulator.log;

import io.github.penstock.report.text.NumberText;
import io.github.penstock.simulator.record.AddressText;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts of the lines that were read, and of those that were not. Written by one thread, read when
 * it has ended.
 */
public final class LogCount {
  private static final int SHOWN = 5;
  private static final long SECOND_US = 1_000_000;
  private static final int MOST_PRIVATE = 1_000;
  private static final int MOST_PROXIES = 8;
  private static final double NEARLY_ALL = 0.95;
  private final long[] counts = new long[Kind.values().length];
  private final List<String> complaints = new ArrayList<>();
  private final List<String> cutShort = new ArrayList<>();
  private final List<String> formats = new ArrayList<>();
  private final Map<String, Long> fromPrivate = new HashMap<>();
  private boolean wholeSeconds = true;
  private String firstBefore = "";

  public enum Kind {
    REQUESTS,
    /** Those of subjects that are not in the sample, which were left out. */
    NOT_IN_SAMPLE,
    UNREADABLE,
    /** Lines that {@code --where} left out. */
    LEFT_OUT,
    /** Requests that a limit denied already: their status is 429. */
    DENIED_BEFORE,
    /** Requests that were left out because they name no subject. */
    WITHOUT_SUBJECT,
    /** Requests whose field for the cost is empty, which cost 1. */
    WITHOUT_COST,
    /** Lines that stood after a line of a later time, and were played where they belong. */
    PUT_IN_ORDER,
    /** Requests whose time names no zone. */
    WITHOUT_ZONE,
    /** Those of them whose time there was twice, as clocks were set back. */
    IN_REPEATED_HOUR,
    /** Requests whose time counts from the beginning of a trace. */
    FROM_ZERO,
    /** Requests with other words before their address. */
    WORDS_BEFORE_ADDRESS
  }

  void add(Kind kind) {
    add(kind, 1);
  }

  void add(Kind kind, long number) {
    counts[kind.ordinal()] += number;
  }

  /**
   * Counts a request.
   *
   * @param before the words that stand before its address; null if there are none
   */
  void read(TrafficRequest request, @Nullable String before) {
    add(Kind.REQUESTS);
    wholeSeconds &= request.timeUs() % SECOND_US == 0;
    if (fromPrivate.size() < MOST_PRIVATE && AddressText.isPrivate(request.subject())) {
      fromPrivate.merge(request.subject(), 1L, Long::sum);
    }
    if (before != null) {
      firstBefore = of(Kind.WORDS_BEFORE_ADDRESS) == 0 ? before : firstBefore;
      add(Kind.WORDS_BEFORE_ADDRESS);
    }
  }

  void unreadable(String file, long line, String reason) {
    add(Kind.UNREADABLE);
    if (complaints.size() < SHOWN) {
      complaints.add(file + ", line " + line + ": " + reason);
    }
  }

  void cutShort(String file, String reason) {
    cutShort.add(file + " is incomplete: " + reason);
  }

  void format(String file, String format) {
    formats.add(file + ": " + format);
  }

  /** The words that stand before the first address that has some. */
  public String firstBefore() {
    return firstBefore;
  }

  public long of(Kind kind) {
    return counts[kind.ordinal()];
  }

  /**
   * Returns possible proxies in place of clients: the private addresses, at most {@value
   * #MOST_PROXIES}, that make nearly all of the requests; empty if there are none.
   */
  public String proxies() {
    List<Map.Entry<String, Long>> most =
        fromPrivate.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(MOST_PROXIES)
            .toList();
    long theirs = most.stream().mapToLong(Map.Entry::getValue).sum();
    if (theirs == 0 || theirs < NEARLY_ALL * of(Kind.REQUESTS)) {
      return "";
    }
    return NumberText.percent(theirs, of(Kind.REQUESTS))
        + " of the requests come from "
        + most.stream().map(Map.Entry::getKey).collect(Collectors.joining(", "));
  }

  public List<String> formats() {
    return Collections.unmodifiableList(formats);
  }

  /** The first {@value #SHOWN} lines that could not be read, with file, line and reason. */
  public List<String> complaints() {
    return Collections.unmodifiableList(complaints);
  }

  public List<String> cutShort() {
    return Collections.unmodifiableList(cutShort);
  }

  /** Returns whether the log's times are whole seconds. */
  public boolean wholeSeconds() {
    return of(Kind.REQUESTS) > 0 && wholeSeconds;
  }
}
