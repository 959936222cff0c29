package io.github.penstock.operations.bundle;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.penstock.scripts.LuaScript;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The parts of the bundle's manifest that the commands print. */
public record ShippedManifest(
    String bundleVersion, List<Script> scripts, String libraryName, Form functionsLibrary) {
  public ShippedManifest {
    scripts = List.copyOf(scripts);
  }

  /** Bytes of a script or of the library. */
  public record Form(String sha1, int bytes) {}

  /**
   * A script.
   *
   * @param takes keys and arguments, in brackets those that may be omitted or repeated
   * @param answers the names of the values of its reply
   */
  public record Script(
      String name,
      String description,
      Form minified,
      Form readable,
      List<String> takes,
      List<String> answers,
      List<String> commands,
      String function) {}

  public static ShippedManifest read() {
    InputStream resource = LuaScript.class.getResourceAsStream("manifest.json");
    try (var in = new InputStreamReader(Objects.requireNonNull(resource), StandardCharsets.UTF_8)) {
      JsonObject json = new Gson().fromJson(in, JsonObject.class);
      List<Script> scripts = new ArrayList<>(scripts(json));
      json.getAsJsonArray("groups")
          .forEach(group -> scripts.addAll(scripts(group.getAsJsonObject())));
      JsonObject library = json.getAsJsonObject("functions_library");
      return new ShippedManifest(
          json.get("bundle_version").getAsString(),
          scripts,
          library.get("name").getAsString(),
          form(library));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The server commands that these scripts use, in lower case. */
  List<String> commands(List<BundleItem> items) {
    List<String> names = items.stream().map(BundleItem::name).toList();
    return scripts.stream()
        .filter(script -> names.contains(script.name()))
        .flatMap(script -> script.commands().stream())
        .map(command -> command.toLowerCase(Locale.ROOT))
        .distinct()
        .sorted()
        .toList();
  }

  private static List<Script> scripts(JsonObject group) {
    return group.getAsJsonArray("scripts").asList().stream()
        .map(JsonElement::getAsJsonObject)
        .map(ShippedManifest::script)
        .toList();
  }

  private static Script script(JsonObject json) {
    List<String> takes = new ArrayList<>(places(json.getAsJsonArray("keys")));
    takes.addAll(places(json.getAsJsonArray("arguments")));
    return new Script(
        json.get("name").getAsString(),
        json.get("description").getAsString(),
        form(json.getAsJsonObject("minified")),
        form(json.getAsJsonObject("readable")),
        List.copyOf(takes),
        places(json.getAsJsonArray("replies")),
        json.getAsJsonArray("commands").asList().stream().map(JsonElement::getAsString).toList(),
        json.get("function").getAsString());
  }

  private static Form form(JsonObject json) {
    return new Form(json.get("sha1").getAsString(), json.get("bytes").getAsInt());
  }

  private static List<String> places(JsonArray places) {
    return places.asList().stream()
        .map(JsonElement::getAsJsonObject)
        .map(ShippedManifest::place)
        .toList();
  }

  private static String place(JsonObject place) {
    List<String> names =
        place.getAsJsonArray("values").asList().stream()
            .map(value -> value.getAsJsonObject().get("name").getAsString())
            .toList();
    String text = String.join(" ", names);
    if (place.get("repeated").getAsBoolean()) {
      return text + " [" + text + " ...]";
    }
    return place.get("optional").getAsBoolean() ? "[" + text + "]" : text;
  }
}
