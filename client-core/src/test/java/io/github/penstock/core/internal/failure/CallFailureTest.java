package io.github.penstock.core.internal.failure;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.penstock.core.FailureKind;
import io.github.penstock.core.MayHaveBeenChargedException;
import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.NoDecisionException;
import io.github.penstock.core.OverloadedException;
import io.github.penstock.core.PenstockException;
import io.github.penstock.core.ScriptRefusedException;
import io.github.penstock.core.spi.BusyNodeException;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.time.SteppedTime;
import io.github.penstock.scripts.LuaScript;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CallFailureTest {
  private final SteppedTime time = new SteppedTime();
  private final RuntimeException lost = new IllegalStateException("the client's own");
  private final ScriptCall call = call(new byte[] {'1'});
  private final AtomicLong nanos = new AtomicLong();
  private final List<ScriptCall> renewed = new ArrayList<>();
  private final NodeWatch nodes = new NodeWatch(ScriptCall::keyText, renewed::add, nanos::get);
  private final FailureClassifier single = classifier(false, KnownPasswords.none());
  private final FailureClassifier cluster = classifier(true, KnownPasswords.none());

  /** A server's error, as a client throws it. */
  private static final class ServerError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerError(String text) {
      super(text);
    }
  }

  private FailureClassifier classifier(boolean followsRedirects, KnownPasswords passwords) {
    return new FailureClassifier(
        CallFailureTest::failureOf, () -> followsRedirects, nodes, passwords);
  }

  private static TransportFailure failureOf(Throwable thrown) {
    if (thrown instanceof ServerError) {
      return TransportFailure.answered(thrown.getMessage());
    }
    if (thrown instanceof UnsupportedOperationException) {
      return TransportFailure.of(FailureKind.UNKNOWN);
    }
    return thrown instanceof IllegalStateException
        ? TransportFailure.of(FailureKind.NOT_ANSWERED)
        : null;
  }

  static Stream<JsonObject> cases() throws IOException {
    String json = Files.readString(Path.of("../lua/vectors/errors.json"));
    return StreamSupport.stream(
            JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("cases").spliterator(),
            false)
        .map(JsonElement::getAsJsonObject)
        .filter(each -> each.get("client").getAsString().equals("server"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  @DisplayName(
      "a text of errors.json is of its class, however deep it lies, and proves what it says")
  void classified(JsonObject said) {
    String kind = said.get("class").getAsString();
    FailureKind expected =
        kind.equals("redirect")
            ? FailureKind.UNAVAILABLE
            : FailureKind.valueOf(kind.toUpperCase(Locale.ROOT));
    ServerError error = new ServerError(said.get("text").getAsString());
    RuntimeException deep = new CompletionException(new IOException("wrapped", error));
    assertThat(cluster.of(error, call).kind()).isEqualTo(expected);
    assertThat(cluster.of(NotSentException.notConnected(error), call).kind()).isEqualTo(expected);
    assertThat(cluster.of(deep, call).kind()).isEqualTo(expected);
    boolean charged = !said.has("charged") || said.get("charged").getAsBoolean();
    String message = cluster.of(error, call).exception("api").getMessage();
    assertThat(message.contains("may have been charged")).as(message).isEqualTo(charged);
  }

  static Stream<Arguments> jdk() {
    return Stream.of(
        Arguments.of(new UnknownHostException("redis.invalid"), FailureKind.NOT_ANSWERED),
        Arguments.of(new ConnectException("Connection refused"), FailureKind.NOT_ANSWERED),
        Arguments.of(new TimeoutException(), FailureKind.NOT_ANSWERED),
        Arguments.of(new UnresolvedAddressException(), FailureKind.NOT_ANSWERED),
        Arguments.of(
            new SSLHandshakeException("Remote host terminated the handshake"),
            FailureKind.NOT_ANSWERED),
        Arguments.of(
            new SSLHandshakeException("PKIX").initCause(new CertificateException("untrusted")),
            FailureKind.MISCONFIGURED),
        Arguments.of(new SSLPeerUnverifiedException("another host"), FailureKind.MISCONFIGURED),
        Arguments.of(
            new SSLHandshakeException("(certificate_required) Received fatal alert: bad"),
            FailureKind.MISCONFIGURED),
        Arguments.of(
            new SSLHandshakeException("No appropriate protocol (protocol is disabled)"),
            FailureKind.MISCONFIGURED),
        Arguments.of(
            new SSLException("Unsupported or unrecognized SSL message"), FailureKind.MISCONFIGURED),
        Arguments.of(new NullPointerException(), FailureKind.UNKNOWN));
  }

  @ParameterizedTest
  @MethodSource("jdk")
  @DisplayName("what the JDK's exceptions mean, beneath the client's own")
  void jdk(Throwable thrown, FailureKind kind) {
    CallFailure failure = single.of(new RuntimeException("the client's", thrown), call);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.exception("api")).hasMessageContaining("the client's");
    FailureKind unsent = kind == FailureKind.MISCONFIGURED ? kind : FailureKind.NOT_SENT;
    RuntimeException reason = new RuntimeException(thrown);
    assertThat(single.of(NotSentException.notConnected(reason), call).kind()).isEqualTo(unsent);
  }

  @Test
  @DisplayName("a mistake that a client wraps as it does a lost connection is not understood")
  void mistakes() {
    for (Throwable mistake :
        List.of(
            new IllegalArgumentException("Unsupported protocol TLSv9"),
            new NullPointerException("credentials"),
            new ClassCastException("no list"))) {
      RuntimeException thrown = new IllegalStateException("Unable to connect", mistake);
      CallFailure failure = single.of(NotSentException.notConnected(thrown), call);
      assertThat(failure.kind()).isEqualTo(FailureKind.UNKNOWN);
      assertThat(failure.exception("api"))
          .isExactlyInstanceOf(PenstockException.class)
          .hasMessageContaining("not understood: Unable to connect")
          .hasMessageContaining(mistake.getMessage());
    }
  }

  @Test
  @DisplayName("a file that is no key store is set up wrong")
  void noKeyStore() {
    Throwable thrown =
        catchThrowable(
            () ->
                KeyStore.getInstance("PKCS12")
                    .load(new ByteArrayInputStream("-----BEGIN".getBytes(US_ASCII)), null));
    RuntimeException hiding = new IllegalStateException("Unable to connect", thrown);
    assertThat(single.of(NotSentException.notConnected(hiding), call).kind())
        .isEqualTo(FailureKind.MISCONFIGURED);
  }

  @Test
  @DisplayName("a server that asks for the source of a call that had it is not understood")
  void noScript() {
    ServerError error = new ServerError("NOSCRIPT No matching script.");
    assertThat(single.of(error, call.bySource()).kind()).isEqualTo(FailureKind.UNKNOWN);
  }

  @Test
  @DisplayName("the message has the cause that decided, which the client hides")
  void hiddenCause() {
    RuntimeException hiding = new IllegalStateException("Unable to connect");
    hiding.initCause(new IOException(new UnknownHostException("redis.invalid")));
    assertThat(single.of(NotSentException.notConnected(hiding), call).exception("api"))
        .isExactlyInstanceOf(NoDecisionException.class)
        .hasMessage(
            "policy api, key k: no decision could be made, and nothing was charged: Unable to"
                + " connect (java.net.UnknownHostException: redis.invalid)")
        .hasCause(hiding);
  }

  @Test
  @DisplayName("what is set up wrong has the server's words")
  void misconfigured() {
    ServerError error = new ServerError("NOAUTH Authentication required.");
    assertThat(single.of(error, call).exception("api"))
        .isExactlyInstanceOf(MisconfiguredException.class)
        .hasMessage("policy api, key k: NOAUTH Authentication required.")
        .hasCause(error);
    ServerError ours = new ServerError("ERR penstock token-bucket: state must be ours");
    assertThat(single.of(ours, call).exception("api"))
        .isExactlyInstanceOf(ScriptRefusedException.class)
        .hasMessage("penstock token-bucket: state must be ours (policy api, key k)")
        .hasCause(ours);
    assertThat(single.of(new ServerError("ERR Function not found"), call).exception("api"))
        .isExactlyInstanceOf(MisconfiguredException.class)
        .hasMessageContaining("penstock_1_token_bucket")
        .hasMessageContaining("loadFunctions()");
  }

  @Test
  @DisplayName(
      "a redirection is an outage where it is followed, and else a single server's mistake")
  void redirected() {
    ServerError moved = new ServerError("MOVED 3999 127.0.0.1:6381");
    assertThat(cluster.of(moved, call).kind()).isEqualTo(FailureKind.UNAVAILABLE);
    assertThat(single.of(moved, call).exception("api"))
        .isExactlyInstanceOf(MisconfiguredException.class)
        .hasMessageContaining("redis-cluster://")
        .hasMessageContaining("MOVED 3999");
  }

  @Test
  @DisplayName("what is not understood says that it may have been charged, unless it was a peek")
  void unknown() {
    RuntimeException thrown = new ServerError("ERR upstream failure");
    assertThat(single.of(thrown, call).exception("api"))
        .isExactlyInstanceOf(PenstockException.class)
        .hasMessageContaining("ERR upstream failure")
        .hasMessageContaining("may have been charged")
        .hasCause(thrown)
        .extracting(e -> ((PenstockException) e).kind())
        .isEqualTo(FailureKind.UNKNOWN);
    assertThat(single.of(thrown, call(new byte[] {'0'})).exception("api").getMessage())
        .doesNotContain("charged");
  }

  @Test
  @DisplayName("what answers no RESP is no outage: no Redis server if it does so from the start")
  void noResp() {
    RuntimeException strange =
        new UnsupportedOperationException("Can't read: HTTP\n<html>", new IOException("reset"));
    CallFailure first = single.of(NotSentException.notConnected(strange), call);
    assertThat(first.lacksConnection()).isFalse();
    assertThat(first.exception("api"))
        .isExactlyInstanceOf(MisconfiguredException.class)
        .hasMessage("policy api, key k: what answers is no Redis server: Can't read: HTTP <html>")
        .hasCause(strange);
    assertThat(single.of(strange, call).exception("api"))
        .isExactlyInstanceOf(PenstockException.class)
        .hasMessageContaining("may have been charged")
        .hasMessageContaining("no Redis server");
  }

  @Test
  @DisplayName("no answer may have been charged, unless the transport knows that nothing was sent")
  void unanswered() {
    assertThat(single.of(lost, call).exception("api"))
        .isInstanceOf(MayHaveBeenChargedException.class)
        .hasMessageContaining("token-bucket")
        .hasCause(lost);
    assertThat(single.of(lost, call(new byte[] {'0'})).exception("api"))
        .isExactlyInstanceOf(NoDecisionException.class)
        .hasMessageContaining("a peek charges nothing");
    assertThat(single.of(new NotSentException(lost), call).exception("api"))
        .isExactlyInstanceOf(NoDecisionException.class)
        .hasCause(lost);
    BusyNodeException busy = new BusyNodeException(true);
    assertThat(single.of(new NotSentException(lost), call).overloaded(busy).exception("api"))
        .isExactlyInstanceOf(OverloadedException.class)
        .hasMessageContaining("nothing was charged")
        .hasCause(lost);
    RuntimeException late = TransportStages.late();
    assertThat(single.of(late, call).overloaded(busy).exception("api"))
        .isExactlyInstanceOf(OverloadedException.class)
        .hasMessageContaining("may have been charged")
        .hasMessageContaining("although the server answers");
    NotSentException refused = new NotSentException(new ServerError("WRONGPASS no"));
    assertThat(single.of(refused, call).kind()).isEqualTo(FailureKind.MISCONFIGURED);
  }

  @Test
  @DisplayName("only a call that lacks nothing but a connection may wait for one")
  void waitsForAConnection() {
    assertThat(waits(NotSentException.notConnected(lost))).isTrue();
    assertThat(waits(NotSentException.notConnected(new ServerError("LOADING")))).isTrue();
    assertThat(waits(NotSentException.notConnected(new ServerError("WRONGPASS no")))).isFalse();
    assertThat(waits(new NotSentException(lost))).isFalse();
    assertThat(waits(lost)).isFalse();
  }

  @Test
  @DisplayName(
      "a script that is not loaded is sent as its source until the deadline, and then overloaded")
  void bySource() {
    ServerError unknown = new ServerError("NOSCRIPT No matching script. Please use EVAL.");
    ScriptCall inTime = call(new byte[] {'1'}, time.nanos() + TimeUnit.HOURS.toNanos(1));
    ScriptCall late = call(new byte[] {'1'}, time.nanos());
    assertThat(single.of(unknown, inTime).mayGoBySource()).isTrue();
    assertThat(single.of(unknown, late).mayGoBySource()).isFalse();
    assertThat(single.of(unknown, inTime).kind()).isEqualTo(FailureKind.UNAVAILABLE);
    assertThat(single.of(unknown, late).kind()).isEqualTo(FailureKind.OVERLOADED);
    assertThat(single.of(lost, inTime).mayGoBySource()).isFalse();
  }

  @Test
  @DisplayName("causes that go round in a circle end")
  void circle() {
    RuntimeException one = new IllegalArgumentException("one");
    one.initCause(new IllegalArgumentException("two", one));
    assertThat(single.of(one, call).kind()).isEqualTo(FailureKind.UNKNOWN);
  }

  @Test
  @DisplayName("READONLY renews a node's connection once a second, and is a mistake after 10 s")
  void readOnly() {
    ServerError error = new ServerError("READONLY You can't write against a read only replica.");
    for (int millis = 0; millis < 10_000; millis += 100) {
      nanos.set(millis * 1_000_000L);
      assertThat(single.of(error, call).kind()).isEqualTo(FailureKind.UNAVAILABLE);
    }
    assertThat(renewed).hasSize(10);
    nanos.set(10_000_000_000L);
    assertThat(single.of(error, call).exception("api"))
        .isExactlyInstanceOf(MisconfiguredException.class)
        .hasMessageContaining("this is a replica's address");
    nanos.set(19_900_000_000L);
    NotSentException renewing = NotSentException.notConnected(lost);
    assertThat(single.of(renewing, call).kind()).isEqualTo(FailureKind.MISCONFIGURED);
    assertThat(waits(renewing)).isFalse();
    nanos.set(20_000_000_000L);
    assertThat(single.of(renewing, call).kind()).isEqualTo(FailureKind.NOT_SENT);
    nanos.set(10_000_000_000L);
    nodes.decided(call, true);
    assertThat(single.of(error, call).kind()).isEqualTo(FailureKind.UNAVAILABLE);
    nanos.set(19_999_000_000L);
    assertThat(single.of(error, call).kind()).isEqualTo(FailureKind.UNAVAILABLE);
    nanos.set(20_000_000_000L);
    assertThat(single.of(error, call).kind()).isEqualTo(FailureKind.MISCONFIGURED);
  }

  @Test
  @DisplayName("a node that lets nobody sign in has no outage until it decides")
  void refusedSignIn() {
    NotSentException late = NotSentException.notConnected(lost);
    assertThat(single.of(late, call).kind()).isEqualTo(FailureKind.NOT_SENT);
    single.of(new ServerError("WRONGPASS invalid username-password pair"), call);
    CallFailure refused = single.of(late, call);
    assertThat(refused.kind()).isEqualTo(FailureKind.MISCONFIGURED);
    assertThat(refused.exception("api"))
        .isExactlyInstanceOf(MisconfiguredException.class)
        .hasMessageContaining("WRONGPASS invalid username-password pair; ")
        .message()
        .doesNotContain("charged");
    assertThat(single.of(lost, call).exception("api"))
        .hasMessageContaining("pair; the call may have been charged: the client's own");
    nodes.decided(call, false);
    assertThat(single.of(late, call).kind()).isEqualTo(FailureKind.NOT_SENT);
    single.of(new ServerError("WRONGTYPE a key that holds something else"), call);
    assertThat(single.of(late, call).kind()).isEqualTo(FailureKind.NOT_SENT);
  }

  @Test
  @DisplayName("an exception with a password is replaced, all the way down, and no other is")
  void passwords() {
    KnownPasswords known = KnownPasswords.of("redis://user:p%40ss@localhost").and("other");
    FailureClassifier masking = classifier(false, known);
    RuntimeException thrown = new IllegalStateException("no connection");
    Throwable deep = new IOException("sent p%40ss");
    deep.addSuppressed(new IOException("and other"));
    thrown.initCause(new ServerError("ERR unknown command 'AUTH', with args: 'p@ss'"));
    thrown.getCause().initCause(deep);
    RuntimeException told = masking.of(thrown, call).exception("api");
    StringWriter trace = new StringWriter();
    told.printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString())
        .contains("ERR unknown command 'AUTH', with args: '***'")
        .contains("ServerError: ", "java.lang.IllegalStateException: no connection", "sent ***")
        .contains("and ***", "CallFailureTest.passwords(")
        .doesNotContain("p@ss", "p%40ss", "other");
    assertThat(told).isExactlyInstanceOf(MisconfiguredException.class);
    assertThat(masking.of(lost, call).exception("api")).hasCause(lost);
    assertThat(masking.exception("not loaded: ", thrown))
        .hasMessage("not loaded: no connection")
        .isExactlyInstanceOf(MisconfiguredException.class);
  }

  private boolean waits(RuntimeException thrown) {
    return single.of(thrown, call).lacksConnection();
  }

  private ScriptCall call(byte[] cost) {
    return call(cost, 0);
  }

  private ScriptCall call(byte[] cost, long deadline) {
    byte[] key = {'k'};
    return new ScriptCall(
        ScriptCall.Verb.FCALL, LuaScript.TOKEN_BUCKET, key, cost, new byte[0][], deadline, time);
  }
}
