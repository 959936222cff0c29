package io.github.penstock.simulator.log;

import io.github.penstock.simulator.log.LogCount.Kind;
import io.github.penstock.simulator.log.LogRecords.RawRecord;
import io.github.penstock.simulator.record.FieldNames;
import io.github.penstock.simulator.record.RecordFields;
import io.github.penstock.simulator.record.RecordFormat;
import io.github.penstock.simulator.record.RowFilter;
import io.github.penstock.simulator.record.SubjectRule.Role;
import io.github.penstock.simulator.record.TimeText;
import io.github.penstock.simulator.record.UnreadableRecordException;
import io.github.penstock.simulator.traffic.TrafficRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests of records. Batches may be parsed by several threads once the format is settled;
 * the state that a batch inherits from the records before it is passed to it, and any change is
 * reported.
 */
final class RecordParser {
  private final LogSettings settings;
  private final RecordFormat format;
  private final TimeText times;

  RecordParser(LogSettings settings, RecordFormat format) {
    this.settings = settings;
    this.format = format;
    this.times = new TimeText(settings.timeFormat(), settings.zone());
  }

  /**
   * The remembered state of records: the content of their fields, and the last time.
   *
   * @param names fixed from now on
   */
  record Memory(FieldNames names, long lastUs) {
    static final Memory NOTHING = new Memory(new FieldNames(), 0);
  }

  /**
   * Records that were parsed.
   *
   * @param raw the records
   * @param records those that are not blank and no header
   * @param before the state before them
   * @param after the state after them
   * @param dated whether their times depend on the time before them
   */
  record Batch(
      List<RawRecord> raw, List<ParsedRecord> records, Memory before, Memory after, boolean dated) {
    /** Returns whether they would be parsed to the same after other records. */
    boolean holdsAfter(Memory memory) {
      return before.names.equals(memory.names) && (!dated || before.lastUs == memory.lastUs);
    }
  }

  /** Returns whether the format no longer depends on earlier records. */
  boolean isSettled() {
    return format.isSettled();
  }

  Batch parse(List<RawRecord> raw, Memory before) {
    FieldNames names = new FieldNames(before.names);
    TimeText time = times.after(before.lastUs);
    List<ParsedRecord> parsed = new ArrayList<>(raw.size());
    for (RawRecord each : raw) {
      ParsedRecord record = parse(each, names, time);
      if (record != null) {
        parsed.add(record);
      }
    }
    return new Batch(raw, parsed, before, new Memory(names, time.lastUs()), time.isDated());
  }

  private @Nullable ParsedRecord parse(RawRecord raw, FieldNames names, TimeText time) {
    if (raw.unreadable() != null) {
      return ParsedRecord.unreadable(raw.line(), raw.unreadable());
    }
    try {
      RecordFields fields = format.read(raw.text());
      return fields == null ? null : parse(raw.line(), fields, names, time);
    } catch (UnreadableRecordException reason) {
      return ParsedRecord.unreadable(raw.line(), reason.reason());
    }
  }

  private ParsedRecord parse(long line, RecordFields fields, FieldNames names, TimeText time)
      throws UnreadableRecordException {
    for (RowFilter each : settings.where()) {
      if (!each.keeps(fields, names)) {
        return ParsedRecord.without(line, Kind.LEFT_OUT);
      }
    }
    String text =
        settings.time() == null
            ? names.value(fields, Role.TIME)
            : names.field(fields, settings.time());
    if (text == null) {
      throw new UnreadableRecordException(
          "no time: docker logs -t and kubectl logs --timestamps write one before each line");
    }
    long timeUs = time.micros(text);
    long cost = settings.cost().of(fields, names);
    String subject = settings.subject().of(fields, names);
    if (subject == null) {
      return ParsedRecord.without(line, Kind.WITHOUT_SUBJECT);
    }
    if (hasHalfAPair(subject)) {
      throw new UnreadableRecordException("the subject has half of a surrogate pair");
    }
    TrafficRequest request = new TrafficRequest(timeUs, subject, Math.max(1, cost));
    Set<Kind> counted = EnumSet.noneOf(Kind.class);
    add(counted, Kind.WITHOUT_ZONE, time.withoutZone());
    add(counted, Kind.IN_REPEATED_HOUR, time.twice());
    add(counted, Kind.FROM_ZERO, time.fromZero());
    add(counted, Kind.WITHOUT_COST, cost == 0);
    add(counted, Kind.DENIED_BEFORE, RowFilter.DENIED.isIn(fields, names));
    return new ParsedRecord(line, request, null, counted, fields.beforeAddress());
  }

  private static void add(Set<Kind> to, Kind kind, boolean holds) {
    if (holds) {
      to.add(kind);
    }
  }

  private static boolean hasHalfAPair(String subject) {
    for (int i = 0; i < subject.length(); i++) {
      if (Character.isSurrogate(subject.charAt(i))) {
        return subject.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE);
      }
    }
    return false;
  }
}
