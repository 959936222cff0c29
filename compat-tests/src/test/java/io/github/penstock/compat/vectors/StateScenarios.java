package io.github.penstock.compat.vectors;

import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.List;

/** A key that holds something already: ours, somebody else's, without a time to live. */
final class StateScenarios {
  private static final List<String> NEVER_OURS =
      List.of(
          "",
          " ",
          "17",
          "abc",
          "nan",
          "inf",
          "-1",
          "1e15",
          "1.7e15",
          "1e00000000000015",
          "0x60a24181e4000",
          "1700000000000000.0",
          "+1700000000000000",
          " 1700000000000000",
          "1700000000000000 ",
          "17000000000000000",
          "999999999999999",
          "9007199254740992",
          "0999999999999999",
          "1700000000000000\n",
          "1700000000000000\u0000",
          "{\"used\":1}");
  private static final List<String> NO_BUCKETS =
      List.of(
          "00",
          "-0",
          "0+1",
          "0+0",
          "1700000000000000+0",
          "1700000000000000+7",
          "1700000000000000+8",
          "1700000000000000+01",
          "1700000000000000+",
          "1700000000000000+-1",
          "1700000000000000+1.0",
          "1700000000000000+1e0",
          "1700000000000000+1+1",
          "1700000000000000++1",
          "01700000000000000+1",
          "0700000000000000+1",
          "17000000000000001",
          "+3",
          "1700000000000000:3",
          "0:0",
          "9007199254740992+1",
          "999999999999999+1",
          "1700000000000000 1700000000000000",
          "0 0",
          "1700000000000000+99999999999999999999");
  private static final List<String> NO_WINDOWS =
      List.of(
          "0",
          "1700000000000000",
          "0:1",
          "1700000001000000:0",
          "1700000001000000:01",
          "1700000001000000:-1",
          "1700000001000000:1.0",
          "1700000001000000:1e0",
          "1700000001000000:",
          ":1",
          "1700000001000000:1000000000001",
          "1700000001000000:1:1",
          "1700000001000000::1",
          "0700000000000000:1",
          "1700000001000000+1",
          "999999999999999:1",
          "9007199254740992:1",
          "00:0",
          "0:00",
          "1700000001000000:99999999999999999999",
          "1700000001000000:1 1700000001000000:1",
          "0:0 0:0");

  private static final List<String> NO_SLIDING_WINDOWS =
      List.of(
          "0",
          "0:0",
          "0:1:0",
          "0:0:1",
          "00:0:0",
          "0:00:0",
          "0:0:00",
          "1700000001000000",
          "1700000001000000:1",
          "1700000001000000:0:0",
          "1700000001000000:01:1",
          "1700000001000000:1:01",
          "1700000001000000:00:1",
          "1700000001000000:1:00",
          "1700000001000000:-1:1",
          "1700000001000000:1:-1",
          "1700000001000000:1.0:1",
          "1700000001000000:1:1e0",
          "1700000001000000::1",
          "1700000001000000:1:",
          ":1:1",
          "1700000001000000:1:1:1",
          "1700000001000000:1000000000001:0",
          "1700000001000000:0:1000000000001",
          "1700000001000000:99999999999999999999:1",
          "0700000000000000:1:1",
          "1700000001000000+1:1",
          "999999999999999:1:1",
          "9007199254740992:1:1",
          "1700000001000000:1:1 1700000001000000:1:1",
          "0:0:0 0:0:0");
  private static final List<String> NO_INTERVAL_BUCKETS =
      List.of(
          "0",
          "1700000000000000",
          "0:1",
          "1700000001000000:0",
          "1700000001000000:01",
          "1700000001000000:-1",
          "1700000001000000:1.0",
          "1700000001000000:1e0",
          "1700000001000000:",
          ":1",
          "1700000001000000:8",
          "1700000001000000:1:1",
          "1700000001000000::1",
          "0700000000000000:1",
          "1700000001000000+1",
          "999999999999999:1",
          "9007199254740992:1",
          "00:0",
          "0:00",
          "1700000001000000:99999999999999999999",
          "1700000001000000:1 1700000001000000:1",
          "0:0 0:0");

  private StateScenarios() {}

  static void addTo(SequenceScenarios scenarios) {
    String tier = scenarios.isWindow() ? "7 3000000" : "7 7 3000000";
    String field =
        switch (scenarios.algorithm()) {
          case FIXED_WINDOW, INTERVAL_BUCKET -> "1700000002000000:3";
          case SLIDING_WINDOW -> "1700000002000000:3:2";
          case TOKEN_BUCKET, LEAKY_BUCKET -> "1700000002000000+5";
        };
    String unused =
        switch (scenarios.algorithm()) {
          case FIXED_WINDOW, INTERVAL_BUCKET -> "0:0";
          case SLIDING_WINDOW -> "0:0:0";
          case TOKEN_BUCKET, LEAKY_BUCKET -> "0";
        };
    foreign(scenarios, tier);
    foreignTiers(scenarios, tier, field, unused);
    scenarios.add(
        "P6 a key of another type is the server's own error",
        s -> s.tiers(tier).before(StoredValue.LIST).call(1, 0, -1));
    scenarios.add(
        "P5 a charge gives a key its time to live back",
        s -> s.tiers(tier).before(StoredValue.string(field, StoredValue.ENDLESS)).call(1));
    scenarios.add(
        "P5 P10 a refund gives a key its time to live back",
        s -> s.tiers(tier).before(StoredValue.string(field, StoredValue.ENDLESS)).call(-1));
    scenarios.add(
        "P2 P5 a peek and a denied call leave a key without a time to live alone",
        s -> s.tiers(tier).before(StoredValue.string(field, StoredValue.ENDLESS)).call(0, 7, 8));
    scenarios.add(
        "P2 a peek and a denied call leave value and time to live alone",
        s -> s.tiers(tier).before(field).call(0, 7, 8));
    scenarios.add(
        "P5 P7 a state that has stopped mattering is like no state",
        s -> s.tiers(tier).at(1_700_000_010_000_000L).before(field).call(0, 7));
    scenarios.add(
        "P10 a refund removes a state that has stopped mattering",
        s -> s.tiers(tier).at(1_700_000_010_000_000L).before(field).call(-1));
    scenarios.add(
        "P5 a value of ours says that nothing is used, but the key is there",
        s -> s.tiers(tier).before(unused).call(0).before(unused).call(-1).before(unused).call(1));
    edges(scenarios, tier);
  }

  private static void foreign(SequenceScenarios scenarios, String tier) {
    List<String> values = new ArrayList<>(NEVER_OURS);
    values.addAll(
        switch (scenarios.algorithm()) {
          case FIXED_WINDOW -> NO_WINDOWS;
          case SLIDING_WINDOW -> NO_SLIDING_WINDOWS;
          case TOKEN_BUCKET, LEAKY_BUCKET -> NO_BUCKETS;
          case INTERVAL_BUCKET -> NO_INTERVAL_BUCKETS;
        });
    scenarios.add(
        "P6 a value that is not ours is an error and stays",
        s -> {
          s.tiers(tier);
          values.forEach(value -> s.before(value).call(1, 0, -7));
          return s;
        });
  }

  private static void foreignTiers(
      SequenceScenarios scenarios, String tier, String field, String unused) {
    List<String> values =
        List.of(
            field,
            field + " " + field + " " + field,
            field + "  " + field,
            " " + field + " " + field,
            field + " " + field + " ",
            field + " 17",
            "17 " + field,
            field + "\n" + field,
            unused,
            " ",
            unused + " " + unused + " " + unused);
    scenarios.add(
        "P6 a value of another number of tiers is an error and stays",
        s -> {
          s.tiers(tier + " " + tier);
          values.forEach(value -> s.before(value).call(1, 0, -7));
          return s.before(field + " " + unused).call(1);
        });
  }

  private static void edges(SequenceScenarios scenarios, String tier) {
    String used =
        switch (scenarios.algorithm()) {
          case FIXED_WINDOW, INTERVAL_BUCKET -> ":7";
          case SLIDING_WINDOW -> ":7:7";
          case TOKEN_BUCKET, LEAKY_BUCKET -> "";
        };
    scenarios.add(
        "P9 the first and the last time that can be stored",
        s ->
            s.tiers(tier)
                .before("1000000000000000" + used)
                .call(0, 7)
                .before("9007199254740991" + used)
                .call(0, 7));
    switch (scenarios.algorithm()) {
      case FIXED_WINDOW ->
          scenarios.add(
              "P7 a count far over a limit that was lowered",
              s ->
                  s.tiers(tier)
                      .before("1700000001000000:1000000000000")
                      .call(0, 1, -5, -999_999_999_990L, 2));
      case SLIDING_WINDOW ->
          scenarios.add(
              "P3 P7 counts far over a limit that was lowered",
              s ->
                  s.tiers(tier)
                      .before("1700000001000000:1000000000000:1000000000000")
                      .call(0, 1)
                      .laterByWait()
                      .later(-1)
                      .call(1)
                      .later(1)
                      .call(1, -5, -999_999_999_990L, 2));
      case TOKEN_BUCKET, LEAKY_BUCKET ->
          scenarios.add(
              "P7 every remainder of a rate of 7",
              s -> {
                s.tiers(tier);
                for (int rest = 1; rest < 7; rest++) {
                  s.before("1700000000428571+" + rest).call(0, 1, 5);
                }
                return s;
              });
      case INTERVAL_BUCKET -> {}
    }
  }
}
