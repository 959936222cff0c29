package io.github.penstock.compat.failure;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.penstock.compat.vectors.VectorJson;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.TransportFailure;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The texts by which errors are classified, as {@code vectors/errors.json} has them. */
public final class ErrorVectors {
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
    JsonArray rows = VectorJson.read("errors.json", JsonObject.class).getAsJsonArray(name);
    return rows.asList().stream().map(JsonElement::getAsJsonObject);
  }
}
