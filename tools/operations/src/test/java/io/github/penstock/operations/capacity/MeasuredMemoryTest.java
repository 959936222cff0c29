package io.github.penstock.operations.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeasuredMemoryTest {
  private static final MeasuredMemory REDIS = MeasuredMemory.of("embedded Redis 7.0.15 at a:1");
  private static final MeasuredMemory VALKEY = MeasuredMemory.of("Valkey 9.1.2 at a:1");

  @Test
  void theRowsOfDocsScaleAreWhatThePlanTakes() {
    assertThat(MeasuredMemory.all()).hasSize(4);
    assertThat(REDIS.bytes(44, 16)).isEqualTo(145);
    assertThat(REDIS.bytes(44, 50)).isEqualTo(209);
    assertThat(VALKEY.bytes(108, 16)).isEqualTo(227);
    assertThat(VALKEY.bytes(44, 23)).isEqualTo(131);
  }

  @Test
  void betweenTwoRowsTheNextLongerCounts() {
    assertThat(REDIS.bytes(45, 16)).isEqualTo(161);
    assertThat(REDIS.bytes(10, 10)).isEqualTo(129);
    assertThat(REDIS.bytes(118, 16)).isEqualTo(219);
    assertThat(REDIS.bytes(44, 21)).isEqualTo(177);
    assertThat(REDIS.bytes(44, 60)).isEqualTo(219);
  }

  @Test
  void aServerHasTheColumnOfItsVersion() {
    assertThat(MeasuredMemory.of("Redis 8.0.2 at a:1")).isEqualTo(REDIS);
    assertThat(MeasuredMemory.of("Redis 8.6.3 at a:1").server()).isEqualTo("Redis 8.6");
    assertThat(MeasuredMemory.of("Valkey 8.1.1 at a:1").server()).isEqualTo("Valkey 8.1");
    assertThat(VALKEY.server()).isEqualTo("Valkey 9.1");
  }
}
