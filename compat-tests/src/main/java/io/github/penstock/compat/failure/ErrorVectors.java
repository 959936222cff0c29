package io.github.penstock.compat.failure;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.TransportFailure;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The texts by which errors are classified, as {@code vectors/errors.json} has them. */
public final class ErrorVectors {
  private static final String FILE = "/io/github/penstock/compat/vectors/errors.json";

  private ErrorVectors() {}

  /**
   * A text as a client gave it.
   *
   * @param kind its expected class; {@link FailureKind#UNAVAILABLE} for a redirection
   */
  public record ErrorCase(String text, FailureKind kind) {
    /** Returns the classification by this client's adapter. */
    public static @Nullable FailureKind found(@Nullable TransportFailure failure) {
      if (failure == null || failure.serverText() == null) {
        return failure == null ? FailureKind.UNKNOWN : failure.kind();
      }
      return ServerError.of(failure.serverText()).kind();
    }
  }

  /** Returns the cases that only this client has, at least one. */
  public static Stream<ErrorCase> cases(String client) {
    return rows("cases")
        .filter(row -> row.get("client").getAsString().equals(client))
        .map(row -> new ErrorCase(row.get("text").getAsString(), kind(row)));
  }

  private static FailureKind kind(JsonObject row) {
    String name = row.get("class").getAsString();
    return name.equals("redirect")
        ? FailureKind.UNAVAILABLE
        : FailureKind.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static Stream<JsonObject> rows(String name) {
    try (Reader file =
        new InputStreamReader(
            Objects.requireNonNull(ErrorVectors.class.getResourceAsStream(FILE)),
            StandardCharsets.UTF_8)) {
      Iterable<JsonElement> rows =
          JsonParser.parseReader(file).getAsJsonObject().getAsJsonArray(name);
      return StreamSupport.stream(rows.spliterator(), false).map(JsonElement::getAsJsonObject);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
