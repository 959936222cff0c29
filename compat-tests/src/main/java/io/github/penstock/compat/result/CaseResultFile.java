package io.github.penstock.compat.result;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Files of results, one line of JSON for each case, one file for each client: {@code
 * target/penstock-clients/<client>.json}, those about circuits and choices in directories beside
 * them; or in the directory of {@code -Dpenstock.clients.results}. A case that is measured again
 * replaces its line. Safe for use by several threads of one JVM.
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

  /** The directory, beside the files of cases, of those about calls that were allowed. */
  public static final String CHOICES = "choices";

  private CaseResultFile() {}

  /** Keeps a result. */
  public static void keep(CaseResult result) {
    add(
        file(directory(), result.client()),
        result,
        other ->
            other.client().equals(result.client())
                && (other.fault() != result.fault()
                    || other.asynchronous() != result.asynchronous()));
  }

  /** Keeps a result. */
  public static void keep(ChoiceResult result) {
    add(
        file(directory().resolve(CHOICES), result.client()),
        result,
        other ->
            other.client().equals(result.client()) && !other.failure().equals(result.failure()));
  }

  /** Keeps a result, the only one of its client. */
  public static synchronized void keep(CircuitResult result) {
    write(file(directory().resolve(CIRCUITS), result.client()), List.of(result));
  }

  /* Adds to those results of the file that remain. */
  @SuppressWarnings("unchecked")
  private static synchronized <T> void add(Path file, T result, Predicate<T> remains) {
    Stream<T> before =
        Files.exists(file) ? read(file, (Class<T>) result.getClass()).stream() : Stream.empty();
    write(file, Stream.concat(before.filter(remains), Stream.of(result)).toList());
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
