package io.github.penstock.compat.vectors;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.LimitKind;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Fills in the keys and arguments of the calls in {@code calls.json}, from the protocol. What
 * replies mean is written by hand, and not filled in.
 */
final class CallFiller {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
  private static final String CONCURRENCY = "concurrency";

  private CallFiller() {}

  /** The text of the file, one call or reply a line. */
  static String filled(String json) {
    JsonObject file = JsonParser.parseString(json).getAsJsonObject();
    for (JsonElement each : file.getAsJsonArray("calls")) {
      JsonObject call = each.getAsJsonObject();
      if (!call.has("error")) {
        fill(call);
      }
    }
    return List.of("calls", "replies", "settlements").stream()
        .map(list -> "  \"" + list + "\": [\n" + lines(file.getAsJsonArray(list)) + "\n  ]")
        .collect(Collectors.joining(",\n", "{\n  \"protocol\": 1,\n", "\n}\n"));
  }

  private static String lines(JsonArray list) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(each -> "    " + VectorWriter.ascii(GSON.toJson(each)))
        .collect(Collectors.joining(",\n"));
  }

  private static void fill(JsonObject call) {
    JsonArray keys = new JsonArray();
    JsonArray holding = new JsonArray();
    JsonArray arguments = new JsonArray();
    arguments.add(call.get("keep_us").getAsString());
    arguments.add("0");
    for (JsonElement each : call.getAsJsonArray("entries")) {
      JsonObject entry = each.getAsJsonObject();
      String key = key(call, entry);
      keys.add(key);
      if (text(entry, "mode").equals("reserve")) {
        holding.add(key);
      }
      arguments.addAll(arguments(entry));
    }
    String receipt = text(call, "prefix") + ":{" + part(call, "group") + "}:" + text(call, "id");
    keys.add(receipt);
    holding.add(receipt);
    call.add("keys", keys);
    call.add("args", arguments);
    call.add("settle_keys", holding);
  }

  private static String key(JsonObject call, JsonObject entry) {
    String within = entry.has("within") ? "/" + part(entry, "within").replace("/", "%2F") : "";
    String held = text(entry, "mode").equals("charge") ? "" : "r";
    return "%s:%s:{%s}%s:%s%s"
        .formatted(
            text(call, "prefix"),
            text(entry, "policy"),
            part(call, "group"),
            within,
            held,
            isConcurrency(entry) ? "c" : KeyNames.marker(script(entry), tiers(entry)));
  }

  private static JsonArray arguments(JsonObject entry) {
    JsonArray arguments = new JsonArray();
    arguments.add(text(entry, "mode"));
    boolean concurrency = isConcurrency(entry);
    arguments.add(concurrency ? CONCURRENCY : script(entry).scriptName());
    arguments.add(entry.get("units").getAsString());
    if (concurrency) {
      arguments.add("1");
      arguments.add(text(entry, "limit").split(":", 2)[1]);
      return arguments;
    }
    List<List<Long>> tiers = tiers(entry);
    arguments.add(Integer.toString(tiers.size()));
    tiers.forEach(tier -> tier.forEach(number -> arguments.add(Long.toString(number))));
    return arguments;
  }

  private static boolean isConcurrency(JsonObject entry) {
    return text(entry, "limit").startsWith(CONCURRENCY + ":");
  }

  private static ScriptAlgorithm script(JsonObject entry) {
    return ScriptAlgorithm.named(Limits.parse(text(entry, "limit")).kind().script().scriptName());
  }

  private static List<List<Long>> tiers(JsonObject entry) {
    Limit limit = Limits.parse(text(entry, "limit"));
    LimitKind kind = limit.kind();
    return limit.tiers().stream().map(kind::numbers).toList();
  }

  private static String part(JsonObject of, String name) {
    return KeyNames.subject(text(of, name).getBytes(StandardCharsets.UTF_8));
  }

  private static String text(JsonObject of, String name) {
    return of.get(name).getAsString();
  }
}
