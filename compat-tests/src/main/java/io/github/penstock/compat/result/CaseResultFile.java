package io.github.penstock.compat.result;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of results, one line of JSON for each case, one file for each client: {@code
 * target/penstock-clients/<client>.json}, those about pauses in {@code pauses} beside them; or in
 * the directory of {@code -Dpenstock.clients.results}. A case that is measured again replaces its
 * line. Safe for use by several threads of one JVM.
 */
public final class CaseResultFile {
  private static final Gson GSON =
      new GsonBuilder()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .disableHtmlEscaping()
          .create();

  /** The directory, beside the files of cases, of those about pauses. */
  static final String PAUSES = "pauses";

  private CaseResultFile() {}

  /** Keeps a result. */
  public static void keep(CaseResult result) {
    keep(result, CaseResult.class, directory());
  }

  /** Keeps a result. */
  public static void keep(PauseResult result) {
    keep(result, PauseResult.class, directory().resolve(PAUSES));
  }

  private static synchronized <T extends ClientResult> void keep(
      T result, Class<T> type, Path directory) {
    Path file = directory.resolve(result.client().split(" ")[0] + ".json");
    try {
      Files.createDirectories(directory);
      List<T> results = new ArrayList<>(Files.exists(file) ? read(file, type) : List.of());
      results.removeIf(
          other -> other.name().equals(result.name()) || !other.client().equals(result.client()));
      results.add(result);
      Files.write(file, results.stream().map(GSON::toJson).toList());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Path directory() {
    return Path.of(System.getProperty("penstock.clients.results", "target/penstock-clients"));
  }

  /** The results in a file, in the order in which they were measured. */
  static <T> List<T> read(Path file, Class<T> type) {
    try {
      return Files.readAllLines(file).stream().map(line -> GSON.fromJson(line, type)).toList();
    } catch (IOException failure) {
      throw new UncheckedIOException("no results in " + file, failure);
    }
  }
}
