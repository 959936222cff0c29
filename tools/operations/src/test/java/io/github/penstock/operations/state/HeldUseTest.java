package io.github.penstock.operations.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.penstock.report.console.UserErrorException;
import io.github.penstock.testkit.reservation.ReservationModel;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeldUseTest {
  private static final long NOW_US = 1_763_712_000_000_000L;
  private static final long UNTIL_US = NOW_US + 62_980_096;
  private static final String KEY = "penstock:tpm:{tenant:7}:rb100.10.1000000";
  private static final KeyName NAME = KeyName.parse(KEY).orElseThrow();

  @Test
  void whatIsHeldAndWhatRanOut() {
    ReservationModel server = new ReservationModel();
    server.call(
        "reserve",
        List.of(KEY, "penstock:{tenant:7}:9f1c"),
        List.of(("60000000 " + NOW_US + " reserve token-bucket 40 1 100 10 1000000").split(" ")));
    byte[] bytes = HexFormat.of().parseHex(String.valueOf(server.get(KEY).text()));
    String latin = new String(bytes, StandardCharsets.ISO_8859_1);
    HeldUse held = HeldUse.of(NAME, stored(latin, NOW_US));
    assertThat(held.held()).isEqualTo(Map.of(UNTIL_US, 40L));
    assertThat(held.tiers()).containsExactly(TierUse.exact(0, 60L, 0, 0));
    HeldUse ranOut = HeldUse.of(NAME, stored(latin, UNTIL_US + 1_000_000));
    assertThat(ranOut.held()).isEmpty();
    assertThat(ranOut.tiers()).containsExactly(TierUse.exact(30, 70L, 0, 3_000_000));
  }

  @Test
  void whatReserveDoesNotStore() {
    assertThatExceptionOfType(UserErrorException.class)
        .isThrownBy(() -> HeldUse.of(NAME, stored("17", NOW_US)));
    assertThat(HeldUse.of(NAME, new StoredKey(KEY, null, -2, NOW_US)).held()).isEmpty();
  }

  private static StoredKey stored(String value, long nowUs) {
    return new StoredKey(KEY, value, 1000, nowUs);
  }
}
