package io.github.penstock.lua.maven.output;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.penstock.lua.maven.script.Header;
import io.github.penstock.lua.maven.script.Slot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** What the bundle says about itself to programs in any language. */
final class Manifest {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private final Bundle bundle;

  Manifest(Bundle bundle) {
    this.bundle = bundle;
  }

  /** The manifest that ships. */
  String full() {
    JsonObject root = new JsonObject();
    root.addProperty("bundle_version", bundle.settings().bundleVersion());
    root.addProperty("protocol_version", bundle.settings().protocolVersion());
    JsonArray scripts = new JsonArray();
    bundle.scripts().forEach(script -> scripts.add(script(script)));
    root.add("scripts", scripts);
    bundle.library().ifPresent(library -> root.add("functions_library", library(library)));
    return text(root);
  }

  /** Only names and SHA1s: what is kept with the sources. */
  String names() {
    JsonObject root = new JsonObject();
    root.addProperty("protocol_version", bundle.settings().protocolVersion());
    JsonObject scripts = new JsonObject();
    for (BundledScript script : bundle.scripts()) {
      JsonObject sums = new JsonObject();
      sums.addProperty("sha1", script.sha1());
      sums.addProperty("readable_sha1", script.readableSha1());
      scripts.add(script.name(), sums);
    }
    root.add("scripts", scripts);
    bundle.library().ifPresent(library -> root.add("functions_library", sums(library)));
    return text(root);
  }

  private JsonObject script(BundledScript script) {
    Header header = script.script().header();
    JsonObject json = new JsonObject();
    json.addProperty("name", script.name());
    json.addProperty("description", header.description());
    header.notes().forEach((key, value) -> json.addProperty(key.toLowerCase(Locale.ROOT), value));
    json.add("minified", form(script.minifiedFile(), script.minified()));
    json.add("readable", form(script.readableFile(), script.readable()));
    json.addProperty("number_of_keys", header.numberOfKeys());
    json.add("keys", slots(header.keys()));
    json.add("arguments", slots(header.arguments()));
    json.addProperty("reply", header.singleReply() ? "value" : "list");
    json.add("replies", slots(header.replies()));
    JsonArray commands = new JsonArray();
    script.script().commands().forEach(commands::add);
    json.add("commands", commands);
    json.addProperty(
        "minimum_server_version", header.needs().orElse(bundle.settings().minimumServerVersion()));
    bundle.library().ifPresent(library -> functions(json, script, library.name()));
    return json;
  }

  private static void functions(JsonObject json, BundledScript script, String library) {
    json.addProperty("function", script.function(library));
    if (script.peeks()) {
      json.addProperty("peek_function", script.peekFunction(library));
    }
  }

  private static JsonObject form(String file, String text) {
    JsonObject json = new JsonObject();
    json.addProperty("file", file);
    json.addProperty("sha1", Sha1.of(text));
    json.addProperty("bytes", text.getBytes(StandardCharsets.US_ASCII).length);
    return json;
  }

  private static JsonArray slots(List<Slot> slots) {
    JsonArray rows = new JsonArray();
    for (Slot slot : slots) {
      JsonObject row = new JsonObject();
      boolean optional = slot.form() == Slot.Form.OPTIONAL;
      row.addProperty("index", optional ? "last" : String.valueOf(slot.first()));
      row.addProperty("optional", optional);
      row.addProperty("repeated", slot.form() == Slot.Form.REPEATED);
      row.add("values", values(slot));
      row.addProperty("description", slot.description());
      rows.add(row);
    }
    return rows;
  }

  private static JsonArray values(Slot slot) {
    JsonArray values = new JsonArray();
    for (String name : slot.names()) {
      JsonObject value = new JsonObject();
      value.addProperty("name", name);
      value.addProperty("unit", slot.unit(name));
      values.add(value);
    }
    return values;
  }

  private static JsonObject library(FunctionsLibrary library) {
    JsonObject json = sums(library);
    json.addProperty("file", library.file());
    json.addProperty("bytes", library.source().length());
    json.addProperty("minimum_server_version", "7.0");
    return json;
  }

  private static JsonObject sums(FunctionsLibrary library) {
    JsonObject json = new JsonObject();
    json.addProperty("name", library.name());
    json.addProperty("sha1", library.sha1());
    return json;
  }

  private static String text(JsonElement json) {
    return GSON.toJson(json) + "\n";
  }
}
