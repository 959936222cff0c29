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
 * target/penstock-clients/<client>.json}, those about circuits in {@code circuits} beside them; or
 * in the directory of {@code -Dpenstock.clients.results}. A case that is measured again replaces
 * its line. Safe for use by several threads of one JVM.
 */
public final class CaseResultFile {
  private static final Gson GSON =
      new GsonBuilder()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .disableHtmlEscaping()
          .create();

  /** The directory of the files of cases, in that of a module. */
  public static final String CASES = "target/penstock-clients";

  /** The directory, beside the files of cases, of those about circuits. */
  public static final String CIRCUITS = "circuits";

  private CaseResultFile() {}

  /** Keeps a result. */
  public static synchronized void keep(CaseResult result) {
    Path file = file(directory(), result.client());
    List<CaseResult> results = new ArrayList<>();
    if (Files.exists(file)) {
      results.addAll(read(file, CaseResult.class));
    }
    results.removeIf(
        other ->
            !other.client().equals(result.client())
                || (other.fault() == result.fault()
                    && other.asynchronous() == result.asynchronous()));
    results.add(result);
    write(file, results);
  }

  /** Keeps a result, the only one of its client. */
  public static synchronized void keep(CircuitResult result) {
    write(file(directory().resolve(CIRCUITS), result.client()), List.of(result));
  }

  private static Path file(Path directory, String client) {
    return directory.resolve(client.split(" ")[0] + ".json");
  }

  private static void write(Path file, List<?> results) {
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, results.stream().map(GSON::toJson).toList());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Path directory() {
    return Path.of(System.getProperty("penstock.clients.results", CASES));
  }

  /** The results in a file, in the order in which they were measured. */
  public static <T> List<T> read(Path file, Class<T> type) {
    try {
      return Files.readAllLines(file).stream().map(line -> GSON.fromJson(line, type)).toList();
    } catch (IOException failure) {
      throw new UncheckedIOException("no results in " + file, failure);
    }
  }
}
