package io.github.penstock.simulator.log;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.record.FieldNames;
import io.github.penstock.simulator.record.FormatGuess;
import io.github.penstock.simulator.record.LogFormat;
import io.github.penstock.simulator.record.RecordFields;
import io.github.penstock.simulator.record.RecordFormat;
import io.github.penstock.simulator.record.RowFilter;
import io.github.penstock.simulator.record.TimeText;
import io.github.penstock.simulator.record.UnreadableRecordException;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.List;
import java.util.function.Consumer;

/** Makes requests of records, and counts both. Not safe for use by several threads. */
final class LogRequestReader implements LogReader {
  private static final int HOPELESS = 10_000;
  private final LogSettings settings;
  private final LogCount count;
  private final Consumer<TrafficRequest> requests;
  private FieldNames names = new FieldNames();
  private TimeText times;

  /** Gives each request of a log, in the log's order. */
  LogRequestReader(LogSettings settings, LogCount count, Consumer<TrafficRequest> requests) {
    this.settings = settings;
    this.count = count;
    this.requests = requests;
    times = settings.times();
  }

  @Override
  public RecordFormat begin(String file, List<String> beginning) {
    names = new FieldNames();
    times = settings.times();
    LogFormat known = FormatGuess.of(file, beginning, settings.format());
    count.format(file, known.title());
    return settings.format() == null
        ? FormatGuess.mixed(known, settings.columns())
        : known.records(settings.columns());
  }

  @Override
  public void read(RecordFields fields) throws UnreadableRecordException {
    for (RowFilter each : settings.where()) {
      if (!each.keeps(fields, names)) {
        count.add(Kind.LEFT_OUT);
        return;
      }
    }
    String time = settings.time(fields, names);
    if (time == null) {
      throw new UnreadableRecordException(
          "no time: docker logs -t and kubectl logs --timestamps write one before each line");
    }
    long timeUs = times.micros(time);
    long cost = settings.cost().of(fields, names);
    String subject = settings.subject().of(fields, names);
    if (subject == null) {
      count.add(Kind.WITHOUT_SUBJECT);
      return;
    }
    if (hasHalfAPair(subject)) {
      throw new UnreadableRecordException("the subject has half of a surrogate pair");
    }
    TrafficRequest request = new TrafficRequest(timeUs, subject, Math.max(1, cost));
    count.add(Kind.WITHOUT_ZONE, times.withoutZone() ? 1 : 0);
    count.add(Kind.IN_REPEATED_HOUR, times.twice() ? 1 : 0);
    count.add(Kind.FROM_ZERO, times.fromZero() ? 1 : 0);
    count.add(Kind.WITHOUT_COST, cost == 0 ? 1 : 0);
    count.add(Kind.DENIED_BEFORE, RowFilter.DENIED.isIn(fields, names) ? 1 : 0);
    count.read(request, fields.beforeAddress());
    requests.accept(request);
  }

  private static boolean hasHalfAPair(String subject) {
    for (int i = 0; i < subject.length(); i++) {
      if (Character.isSurrogate(subject.charAt(i))) {
        return subject.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE);
      }
    }
    return false;
  }

  @Override
  public void unreadable(String file, long line, String reason) {
    count.unreadable(file, line, reason);
    if (count.of(Kind.REQUESTS) == 0 && count.of(Kind.UNREADABLE) == HOPELESS) {
      throw new UserErrorException(
          ("none of the first %d lines of %s can be read: %s. Check --format, --columns, --time,"
                  + " --time-format, --subject and --cost.")
              .formatted(HOPELESS, file, reason));
    }
  }

  @Override
  public void cutShort(String file, String reason) {
    count.cutShort(file, reason);
  }
}
