package io.github.penstock.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.annotations.SerializedName;
import io.github.penstock.core.OnUnavailable;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.UnreadableReplyException;
import io.github.penstock.core.reserve.CallId;
import io.github.penstock.core.reserve.EntryCost;
import io.github.penstock.core.reserve.EntryLimit;
import io.github.penstock.core.reserve.Reservation;
import io.github.penstock.core.reserve.ReservedCall;
import io.github.penstock.core.reserve.SettleResult;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.adapter.TransportRateLimiters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays the published calls under several limits, their replies and settlements. */
class CallVectorsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private final RecordedCalls transport = new RecordedCalls();

  record Entry(String policy, String limit, String mode, long units, @Nullable String within) {
    EntryCost made() {
      EntryLimit named = EntryLimit.parse(policy, limit);
      return new EntryCost(
          named, within, EntryCost.Mode.valueOf(mode.toUpperCase(Locale.ROOT)), units);
    }
  }

  record Call(
      String prefix,
      String group,
      String id,
      @SerializedName("keep_us") long keepMicros,
      List<Entry> entries,
      List<String> keys,
      List<String> args,
      @SerializedName("settle_keys") List<String> settleKeys,
      @Nullable String error) {}

  record Reply(
      List<String> limits,
      List<Long> reply,
      boolean allowed,
      boolean repeated,
      @Nullable Integer denying,
      @SerializedName("retry_after_seconds") @Nullable Long retryAfterSeconds,
      @SerializedName("delay_us") long delayMicros,
      boolean settled,
      @Nullable String error) {}

  record Vectors(List<Call> calls, List<Reply> replies, List<Reply> settlements) {}

  static Vectors vectors() throws IOException {
    return new Gson()
        .fromJson(Files.readString(Path.of("../lua/vectors/calls.json")), Vectors.class);
  }

  static Stream<Call> calls() throws IOException {
    return vectors().calls.stream();
  }

  static Stream<Reply> replies() throws IOException {
    return vectors().replies.stream();
  }

  static Stream<Reply> settlements() throws IOException {
    return vectors().settlements.stream();
  }

  @ParameterizedTest
  @MethodSource("calls")
  @DisplayName("every published call has its keys and arguments, or is refused and not sent")
  void sent(Call call) {
    if (call.error != null) {
      assertThatIllegalArgumentException().isThrownBy(() -> reserved(call));
      assertThat(transport.sent).isEmpty();
      return;
    }
    transport.answer = allowed(call.entries.size());
    try (Reservation held = reserved(call)) {
      ScriptCall asked = transport.sent.get(0);
      assertThat(asked.scriptName()).isEqualTo("reserve");
      assertThat(keys(asked)).isEqualTo(call.keys);
      assertThat(IntStream.range(0, asked.argumentCount()).mapToObj(asked::argument))
          .extracting(bytes -> new String(bytes, StandardCharsets.UTF_8))
          .isEqualTo(call.args);
      transport.answer = settled(call.settleKeys.size() - 1);
      held.cancel();
    }
    if (call.settleKeys.size() > 1) {
      assertThat(keys(transport.sent.get(1))).isEqualTo(call.settleKeys);
    }
  }

  @ParameterizedTest
  @MethodSource("replies")
  @DisplayName("every published reply says what it says, or is not read")
  void read(Reply vector) {
    transport.answer = vector.reply;
    if (vector.error != null) {
      assertThatThrownBy(() -> reserved(vector)).isInstanceOf(UnreadableReplyException.class);
      return;
    }
    Reservation call = reserved(vector);
    assertThat(call.allowed()).isEqualTo(vector.allowed);
    assertThat(call.answer().repeated()).isEqualTo(vector.repeated);
    assertThat(call.answer().denying()).isEqualTo(vector.denying == null ? -1 : vector.denying);
    Duration wait = call.retryAfter();
    Long seconds =
        wait.equals(ReservedCall.NEVER)
            ? null
            : wait.plus(Duration.ofSeconds(1).minusNanos(1)).toSeconds();
    assertThat(seconds).isEqualTo(vector.retryAfterSeconds);
    assertThat(call.delay()).isEqualTo(Duration.of(vector.delayMicros, ChronoUnit.MICROS));
    List<Long> usages = new ArrayList<>();
    call.usages()
        .forEach(
            each ->
                Collections.addAll(
                    usages,
                    each.limit(),
                    each.remaining(),
                    each.held(),
                    each.resetMicros(),
                    (long) each.tier()));
    assertThat(usages).isEqualTo(vector.reply.subList(4, vector.reply.size()));
  }

  @ParameterizedTest
  @MethodSource("settlements")
  @DisplayName("every published reply to a settlement says what it says, or is not read")
  void settled(Reply vector) {
    transport.answer = allowed(vector.limits.size());
    Reservation call = reserved(vector);
    transport.answer = vector.reply;
    if (vector.error != null) {
      assertThatThrownBy(() -> call.settle(0)).isInstanceOf(UnreadableReplyException.class);
      return;
    }
    assertThat(call.settle(0))
        .isEqualTo(vector.settled ? SettleResult.SETTLED : SettleResult.RAN_OUT);
  }

  private Reservation reserved(Call call) {
    EntryCost[] entries = call.entries.stream().map(Entry::made).toArray(EntryCost[]::new);
    return reserved(call.prefix, call.group, call.id, call.keepMicros, entries);
  }

  private Reservation reserved(Reply vector) {
    EntryCost[] entries =
        IntStream.range(0, vector.limits.size())
            .mapToObj(at -> EntryLimit.parse("p" + at, vector.limits.get(at)).reserve())
            .toArray(EntryCost[]::new);
    return reserved("penstock", "g", "id", 60_000_000, entries);
  }

  private Reservation reserved(
      String prefix, String group, String id, long keepMicros, EntryCost... entries) {
    Duration keep = Duration.of(keepMicros, ChronoUnit.MICROS);
    RateLimiterOptions options =
        RateLimiterOptions.builder()
            .prefix(prefix)
            .deadline(keep.compareTo(SECOND) < 0 ? Duration.ofMillis(1) : SECOND)
            .onUnavailable(OnUnavailable.ALLOW)
            .build();
    return new TransportRateLimiters(transport, options, () -> {})
        .reservations("llm", keep)
        .reserve(new CallId(id), group, entries);
  }

  private static List<Long> allowed(int entries) {
    List<Long> reply = new ArrayList<>(List.of(1L, 0L, 0L, 0L));
    reply.addAll(settled(entries).subList(1, 1 + 5 * entries));
    return reply;
  }

  private static List<Long> settled(int entries) {
    List<Long> reply = new ArrayList<>(List.of(1L));
    IntStream.range(0, entries).forEach(each -> Collections.addAll(reply, 10L, 9L, 1L, 5L, 1L));
    return reply;
  }

  private static List<String> keys(ScriptCall call) {
    return IntStream.range(0, call.keyCount())
        .mapToObj(at -> new String(call.key(at), StandardCharsets.UTF_8))
        .toList();
  }

  /** Keeps what is sent, and answers the same until it is given another answer. */
  private static final class RecordedCalls implements ScriptTransport {
    private final List<ScriptCall> sent = new ArrayList<>();
    private List<Long> answer = List.of();

    @Override
    public CompletionStage<?> send(ScriptCall call) {
      sent.add(call);
      return CompletableFuture.completedFuture(answer);
    }

    @Override
    public List<? extends CompletionStage<?>> sendAll(List<ScriptCall> calls) {
      return calls.stream().map(this::send).toList();
    }

    @Override
    public @Nullable TransportFailure failure(Throwable thrown) {
      return null;
    }

    @Override
    public CompletionStage<?> loadFunctions(String library) {
      throw new UnsupportedOperationException("nothing is loaded here");
    }
  }
}
