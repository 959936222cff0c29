package io.github.penstock.benchmarks.result;

import static io.github.penstock.report.ReportFiles.fields;

import io.github.penstock.benchmarks.plan.ReservationCase;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The fields of {@code measured} in bench.json, as benchmarks/README.md documents them. */
public final class BenchmarkJson {
  private BenchmarkJson() {}

  /** All figures; one whose value is null is left out. */
  public static Map<String, Object> of(BenchmarkResults results) {
    return fields(
        "scripts", all(results.scripts(), BenchmarkJson::script),
        "reservations", all(List.copyOf(results.reservations().entrySet()), BenchmarkJson::call),
        "server", all(results.server(), BenchmarkJson::use),
        "growth", all(results.growth(), BenchmarkJson::point),
        "nearCosts", all(results.nearCosts(), BenchmarkJson::cost),
        "clients", all(results.clients(), BenchmarkJson::client));
  }

  private static Map<String, Object> client(MeasuredCase measured) {
    return fields(
        "question", measured.what().question().name(),
        "what", measured.what().candidate().title(),
        "client", measured.what().client().title(),
        "workload", measured.what().workload().name(),
        "tiers", measured.what().tiers(),
        "threads", measured.what().threads(),
        "oneProcessor", measured.oneProcessor(),
        "perSecond", measured.perSecond(),
        "p50Micros", measured.p50Micros(),
        "p99Micros", measured.p99Micros(),
        "p999Micros", measured.p999Micros(),
        "bytesPerCall", measured.bytesPerCall(),
        "tripsPerCall", measured.tripsPerCall(),
        "turns", measured.turns(),
        "problem", measured.problem());
  }

  private static Map<String, Object> cost(NearCost cost) {
    return fields(
        "subjects", cost.subjects(),
        "remembering", cost.remembering(),
        "nanos", cost.nanos(),
        "bytesPerCall", cost.bytesPerCall());
  }

  private static Map<String, Object> script(ScriptCost cost) {
    return fields(
        "what", cost.call().candidate().title(),
        "form", cost.call().form().title(),
        "tiers", cost.call().tiers(),
        "allowed", cost.call().allowed(),
        "micros", cost.micros());
  }

  private static Map<String, Object> call(Map.Entry<ReservationCase, Double> cost) {
    ReservationCase call = cost.getKey();
    return fields(
        "what",
        call.title(),
        "scripts",
        call.scripts(),
        "keys",
        call.keys(),
        "micros",
        cost.getValue());
  }

  private static Map<String, Object> use(ServerUse use) {
    return fields(
        "what", use.what().candidate().title(),
        "client", use.what().client().title(),
        "workload", use.what().workload().name(),
        "commandMicros", use.commandMicros(),
        "processMicros", use.processMicros(),
        "commands", use.commands(),
        "bytesIn", use.bytesIn(),
        "bytesOut", use.bytesOut(),
        "bytesReplicated", use.bytesReplicated(),
        "bytesPerKey", use.bytesPerKey(),
        "bytesPerKeyLater", use.bytesPerKeyLater(),
        "problem", use.problem());
  }

  private static Map<String, Object> point(GrowthPoint point) {
    return fields(
        "with", point.with().name().toLowerCase(Locale.ROOT),
        "what", point.what().title(),
        "size", point.size(),
        "micros", point.micros(),
        "perSecond", point.perSecond());
  }

  private static <T> List<Map<String, Object>> all(
      List<T> list, Function<T, Map<String, Object>> fields) {
    return list.stream().map(fields).toList();
  }
}
