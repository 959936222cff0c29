package io.github.penstock.lua.maven.output;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.penstock.lua.maven.header.HeaderSlot;
import io.github.penstock.lua.maven.header.ScriptHeader;
import io.github.penstock.lua.maven.header.TierContract;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The description of the bundle for programs in any language. */
final class BundleManifest {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private final BuiltBundle bundle;

  BundleManifest(BuiltBundle bundle) {
    this.bundle = bundle;
  }

  /** The manifest that ships. */
  String full() {
    JsonObject root = new JsonObject();
    root.addProperty("bundle_version", bundle.settings().bundleVersion());
    root.addProperty("protocol_version", bundle.settings().protocolVersion());
    root.add("scripts", scripts(ScriptGroup.MAIN));
    JsonArray groups = new JsonArray();
    for (ScriptGroup group : bundle.settings().groups()) {
      JsonObject json = new JsonObject();
      json.addProperty("name", group.directory());
      json.add("scripts", scripts(group));
      groups.add(json);
    }
    if (!groups.isEmpty()) {
      root.add("groups", groups);
    }
    bundle.library().ifPresent(library -> root.add("functions_library", library(library)));
    return text(root);
  }

  /** The part that is kept with the sources: names and SHA1s. */
  String names() {
    JsonObject root = new JsonObject();
    root.addProperty("protocol_version", bundle.settings().protocolVersion());
    root.add("scripts", names(ScriptGroup.MAIN));
    JsonObject groups = new JsonObject();
    bundle.settings().groups().forEach(group -> groups.add(group.directory(), names(group)));
    if (groups.size() > 0) {
      root.add("groups", groups);
    }
    bundle.library().ifPresent(library -> root.add("functions_library", sums(library)));
    return text(root);
  }

  private JsonObject names(ScriptGroup group) {
    JsonObject scripts = new JsonObject();
    for (BundledScript script : bundle.scripts(group)) {
      JsonObject sums = new JsonObject();
      sums.addProperty("sha1", script.sha1());
      sums.addProperty("readable_sha1", script.readableSha1());
      scripts.add(script.name(), sums);
    }
    return scripts;
  }

  private JsonArray scripts(ScriptGroup group) {
    JsonArray scripts = new JsonArray();
    bundle.scripts(group).forEach(script -> scripts.add(script(script)));
    return scripts;
  }

  private JsonObject script(BundledScript script) {
    ScriptHeader header = script.script().header();
    JsonObject json = new JsonObject();
    json.addProperty("name", script.name());
    json.addProperty("description", header.description());
    header.notes().forEach((key, value) -> json.addProperty(key.toLowerCase(Locale.ROOT), value));
    json.add("minified", form(script.minifiedFile(), script.minified()));
    json.add("readable", form(script.readableFile(), script.readable()));
    json.addProperty("number_of_keys", header.numberOfKeys());
    json.add("keys", slots(header.keys()));
    json.add("arguments", slots(header.arguments()));
    header.tier().ifPresent(tier -> tier(json, tier));
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
    json.addProperty("sha1", Sha1Digest.of(text));
    json.addProperty("bytes", text.getBytes(StandardCharsets.US_ASCII).length);
    return json;
  }

  private static JsonArray slots(List<HeaderSlot> slots) {
    JsonArray rows = new JsonArray();
    for (HeaderSlot slot : slots) {
      JsonObject row = new JsonObject();
      boolean optional = slot.form() == HeaderSlot.SlotForm.OPTIONAL;
      row.addProperty("index", optional ? "last" : String.valueOf(slot.first()));
      row.addProperty("optional", optional);
      row.addProperty("repeated", slot.form() == HeaderSlot.SlotForm.REPEATED || slot.isOpen());
      row.add("values", values(slot));
      row.addProperty("description", slot.description());
      rows.add(row);
    }
    return rows;
  }

  private static void tier(JsonObject json, TierContract tier) {
    JsonArray numbers = new JsonArray();
    for (TierContract.TierNumber number : tier.numbers()) {
      JsonObject row = new JsonObject();
      row.addProperty("name", number.name());
      row.addProperty("unit", number.unit());
      row.addProperty("least", number.least());
      row.addProperty("most", number.most());
      numbers.add(row);
    }
    json.add("tier", numbers);
    JsonObject marker = new JsonObject();
    marker.addProperty("letter", tier.letter());
    marker.add("numbers", GSON.toJsonTree(tier.marked()));
    json.add("marker", marker);
    JsonObject state = new JsonObject();
    state.add("forms", GSON.toJsonTree(tier.forms()));
    state.addProperty("unused", tier.unused());
    json.add("state", state);
    json.addProperty("refill", tier.refill());
    json.addProperty("queues", tier.queues());
    json.addProperty("holds", tier.holds());
  }

  private static JsonArray values(HeaderSlot slot) {
    JsonArray values = new JsonArray();
    for (String name : slot.names()) {
      JsonObject value = new JsonObject();
      value.addProperty("name", name);
      value.addProperty("unit", slot.unit(name));
      values.add(value);
    }
    return values;
  }

  private static JsonObject library(BuiltLibrary library) {
    JsonObject json = sums(library);
    json.addProperty("file", library.file());
    json.addProperty("bytes", library.source().length());
    json.addProperty("minimum_server_version", "7.0");
    return json;
  }

  private static JsonObject sums(BuiltLibrary library) {
    JsonObject json = new JsonObject();
    json.addProperty("name", library.name());
    json.addProperty("sha1", library.sha1());
    return json;
  }

  private static String text(JsonElement json) {
    return GSON.toJson(json) + "\n";
  }
}
