package io.github.penstock.core.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFormatTest {
  private final KeyFormat keys = new KeyFormat("penstock:api:", "b100.10.1000000");

  @Test
  @DisplayName("prefix, policy, hash tag, marker")
  void plain() {
    assertThat(key("user:42")).isEqualTo("penstock:api:{user:42}:b100.10.1000000");
    assertThat(key(" ~")).isEqualTo("penstock:api:{ ~}:b100.10.1000000");
  }

  @Test
  @DisplayName("braces, percent and control characters become %XX in upper case")
  void encoded() {
    assertThat(subject("a{b}c%")).isEqualTo("a%7Bb%7Dc%25");
    assertThat(subject("\0\n\u001f\u007f")).isEqualTo("%00%0A%1F%7F");
    assertThat(subject("%7B")).isEqualTo("%257B");
    assertThat(subject("%sha256-")).isEqualTo("%25sha256-");
  }

  @Test
  @DisplayName("UTF-8 stays as it is, C1 control characters too")
  void unicode() {
    assertThat(subject("grün 日本 \ud83d\ude00 \u0080")).isEqualTo("grün 日本 \ud83d\ude00 \u0080");
    assertThat(subject("é{")).isEqualTo("é%7B");
  }

  @Test
  @DisplayName("more than 128 bytes become their hash; the bytes count before they are encoded")
  void longSubjects() {
    String longest = "x".repeat(128);
    assertThat(subject(longest)).isEqualTo(longest);
    assertThat(subject("{".repeat(128))).isEqualTo("%7B".repeat(128));
    assertThat(subject("x".repeat(129)))
        .isEqualTo("%sha256-0ec9eb33e74510bcdd1f2ea55206e82f21649c5c2becbf2b433eb475b34c01bd");
    assertThat(subject("é".repeat(64))).isEqualTo("é".repeat(64));
    assertThat(subject("é".repeat(65))).startsWith("%sha256-").hasSize(72);
    assertThat(subject("x".repeat(10_240))).startsWith("%sha256-").hasSize(72);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "a\ude00", "\ude00\ud83d"})
  @DisplayName("half of a surrogate pair is no text")
  void illFormed(String subject) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.key(subject))
        .withMessageStartingWith("subject must be well-formed UTF-16");
    assertThatIllegalArgumentException().isThrownBy(() -> keys.key("x".repeat(200) + subject));
  }

  @Test
  @DisplayName("an empty subject is no subject")
  void empty() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.key(""))
        .withMessage("subject must not be empty");
  }

  private String key(String subject) {
    return new String(keys.key(subject), StandardCharsets.UTF_8);
  }

  private String subject(String subject) {
    String key = key(subject);
    return key.substring("penstock:api:{".length(), key.length() - "}:b100.10.1000000".length());
  }
}
