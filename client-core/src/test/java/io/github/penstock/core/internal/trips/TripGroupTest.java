package io.github.penstock.core.internal.trips;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.penstock.core.internal.trips.TripGroup.Member;
import io.github.penstock.core.internal.trips.TripOutcome.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Plays {@code trips.json}: rules C1 to C5, on a moved clock. */
class TripGroupTest {
  private static final double MILLI = 1e6;

  static Stream<Arguments> histories() throws IOException {
    JsonObject file =
        new Gson()
            .fromJson(Files.readString(Path.of("../lua/vectors/trips.json")), JsonObject.class);
    AtomicInteger number = new AtomicInteger();
    return StreamSupport.stream(file.getAsJsonArray("histories").spliterator(), false)
        .map(each -> Arguments.of(number.getAndIncrement(), each.getAsJsonObject()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("histories")
  void c1ToC5(int number, JsonObject history) {
    Play play = new Play(history.get("cost").getAsLong());
    history.getAsJsonArray("in").forEach(step -> play.step(step.getAsJsonObject()));
    List<String> expected = new ArrayList<>();
    for (JsonElement each : history.getAsJsonArray("out")) {
      JsonObject done = each.getAsJsonObject();
      expected.add(
          done.get("at_ms").getAsDouble()
              + (done.has("goes_alone")
                  ? " goes alone " + done.get("goes_alone")
                  : done.has("ends")
                      ? " ends " + done.get("ends") + " " + outcome(done.get("outcome"))
                      : " sends "
                          + done.get("sends")
                          + done.get("commands")
                          + done.get("by_source").getAsBoolean()));
    }
    assertThat(play.done).containsExactlyElementsOf(expected);
  }

  private static TripOutcome outcome(JsonElement written) {
    if (written.isJsonArray()) {
      return TripOutcome.of(
          StreamSupport.stream(written.getAsJsonArray().spliterator(), false)
              .map(JsonElement::getAsLong)
              .toList());
    }
    JsonObject failure = written.getAsJsonObject();
    JsonElement ran = failure.get("ran");
    boolean needsSource = failure.has("needs_source") && failure.get("needs_source").getAsBoolean();
    Ran meant =
        ran == null || ran.isJsonNull() ? Ran.MAYBE : ran.getAsBoolean() ? Ran.ENDED : Ran.NO;
    return TripOutcome.of(meant, failure.get("error").getAsString(), needsSource);
  }

  private static final class NumberedCall extends Member {
    private final int number;

    NumberedCall(int number) {
      this.number = number;
    }
  }

  /** One history. */
  private static final class Play implements TripGroup.Driver<NumberedCall> {
    private final TripGroup<NumberedCall> group;
    private final Map<Integer, NumberedCall> calls = new TreeMap<>();
    private final List<SharedTrip<NumberedCall>> trips = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private double atMillis;

    Play(long cost) {
      group = new TripGroup<>(cost, this, 0);
    }

    void step(JsonObject step) {
      atMillis = step.get("at_ms").getAsDouble();
      long now = (long) (atMillis * MILLI);
      SharedTrip<NumberedCall> alone = step.has("begins") ? group.goesAlone(now) : null;
      if (alone != null) {
        trips.add(alone);
        done.add(atMillis + " goes alone " + step.get("begins"));
      } else if (step.has("begins") || step.has("enters")) {
        int number = step.get(step.has("begins") ? "begins" : "enters").getAsInt();
        calls.put(number, new NumberedCall(number));
        group.enter(calls.get(number), now);
      } else if (step.has("leaves")) {
        group.leave(calls.get(step.get("leaves").getAsInt()));
      } else if (step.has("cancels")) {
        group.cancel(calls.get(step.get("cancels").getAsInt()));
      } else if (step.has("answered")) {
        List<TripOutcome> outcomes =
            StreamSupport.stream(step.getAsJsonArray("outcomes").spliterator(), false)
                .map(TripGroupTest::outcome)
                .toList();
        group.answered(trips.get(step.get("answered").getAsInt() - 1), outcomes, now);
      } else {
        group.advance(now);
      }
    }

    @Override
    public void send(SharedTrip<NumberedCall> trip) {
      trips.add(trip);
      String numbers = new Gson().toJson(trip.calls().stream().map(call -> call.number).toList());
      String commands = new Gson().toJson(trip.commands());
      done.add(atMillis + " sends " + numbers + commands + trip.bySource());
    }

    @Override
    public void end(NumberedCall call, TripOutcome outcome) {
      done.add(atMillis + " ends " + call.number + " " + outcome);
    }
  }
}
