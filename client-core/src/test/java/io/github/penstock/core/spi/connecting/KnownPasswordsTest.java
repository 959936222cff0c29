package io.github.penstock.core.spi.connecting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finds the passwords in URIs. */
class KnownPasswordsTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          redis://localhost, 0, ''
          redis://:secret@localhost, 1, secret
          redis://user:secret@localhost:6379/3, 1, secret
          rediss://user:se%2Fcret@localhost, 2, se%2Fcret se/cret
          'redis-cluster://user:a%40b+c@one:1,two:2', 2, a%40b+c a@b+c
          redis-sentinel://u:one@h:1/0?sentinelUser=s&sentinelPassword=tw%6F#m, 3, one tw%6F two
          redis://100%:100%@localhost, 1, 100%
          """)
  @DisplayName("as they are written and decoded, of sentinels too, and nothing else")
  void inUris(String uri, int count, String passwords) {
    KnownPasswords known = KnownPasswords.of(uri);
    for (String password : passwords.isEmpty() ? new String[0] : passwords.split(" ")) {
      String text = "AUTH user " + password + ".";
      assertThat(known.isIn(text)).as(text).isTrue();
      assertThat(known.hiddenIn(text)).isEqualTo("AUTH user ***.");
    }
    assertThat(known.isIn("localhost:6379 user sentinelUser")).isFalse();
    assertThat(known).hasToString(count + " passwords");
  }
}
