package io.github.penstock.compat.reservation;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.compat.vectors.VectorWriter;
import io.github.penstock.testkit.model.StoredValue;
import io.github.penstock.testkit.reservation.ReservationModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Fills in the results of the calls in {@code reservation.json}, from the model. A step may have
 * only {@code script}, {@code keys} and {@code args}, and {@code before} for the values that it
 * finds.
 */
public final class ReservationFiller {
  private static final Gson GSON = new Gson();

  private ReservationFiller() {}

  /** The text of the file, with the results that the model expects. */
  public static String filled(String json) {
    JsonObject file = JsonParser.parseString(json).getAsJsonObject();
    List<String> sequences = new ArrayList<>();
    for (JsonElement each : file.getAsJsonArray("sequences")) {
      JsonObject sequence = each.getAsJsonObject();
      String name = sequence.get("name").getAsString();
      ReservationModel model = new ReservationModel();
      List<JsonObject> steps = new ArrayList<>();
      for (JsonElement step : sequence.getAsJsonArray("steps")) {
        steps.add(played(model, step.getAsJsonObject()));
      }
      List<String> rules = new ReservationVectors.Sequence(name, List.of()).rules();
      sequences.add(VectorWriter.sequence(name, rules, "model", steps));
    }
    return VectorWriter.text(file.get("script").getAsString(), sequences);
  }

  private static JsonObject played(ReservationModel model, JsonObject call) {
    ReservationStep step =
        ReservationStep.on(
            model,
            ReservationVectors.before(call),
            call.get("script").getAsString(),
            ReservationVectors.texts(call, "keys"),
            ReservationVectors.texts(call, "args"));
    JsonObject json = new JsonObject();
    json.addProperty("script", step.script());
    if (!step.before().isEmpty()) {
      json.add("before", values(step.before()));
    }
    json.add("keys", GSON.toJsonTree(step.keys()));
    json.add("args", GSON.toJsonTree(step.arguments()));
    if (step.error() == null) {
      json.add("reply", GSON.toJsonTree(step.reply()));
    } else {
      json.addProperty("error", step.error());
    }
    json.add("written", GSON.toJsonTree(step.written()));
    json.add("stored", values(step.stored()));
    return json;
  }

  private static JsonObject values(Map<String, StoredValue> values) {
    JsonObject json = new JsonObject();
    values.forEach((key, value) -> json.add(key, VectorWriter.stored(value)));
    return json;
  }
}
