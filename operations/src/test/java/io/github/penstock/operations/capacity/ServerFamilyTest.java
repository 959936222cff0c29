package io.github.penstock.operations.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ServerFamilyTest {
  private static final long MILLION = 1_000_000;

  @Test
  void layoutsGiveWhatDocsScaleSaysWasMeasured() throws IOException {
    List<List<String>> rows =
        Files.readAllLines(Path.of("../docs/scale.md")).stream()
            .filter(line -> line.matches("\\| \\d+ \\| \\d+, .*"))
            .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
            .toList();
    assertThat(rows).hasSize(7);
    for (List<String> row : rows) {
      int name = Integer.parseInt(row.get(1));
      int state = Integer.parseInt(row.get(2).replaceAll("\\D.*", ""));
      for (ServerFamily family : ServerFamily.values()) {
        assertThat(bytes(family, name, state, MILLION))
            .as("%s, %s", family, row)
            .isCloseTo(
                Double.parseDouble(row.get(3 + family.ordinal())), Percentage.withPercentage(2));
      }
    }
  }

  @Test
  void tablesDoubleAtTheirSteps() {
    long step = 1 << 20;
    assertThat(ServerFamily.REDIS_8_0.tablesBytes(step)).isEqualTo(16.0 * step);
    assertThat(ServerFamily.REDIS_8_0.tablesBytes(step + 1)).isEqualTo(32.0 * step);
    assertThat(ServerFamily.REDIS_8_0.growingBytes(step)).isEqualTo(32.0 * step);
    assertThat(ServerFamily.REDIS_8_6.tablesBytes(step)).isCloseTo(27.8 * step, within(0.1 * step));
    long buckets = 1 << 17;
    assertThat(ServerFamily.VALKEY_9_1.tablesBytes(7 * buckets)).isGreaterThan(128.0 * buckets);
    assertThat(ServerFamily.VALKEY_9_1.tablesBytes(7 * buckets + 1))
        .isCloseTo(256.0 * buckets, Percentage.withPercentage(5));
  }

  @Test
  void aServerIsOfTheFamilyOfItsVersion() {
    assertThat(ServerFamily.of("embedded Redis 7.0.15 at 127.0.0.1:1"))
        .isEqualTo(ServerFamily.REDIS_8_0);
    assertThat(ServerFamily.of("Redis 8.0.2 at a:1")).isEqualTo(ServerFamily.REDIS_8_0);
    assertThat(ServerFamily.of("Redis 8.6.3 at a:1")).isEqualTo(ServerFamily.REDIS_8_6);
    assertThat(ServerFamily.of("Valkey 8.1.1 at a:1")).isEqualTo(ServerFamily.VALKEY_8_1);
    assertThat(ServerFamily.of("Valkey 9.1.2 at a:1")).isEqualTo(ServerFamily.VALKEY_9_1);
  }

  private static double bytes(ServerFamily family, int name, int state, long keys) {
    return family.keyBytes(name, state, state == 16) + family.tablesBytes(keys) / keys;
  }
}
