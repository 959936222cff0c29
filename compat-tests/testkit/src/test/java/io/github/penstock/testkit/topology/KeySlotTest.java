package io.github.penstock.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeySlotTest {
  @ParameterizedTest
  @CsvSource({
    "123456789, 12739",
    "foo, 12182",
    "penstock:api:{foo}:w1000, 12182",
    "'', 0",
    "{}foo, 9500",
    "foo{}{bar}, 8363",
    "foo{{bar}}zap, 4015",
    "foo{bar}{zap}, 5061",
    "bar, 5061",
    "{bar, 4015"
  })
  @DisplayName("slots are those that the servers compute")
  void slots(String key, int slot) {
    assertThat(KeySlot.of(key)).isEqualTo(slot);
  }
}
