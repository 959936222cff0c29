package io.github.penstock.core.spi.connecting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.penstock.core.spi.connecting.ServerUri.Cluster;
import io.github.penstock.core.spi.connecting.ServerUri.Credentials;
import io.github.penstock.core.spi.connecting.ServerUri.Sentinel;
import io.github.penstock.core.spi.connecting.ServerUri.Single;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerUriTest {
  @Test
  @DisplayName("a single server, with what is not given by default")
  void single() {
    assertThat(ServerUri.parse("redis://localhost"))
        .isEqualTo(new Single(false, address("localhost", 6379), null, null));
    assertThat(ServerUri.parse("redis://my_redis-1:7000/"))
        .isEqualTo(new Single(false, address("my_redis-1", 7000), null, null));
    assertThat(ServerUri.parse("rediss://app:secret@10.0.0.1:65535/15"))
        .isEqualTo(
            new Single(true, address("10.0.0.1", 65535), new Credentials("app", "secret"), 15));
    assertThat(ServerUri.parse("redis://host/0"))
        .isEqualTo(new Single(false, address("host", 6379), null, 0));
    assertThat(ServerUri.parse("redis://:secret@host").credentials())
        .isEqualTo(new Credentials(null, "secret"));
  }

  @Test
  @DisplayName("a cluster by some of its nodes")
  void cluster() {
    assertThat(ServerUri.parse("redis-cluster://a:7000,b,[::1]:7002"))
        .isEqualTo(
            new Cluster(
                false,
                List.of(address("a", 7000), address("b", 6379), address("::1", 7002)),
                null));
    assertThat(ServerUri.parse("rediss-cluster://app:secret@a/0"))
        .isEqualTo(
            new Cluster(true, List.of(address("a", 6379)), new Credentials("app", "secret")));
  }

  @Test
  @DisplayName("sentinels, their master, and what signs in to each")
  void sentinel() {
    assertThat(ServerUri.parse("redis-sentinel://a,b:26380#main"))
        .isEqualTo(
            new Sentinel(
                false,
                List.of(address("a", 26379), address("b", 26380)),
                null,
                null,
                "main",
                null));
    assertThat(
            ServerUri.parse(
                "rediss-sentinel://app:secret@a/3?sentinelUser=watch%26er&sentinelPassword=s%3D2"
                    + "#the%20master"))
        .isEqualTo(
            new Sentinel(
                true,
                List.of(address("a", 26379)),
                new Credentials("app", "secret"),
                3,
                "the master",
                new Credentials("watch&er", "s=2")));
    assertThat(ServerUri.parse("redis-sentinel://a?sentinelPassword=s#m"))
        .extracting(uri -> ((Sentinel) uri).sentinelCredentials())
        .isEqualTo(new Credentials(null, "s"));
  }

  @ParameterizedTest
  @CsvSource({
    "redis://a%3Ab:c%2Fd%40e%23%3F%25@host, a:b, c/d@e#?%",
    "redis://user:p+w@host, user, p+w",
    "redis://user:p@ss:w@host, user, p@ss:w",
    "redis://gr%C3%BCn:%F0%9F%98%80@host, grün, \ud83d\ude00",
    "redis://us%20er:pass%0Aword@host, us er, 'pass\nword'"
  })
  @DisplayName("user and password are percent-decoded, and a plus is a plus")
  void credentials(String uri, String user, String password) {
    assertThat(ServerUri.parse(uri).credentials()).isEqualTo(new Credentials(user, password));
  }

  @Test
  @DisplayName("IPv6 addresses stand in brackets")
  void addresses() {
    assertThat(ServerUri.parse("redis://[::1]"))
        .isEqualTo(new Single(false, address("::1", 6379), null, null));
    assertThat(ServerUri.parse("redis://:pw@[2001:db8::7]:7000/1"))
        .isEqualTo(new Single(false, address("2001:db8::7", 7000), new Credentials(null, "pw"), 1));
  }

  @ParameterizedTest
  @CsvSource({
    "'', it begins with none of them",
    "localhost:6379, it begins with none of them",
    "http://u:SECRET@h, it begins with none of them",
    "redis+cluster://u:SECRET@h, it begins with none of them",
    "redis://, a host is missing or invalid",
    "redis://u:SECRET@, a host is missing or invalid",
    "redis://u:SEC/RET@h, a / before the @ is not percent-encoded",
    "'redis-cluster://a,:SECRET@', a host is missing or invalid",
    "'redis-cluster://u:SECRET@a,,b', a host is missing or invalid",
    "redis://u:SEC RET@h, it has white space",
    "'redis://u:SECRET@h\n', it has white space",
    "redis://u:SECRET@2001:db8::7, a host is missing or invalid",
    "redis://u:SECRET@[localhost], a host is missing or invalid",
    "redis://u:SECRET@h:, a port is not from 1 to 65535",
    "redis://u:SECRET@h:0, a port is not from 1 to 65535",
    "redis://u:SECRET@h:65536, a port is not from 1 to 65535",
    "redis://u:SECRET@h:x, a port is not from 1 to 65535",
    "redis://SECRET@h, user:password or :password must come before the @",
    "redis://user:@h, the password is empty",
    "redis://u:SECRET%@h, a % is not followed by two hexadecimal digits",
    "redis://u:SECRET%zz@h, a % is not followed by two hexadecimal digits",
    "redis://u:SECRET@h/x, the database is not a number from 0 to 999999",
    "redis://u:SECRET@h/-1, the database is not a number from 0 to 999999",
    "redis://u:SECRET@h/1234567, the database is not a number from 0 to 999999",
    "'redis://u:SECRET@a,b', several hosts need redis-cluster:// or redis-sentinel://",
    "redis://u:SECRET@h#master, only Sentinel has a master's name",
    "'redis://u:SECRET@h?timeout=1', 'it has parameters, which only Sentinel has'",
    "redis-cluster://u:SECRET@h/1, a cluster has no database but 0",
    "redis-cluster://u:SECRET@h#m, only Sentinel has a master's name",
    "redis-sentinel://u:SECRET@h, the master's name is missing",
    "redis-sentinel://u:SECRET@h#, the master's name is missing",
    "redis-sentinel://h?sentinelUser=SECRET#m, the password is empty",
    "redis-sentinel://h#m?sentinelPassword=SECRET, parameters must come before the #",
    "redis-sentinel://h?SECRET=SECRET#m, it has parameters other than sentinelUser and sentinelPassword"
  })
  @DisplayName(
      "an invalid URI is refused with the rule that it breaks, and the password is not shown")
  void refused(String uri, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerUri.parse(uri))
        .withMessageStartingWith("uri must be redis")
        .withMessageEndingWith(", rediss for TLS: " + why)
        .withMessageNotContainingAny("SECRET", "SEC", "RET")
        .withNoCause();
  }

  @Test
  @DisplayName("a message has the form that fits the scheme")
  void form() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerUri.parse("redis-sentinel://h"))
        .withMessageStartingWith("uri must be redis-sentinel://[[user]:password@]host[:port]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerUri.parse("memcached://h"))
        .withMessageContainingAll("redis://", "redis-cluster://", "redis-sentinel://");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://user:SECRET@h",
        "redis-cluster://user:SECRET@h",
        "redis-sentinel://user:SECRET@h?sentinelPassword=SECRET#m"
      })
  @DisplayName("the text of a URI that was read keeps the password to itself")
  void text(String uri) {
    assertThat(ServerUri.parse(uri).toString()).contains("user:***").doesNotContain("SECRET");
  }

  private static InetSocketAddress address(String host, int port) {
    return InetSocketAddress.createUnresolved(host, port);
  }
}
