package io.github.penstock.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import io.github.penstock.report.console.UserErrorException;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The two files of a report. Each is written beside its place and then moved there, so that a
 * reader never sees half of one.
 */
public final class ReportFiles {
  private static final Gson GSON =
      new GsonBuilder()
          .setPrettyPrinting()
          .disableHtmlEscaping()
          .registerTypeAdapter(double.class, (JsonSerializer<Double>) ReportFiles::finite)
          .registerTypeAdapter(Double.class, (JsonSerializer<Double>) ReportFiles::finite)
          .create();
  /* Raised when a field changes its name, place, unit or meaning. */
  private static final int FORMAT = 1;
  private static final String UNFINISHED = ".part";
  private final Path html;
  private final Path json;

  /**
   * Files in the directory that {@code --out} names, which is made if there is none.
   *
   * @param name of both, without an extension
   * @throws UserErrorException if nothing can be written there, before there is anything to write
   */
  public ReportFiles(Path directory, String name) {
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory);
      }
      Files.delete(Files.createTempFile(directory, name, UNFINISHED));
    } catch (IOException failure) {
      throw new UserErrorException(
          "--out must be a directory that can be written: " + directory, failure);
    }
    html = directory.resolve(name + ".html");
    json = directory.resolve(name + ".json");
  }

  public Path html() {
    return html;
  }

  public Path json() {
    return json;
  }

  public void write(ReportDocument report) {
    write(html, HtmlPage.of(report));
  }

  /**
   * Writes the JSON: the version of its format, the facts, and the measurements, which Gson must be
   * able to write.
   *
   * @param measured records, lists and maps
   */
  public void write(RunFacts facts, Object measured) {
    Map<String, Object> all =
        fields("format", FORMAT, "facts", facts.asMap(), "measured", measured);
    write(json, GSON.toJson(all) + "\n");
  }

  /** A JSON object: names and values alternately; a field whose value is null is left out. */
  public static Map<String, Object> fields(@Nullable Object... pairs) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      fields.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return fields;
  }

  /* JSON knows neither infinity nor "not a number". */
  private static JsonElement finite(Double value, Type type, JsonSerializationContext context) {
    return Double.isFinite(value) ? new JsonPrimitive(value) : JsonNull.INSTANCE;
  }

  private static void write(Path file, String text) {
    Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
    try {
      Files.writeString(unfinished, text, StandardCharsets.UTF_8);
      Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      delete(unfinished);
      throw new UserErrorException(file + " cannot be written: " + reason(failure), failure);
    }
  }

  /* Some have nothing but the file's name as their message. */
  private static String reason(IOException failure) {
    if (failure instanceof FileSystemException told) {
      String kind = told.getClass().getSimpleName().replace("Exception", "");
      return told.getReason() != null
          ? told.getReason()
          : kind.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
    return String.valueOf(failure.getMessage());
  }

  private static void delete(Path unfinished) {
    try {
      Files.deleteIfExists(unfinished);
    } catch (IOException left) {
      unfinished.toFile().deleteOnExit();
    }
  }
}
