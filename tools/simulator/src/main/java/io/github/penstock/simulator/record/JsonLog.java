package io.github.penstock.simulator.record;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object in every line. A field inside an object has a name with dots, such as {@code
 * request.remote_ip}; of an array the first element counts. Where an object wraps a line of another
 * log, as {@code {"log":"..."}} of Docker and Kubernetes does, that line's fields count first.
 */
public final class JsonLog implements RecordFormat {
  private static final int DEEPEST = 3;
  private static final List<String> WRAPPED = List.of("log", "message", "MESSAGE");

  @Override
  public @Nullable RecordFields read(String line) throws UnreadableRecordException {
    if (line.isBlank()) {
      return null;
    }
    try {
      if (JsonParser.parseString(line) instanceof JsonObject object) {
        Record record = new Record(object);
        RecordFields inner = inner(record);
        return inner == null ? record : new Wrapper(inner, record);
      }
    } catch (JsonParseException | StackOverflowError wrong) {
      throw new UnreadableRecordException("not JSON");
    }
    throw new UnreadableRecordException("not a JSON object");
  }

  private static @Nullable RecordFields inner(Record record) {
    for (String name : WRAPPED) {
      String text = record.get(name);
      if (text != null && text.indexOf('"') >= 0) {
        return FormatGuess.record(text.strip());
      }
    }
    return null;
  }

  private record Wrapper(RecordFields inner, RecordFields outer) implements RecordFields {
    @Override
    public @Nullable String get(String name) {
      String value = inner.get(name);
      return value == null ? outer.get(name) : value;
    }

    @Override
    public List<String> names() {
      return Stream.concat(inner.names().stream(), outer.names().stream()).toList();
    }

    @Override
    public @Nullable String beforeAddress() {
      return inner.beforeAddress();
    }
  }

  private record Record(JsonObject object) implements RecordFields {
    @Override
    public @Nullable String get(String name) {
      return text(find(object, name));
    }

    private static @Nullable JsonElement find(JsonObject in, String name) {
      JsonElement whole = in.get(name);
      for (int dot = name.indexOf('.');
          whole == null && dot > 0;
          dot = name.indexOf('.', dot + 1)) {
        if (in.get(name.substring(0, dot)) instanceof JsonObject inner) {
          whole = find(inner, name.substring(dot + 1));
        }
      }
      return whole;
    }

    private static @Nullable String text(@Nullable JsonElement element) {
      if (element instanceof JsonArray array) {
        return array.isEmpty() ? null : text(array.get(0));
      }
      if (element == null || !element.isJsonPrimitive()) {
        return null;
      }
      String value = element.getAsString();
      return value.isEmpty() || value.equals("-") ? null : value;
    }

    @Override
    public List<String> names() {
      List<String> names = new ArrayList<>();
      collect("", object, DEEPEST, names);
      return names;
    }

    private static void collect(String path, JsonObject object, int depth, List<String> names) {
      object
          .entrySet()
          .forEach(
              entry -> {
                if (entry.getValue() instanceof JsonObject inner && depth > 1) {
                  collect(path + entry.getKey() + ".", inner, depth - 1, names);
                } else {
                  names.add(path + entry.getKey());
                }
              });
    }
  }
}
