package io.github.penstock.benchmarks.compare.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** What was read of logs, and what was not. Written by one thread, read when it has ended. */
public final class LogCount {
  private static final int SHOWN = 5;
  private static final long SECOND_US = 1_000_000;
  private final List<String> complaints = new ArrayList<>();
  private final List<String> cutShort = new ArrayList<>();
  private final List<String> formats = new ArrayList<>();
  private long requests;
  private long unreadable;
  private long withoutSubject;
  private long withoutCost;
  private long sorted;
  private long late;
  private boolean wholeSeconds = true;

  void request(long timeUs) {
    requests++;
    wholeSeconds &= timeUs % SECOND_US == 0;
  }

  void unreadable(String file, long line, String reason) {
    unreadable++;
    if (complaints.size() < SHOWN) {
      complaints.add(file + ", line " + line + ": " + reason);
    }
  }

  void addWithoutSubject() {
    withoutSubject++;
  }

  void addWithoutCost() {
    withoutCost++;
  }

  void cutShort(String file, String reason) {
    cutShort.add(file + " ends before its end: " + reason);
  }

  void addSorted() {
    sorted++;
  }

  void addLate() {
    late++;
  }

  void format(String file, LogFormat format) {
    formats.add(file + ": " + format.title());
  }

  /** How each file is written. */
  public List<String> formats() {
    return Collections.unmodifiableList(formats);
  }

  /** Lines that held a request. */
  public long requests() {
    return requests;
  }

  /** Lines that could not be read. */
  public long unreadable() {
    return unreadable;
  }

  /**
   * The first {@value #SHOWN} of them, with file, line and reason, and files that end too early.
   */
  public List<String> complaints() {
    return Stream.concat(complaints.stream(), cutShort.stream()).toList();
  }

  /** Of {@link #complaints} those about files that end too early. */
  public List<String> cutShort() {
    return Collections.unmodifiableList(cutShort);
  }

  /** Requests that were left out because nobody is named whom they belong to. */
  public long withoutSubject() {
    return withoutSubject;
  }

  /** Requests whose field for the cost is empty, which cost 1. */
  public long withoutCost() {
    return withoutCost;
  }

  /** Lines that stood after a line of a later time, and were played where they belong. */
  public long sorted() {
    return sorted;
  }

  /** Lines that came too late for that, and were played at the time reached. */
  public long late() {
    return late;
  }

  /** Whether the log tells no more than seconds. */
  public boolean wholeSeconds() {
    return requests > 0 && wholeSeconds;
  }
}
