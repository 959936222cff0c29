package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import io.github.penstock.core.RateLimiter;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.UnreadableReplyException;
import io.github.penstock.core.internal.protocol.ReplyDecoder;
import io.github.penstock.core.limit.Limits;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the calls of a limiter send, and which replies cannot be read, as in every language. */
class CommandVectorsTest {
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();
  private final RecordedTransport transport = new RecordedTransport();

  record Command(
      String call,
      String limit,
      long cost,
      long calls,
      long units,
      List<String> args,
      String error) {}

  record Unreadable(Object reply, long calls) {}

  record Vectors(List<Command> commands, List<Unreadable> unreadable) {}

  /** Java takes up to so many units, and not calls of another cost. */
  static Stream<Command> commands() throws IOException {
    return vectors().commands.stream()
        .filter(command -> !command.call.equals("acquire_up_to") || command.cost == 1);
  }

  static Stream<Unreadable> unreadable() throws IOException {
    return vectors().unreadable.stream();
  }

  private static Vectors vectors() throws IOException {
    return GSON.fromJson(Files.readString(Path.of("../lua/vectors/commands.json")), Vectors.class);
  }

  @ParameterizedTest
  @MethodSource("commands")
  @DisplayName("every published call sends these arguments, or is refused")
  void sent(Command command) {
    transport.answers(List.of(1L, 1L, 1L, 0L, 0L, 1L));
    RateLimiter limiter = limiter(command.limit);
    if (command.error != null) {
      String name = command.error.equals("calls") ? "max" : command.error;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> make(limiter, command))
          .withMessageStartingWith(name + " must ");
      assertThat(transport.calls()).isEmpty();
      return;
    }
    make(limiter, command);
    assertThat(arguments(transport.calls().get(0))).isEqualTo(command.args);
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  @DisplayName("every published reply that cannot be read is an error")
  void refused(Unreadable unreadable) {
    transport.answers(List.of(1L, 1L, 1L, 0L, 0L, 1L));
    limiter("fixed-window:50/1s").tryAcquire("user:42");
    ScriptCall call = transport.calls().get(0);
    assertThatThrownBy(() -> ReplyDecoder.acquired(call, unreadable.reply, unreadable.calls))
        .isInstanceOf(UnreadableReplyException.class);
  }

  private RateLimiter limiter(String limit) {
    RateLimiterOptions options = RateLimiterOptions.builder().build();
    return new TransportRateLimiters(transport, options, () -> {})
        .limiter("api", Limits.parse(limit));
  }

  private static void make(RateLimiter limiter, Command command) {
    switch (command.call) {
      case "acquire" -> limiter.tryAcquire("user:42", command.cost);
      case "acquire_up_to" -> limiter.tryAcquireUpTo("user:42", command.calls);
      case "peek" -> limiter.peek("user:42");
      case "refund" -> limiter.refund("user:42", command.units);
      case "reset" -> limiter.reset("user:42");
      default -> throw new AssertionError(command);
    }
  }

  private static List<String> arguments(ScriptCall call) {
    return IntStream.range(0, call.argumentCount())
        .mapToObj(at -> new String(call.argument(at), StandardCharsets.US_ASCII))
        .toList();
  }
}
