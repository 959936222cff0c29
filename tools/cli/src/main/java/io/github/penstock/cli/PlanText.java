package io.github.penstock.cli;

import static io.github.penstock.report.ReportFiles.fields;

import io.github.penstock.operations.capacity.CapacityPlan;
import io.github.penstock.operations.capacity.FilledServer;
import io.github.penstock.operations.capacity.LimitFootprint;
import io.github.penstock.operations.capacity.MeasuredMemory;
import io.github.penstock.report.console.LineWrap;
import io.github.penstock.report.table.FigureKind;
import io.github.penstock.report.table.ResultTable;
import io.github.penstock.report.text.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A plan for people, and as values for JSON. Not safe for use by several threads. */
final class PlanText {
  private static final double GB = 1e9;
  private static final int BITS = 8;
  private static final int MILLION = 1_000_000;
  private static final int CLIENTS = 10_000;
  private final long held;
  private CapacityPlan plan;
  private CapacityPlan atBest;
  private String source;
  private double batchMicros;
  private final List<String> checkedLines = new ArrayList<>();
  private @Nullable Map<String, Object> checkedValues;

  /**
   * Of a plan.
   *
   * @param held reservations that are held at the same time
   */
  PlanText(CapacityPlan plan, long held) {
    this.plan = plan;
    this.held = held;
    atBest = plan;
    source = plan.micros() == CapacityPlan.ASSUMED_MICROS ? "assumed" : "as given";
  }

  /** Plans with the measured cost of a call in a batch, times the ratio for a single call. */
  PlanText taking(double micros) {
    batchMicros = micros;
    source = "measured";
    atBest = plan.taking(CapacityPlan.LEAST_BY_ITSELF * micros);
    plan = plan.taking(CapacityPlan.MOST_BY_ITSELF * micros);
    return this;
  }

  /** Adds the measurements of a filled server to the plan. */
  PlanText checked(String server, FilledServer filled) {
    double planned = plan.subjects() * plan.subjectBytes(MeasuredMemory.of(server));
    double off = 100 * (planned - filled.bytes()) / filled.bytes();
    checkedLines.add("Checked on " + server);
    checkedLines.addAll(
        new ResultTable<PlanRow>(
                "Checked",
                List.of(
                    new PlanRow("bytes a subject", each(planned), each(filled.bytes())),
                    new PlanRow("µs a call, in batches", "", NumberText.tenths(filled.micros()))))
            .words("", PlanRow::name)
            .figure("planned", FigureKind.WRITTEN, PlanRow::figure)
            .figure("measured", FigureKind.WRITTEN, PlanRow::beside)
            .lines());
    checkedLines.addAll(
        LineWrap.lines(
            "The plan is off by %s %%. It takes the next longer row of docs/scale.md: up to 32 bytes a subject too many."
                .formatted(NumberText.of(off, "+0.0;-0.0"))));
    checkedValues =
        fields(
            "server", server,
            "used_memory_bytes", filled.bytes(),
            "planned_bytes", Math.round(planned),
            "off_by_percent", off,
            "micros_in_batches", filled.micros());
    return this;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (LimitFootprint each : plan.limits()) {
      lines.addAll(
          LineWrap.lines(
              "%s: a name of %d bytes and a state of up to %d"
                  .formatted(each.limit(), each.keyBytes(), each.stateBytes())));
    }
    lines.add("");
    lines.add(
        "Memory of " + NumberText.count(plan.subjects(), "subject") + ", from measured sizes");
    lines.addAll(memory().lines());
    lines.add("");
    if (held > 0) {
      lines.add(
          "Memory of " + NumberText.count(held, "reservation") + " held, from measured sizes");
      lines.addAll(reservations().lines());
      lines.add("");
    }
    lines.add("Load of " + NumberText.count(plan.perSecond()) + " requests a second");
    lines.addAll(load().lines());
    lines.add("");
    notes().forEach(note -> lines.addAll(LineWrap.lines(note)));
    if (!checkedLines.isEmpty()) {
      lines.add("");
      lines.addAll(checkedLines);
    }
    return lines;
  }

  Map<String, Object> values() {
    return fields(
        "limits", plan.limits().stream().map(PlanText::values).toList(),
        "subjects", plan.subjects(),
        "per_second", plan.perSecond(),
        "processes", plan.processes(),
        "memory", memory().json(),
        "reservations", held > 0 ? reservations().json() : null,
        "request_micros", plan.requestMicros(),
        "request_micros_at_best", atBest.requestMicros(),
        "servers", plan.servers(),
        "per_second_of_a_server", plan.perSecondOfServer(),
        "wire_bytes_of_a_request", plan.wireBytes(),
        "framed_bytes_of_a_request", plan.framedBytes(),
        "replicated_bytes_of_a_request", plan.replicatedBytes(),
        "checked", checkedValues);
  }

  private static Map<String, Object> values(LimitFootprint limit) {
    return Map.of(
        "limit", limit.limit().toString(),
        "key_bytes", limit.keyBytes(),
        "state_bytes", limit.stateBytes());
  }

  private ResultTable<MeasuredMemory> memory() {
    return new ResultTable<MeasuredMemory>("Memory", MeasuredMemory.all())
        .words("server", MeasuredMemory::server)
        .field("server")
        .figure("bytes a subject", FigureKind.COUNT, plan::subjectBytes)
        .figure("GB in all", FigureKind.HUNDREDTHS, on -> bytes(on) / GB)
        .field("bytes", on -> Math.round(bytes(on)));
  }

  private ResultTable<MeasuredMemory> reservations() {
    return new ResultTable<MeasuredMemory>("Reservations", MeasuredMemory.all())
        .words("server", MeasuredMemory::server)
        .field("server")
        .figure("bytes, all under one key", FigureKind.COUNT, on -> on.held().get(0))
        .field("bytes_under_one_key")
        .figure("bytes, a key each", FigureKind.COUNT, on -> on.held().get(1))
        .field("bytes_with_a_key_each")
        .figure("GB in all, a key each", FigureKind.HUNDREDTHS, on -> held * on.held().get(1) / GB);
  }

  private double bytes(MeasuredMemory on) {
    return plan.subjects() * plan.subjectBytes(on);
  }

  private record PlanRow(String name, String figure, String beside) {}

  private ResultTable<PlanRow> load() {
    String onOne = span(each -> count(each.perSecondOfServer()));
    List<PlanRow> rows =
        List.of(
            new PlanRow(
                "µs of a server's thread for a request",
                span(each -> NumberText.tenths(each.requestMicros())),
                source),
            workedOut("servers, each thread busy to 60 %", span(each -> count(each.servers()))),
            workedOut("requests a second on one server", onOne),
            workedOut("... and of one subject, at most", onOne),
            workedOut("Mbit/s, calls in batches", megabits(plan.wireBytes())),
            workedOut("Mbit/s, each call by itself", megabits(plan.framedBytes())),
            workedOut("MB/s to each replica, and to the AOF", megabytes()),
            workedOut(
                "connections, one a process and server",
                span(each -> count(each.processes() * each.servers()))));
    return new ResultTable<PlanRow>("Load", rows)
        .words("", PlanRow::name)
        .figure("", FigureKind.WRITTEN, PlanRow::figure)
        .figure("", FigureKind.WRITTEN, PlanRow::beside);
  }

  private static PlanRow workedOut(String name, String figure) {
    return new PlanRow(name, figure, "worked out");
  }

  private String span(Function<CapacityPlan, String> figure) {
    String best = figure.apply(atBest);
    String worst = figure.apply(plan);
    return best.equals(worst) ? best : best + " to " + worst;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (batchMicros > 0) {
      notes.add(
          "A call took %s µs in batches on this machine. By itself it takes 2 to 3.5 times as much (docs/scale.md); the load is planned for both."
              .formatted(NumberText.tenths(batchMicros)));
    }
    notes.add(
        "Memory was measured with a million keys; the share of the tables is up to 17 bytes more or"
            + " less with other numbers of keys. Leave as much again for a fork that saves and for"
            + " tables that grow.");
    if ((double) plan.processes() > CLIENTS) {
      notes.add("More than maxclients, 10,000 by default, connect to each server: raise it.");
    }
    if (plan.servers() > 1) {
      notes.add(
          "A subject that asks for more than one server's requests needs leases, or parts of its"
              + " limit under several names: docs/scale.md.");
    }
    return notes;
  }

  private String each(double bytes) {
    return NumberText.tenths(bytes / plan.subjects());
  }

  private String megabits(long bytes) {
    return NumberText.tenths((double) bytes * plan.perSecond() * BITS / MILLION);
  }

  private String megabytes() {
    return NumberText.tenths((double) plan.replicatedBytes() * plan.perSecond() / MILLION);
  }

  private static String count(long number) {
    return NumberText.count(number);
  }
}
