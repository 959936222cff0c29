package io.github.penstock.lua.maven.output;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.github.penstock.lua.maven.rule.RuleViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The manifest of names and SHA1s that is kept with the sources, so that a changed script shows in
 * a diff.
 */
final class KeptManifest {
  private final Path file;
  private final String built;

  /**
   * The manifest of a build.
   *
   * @param file where it is kept
   * @param built the text it should have
   */
  KeptManifest(Path file, String built) {
    this.file = file;
    this.built = built;
  }

  /** A violation, if it differs from the build. */
  Optional<RuleViolation> problem(String acceptCommand) throws IOException {
    Path path = file.toAbsolutePath();
    int names = path.getNameCount();
    String label = path.subpath(Math.max(0, names - 2), names).toString();
    String kept = Files.exists(file) ? Files.readString(file) : "";
    if (kept.equals(built)) {
      return Optional.empty();
    }
    String message = changes(kept) + ". To accept it: " + acceptCommand;
    return Optional.of(new RuleViolation(label, 1, "manifest", message));
  }

  private String changes(String kept) {
    try {
      JsonElement old = JsonParser.parseString(kept);
      if (!old.isJsonObject()) {
        return kept.isBlank() ? "there is no manifest yet" : "it is not a manifest";
      }
      String changes =
          changes(old.getAsJsonObject(), JsonParser.parseString(built).getAsJsonObject());
      return changes.isEmpty() ? "it is not laid out as the build writes it" : changes;
    } catch (JsonParseException e) {
      return "it is not a manifest";
    }
  }

  private static String changes(JsonObject kept, JsonObject built) {
    JsonObject before = scripts(kept);
    JsonObject after = scripts(built);
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    Stream<String> scripts =
        names.stream().map(name -> change(name, before.get(name), after.get(name)));
    Stream<String> rest =
        Stream.of("protocol_version", "functions_library")
            .map(name -> change(name, kept.get(name), built.get(name)));
    return Stream.concat(scripts, rest)
        .filter(change -> !change.isEmpty())
        .collect(Collectors.joining("; "));
  }

  /** The scripts of a manifest by name, those of a group by its name and theirs. */
  private static JsonObject scripts(JsonObject manifest) {
    JsonObject scripts = new JsonObject();
    add(scripts, "", manifest.get("scripts"));
    if (manifest.get("groups") instanceof JsonObject groups) {
      groups.entrySet().forEach(group -> add(scripts, group.getKey() + "/", group.getValue()));
    }
    return scripts;
  }

  private static void add(JsonObject scripts, String prefix, @Nullable JsonElement group) {
    if (group instanceof JsonObject members) {
      members.entrySet().forEach(m -> scripts.add(prefix + m.getKey(), m.getValue()));
    }
  }

  private static String change(
      String name, @Nullable JsonElement before, @Nullable JsonElement after) {
    if (before == null || after == null) {
      return before == after ? "" : name + (before == null ? " is new" : " is gone");
    }
    Function<JsonElement, String> sha1 =
        json ->
            json instanceof JsonObject o && o.has("sha1")
                ? o.get("sha1").toString().replace("\"", "")
                : json.toString();
    if (before.equals(after)) {
      return "";
    }
    boolean comments = sha1.apply(before).equals(sha1.apply(after));
    return comments
        ? name + " changed in its readable form only"
        : name + " changed from " + sha1.apply(before) + " to " + sha1.apply(after);
  }

  void accept() throws IOException {
    Files.writeString(file, built);
  }
}
