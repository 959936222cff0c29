package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.Gson;
import com.google.gson.annotations.SerializedName;
import io.github.penstock.core.internal.protocol.LimitEncoding;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.limit.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays the published texts of limits. */
class LimitVectorsTest {
  record Vector(
      String text,
      String script,
      List<String> arguments,
      String marker,
      String normal,
      @SerializedName("error_at") Integer errorAt,
      @SerializedName("did_you_mean") String meant) {}

  record Vectors(List<Vector> limits) {}

  static Stream<Vector> limits() throws IOException {
    String json = Files.readString(Path.of("../lua/vectors/limits.json"));
    return new Gson().fromJson(json, Vectors.class).limits.stream();
  }

  static Stream<Vector> good() throws IOException {
    return limits().filter(vector -> vector.errorAt == null);
  }

  static Stream<Vector> bad() throws IOException {
    return limits().filter(vector -> vector.errorAt != null);
  }

  @ParameterizedTest
  @MethodSource("good")
  @DisplayName("every published text is its call, and is written in one way")
  void read(Vector vector) {
    Limit limit = Limits.parse(vector.text);
    LimitEncoding encoding = LimitEncoding.of(limit);
    assertThat(encoding.script().scriptName()).isEqualTo(vector.script);
    assertThat(encoding.arguments()).isEqualTo(vector.arguments);
    assertThat(encoding.marker()).isEqualTo(vector.marker);
    assertThat(limit).hasToString(vector.normal).isEqualTo(Limits.parse(vector.normal));
    assertThat(limit.algorithm()).isEqualTo(vector.script);
  }

  @ParameterizedTest
  @MethodSource("bad")
  @DisplayName("every published mistake is found at its place")
  void refused(Vector vector) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.parse(vector.text))
        .withMessageStartingWith("limit \"" + vector.text + "\" at " + vector.errorAt + ", \"")
        .satisfies(
            error -> {
              String hint = vector.meant == null ? "" : "; did you mean \"" + vector.meant + "\"?";
              assertThat(error).hasMessageEndingWith(hint);
              assertThat(error.getMessage().contains("did you mean")).isEqualTo(!hint.isEmpty());
            });
  }
}
