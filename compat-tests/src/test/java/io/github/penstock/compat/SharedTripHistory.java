package io.github.penstock.compat;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.penstock.compat.script.LimitSetting;
import io.github.penstock.compat.script.TimedKey;
import io.github.penstock.core.internal.trips.SharedTransport;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.resp.RespConnection;
import io.github.penstock.testkit.script.ScriptAnswer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A random history of calls of one key, of two limits or costs. They share trips by the clients'
 * own code, which sends through this. Each command is executed at a random instant on a server, and
 * the model is asked for its calls one by one at the same instant.
 */
final class SharedTripHistory implements ScriptTransport, TimeSource {
  /** How a client could share trips wrongly. */
  enum Mistake {
    /** The granted calls are told in the opposite order. */
    TOLD_OUT_OF_ORDER,
    /** The calls that a first command did not grant are denied by its reply, whose wait is 0. */
    DENIED_BY_THE_FIRST_REPLY,
    /** A first command grants one call more than its reply says. */
    CHARGED_AND_NOT_TOLD,
    /** Calls share a trip if they have the same key, whatever their limits and costs are. */
    GROUPED_BY_KEY
  }

  /** What histories had in them. */
  static final class Counts {
    long histories;
    long calls;
    long trips;
    long partial;
    long grantedBehindPartial;

    @Override
    public String toString() {
      return "%d histories, %d calls, %d trips of two or more, %d partial grants, %d granted behind one"
          .formatted(histories, calls, trips, partial, grantedBehindPartial);
    }
  }

  private static final int EVENTS = 30;
  private static final int MOST_CALLS = 60;
  private static final int MOST_COST = 50;
  private static final long FIRST_US = 1_700_000_000_000_000L;

  private final ScriptRoute route;
  private final ScriptAlgorithm algorithm;
  private final @Nullable Mistake mistake;
  private final Counts counts;
  private final Random random;
  private final String key = "penstock-trips:{" + UUID.randomUUID() + "}";
  private final ModelStore model = new ModelStore();
  private final SharedTransport shared = SharedTransport.ofAsync(this, this);
  private final List<Limit> limits = new ArrayList<>();
  private final Map<ScriptCall, TreeSet<Call>> waiting = new HashMap<>();
  private final Deque<Trip> trips = new ArrayDeque<>();
  private int entered;
  private long nanos;
  private long nowUs = FIRST_US;
  private long waitUs;
  private long resetUs;
  private @Nullable Object stored;

  SharedTripHistory(
      ScriptRoute route,
      ScriptAlgorithm algorithm,
      long seed,
      @Nullable Mistake mistake,
      Counts to) {
    this.route = route;
    this.algorithm = algorithm;
    this.mistake = mistake;
    this.counts = to;
    random = new Random(seed);
    List<List<Long>> tiers =
        Stream.generate(() -> tier(below(20, 3_000_000, 8_000_000_000L)))
            .limit(1 + random.nextInt(3))
            .toList();
    limits.add(new Limit(cost(), tiers));
    // The key of a window lacks its units; that of a bucket has all numbers.
    limits.add(
        new Limit(
            cost(),
            tiers.stream().map(tier -> tier.size() == 2 ? tier(tier.get(1)) : tier).toList()));
  }

  /** A limit, and what each of its calls costs. */
  private record Limit(long cost, List<List<Long>> tiers) {
    List<String> tierTexts() {
      return tiers.stream().flatMap(List::stream).map(String::valueOf).toList();
    }
  }

  private static final class Call {
    final int number;
    final Limit limit;
    @Nullable CompletableFuture<?> told;

    Call(int number, Limit limit) {
      this.number = number;
      this.limit = limit;
    }
  }

  /** What a call must be told, and the units that its trip charged for the calls behind it. */
  private record Expected(Call call, List<Long> reply, long unitsBehind) {}

  /** The commands of a trip, the calls without an answer yet, and what the others must be told. */
  private record Trip(
      List<ScriptCall> commands,
      int size,
      List<Call> calls,
      List<CompletableFuture<@Nullable Object>> answers,
      List<List<Long>> replies,
      List<Expected> expected) {}

  void play() {
    for (int i = 0; i < EVENTS || !trips.isEmpty(); i++) {
      nanos += random.nextInt(random.nextBoolean() ? 1_000 : 400_000);
      nowUs += random.nextInt(3) == 0 ? passedUs() : 0;
      int event = random.nextInt(10);
      if (event == 0) {
        anotherClientCalls();
      } else if (event < 4 && i < EVENTS) {
        callsBegin();
      } else if (!trips.isEmpty()) {
        execute(trips.getFirst());
      }
    }
    route.connection().call("DEL", key);
    counts.histories++;
  }

  private void callsBegin() {
    Limit of = limits.get(random.nextInt(2));
    Limit sent = mistake == Mistake.GROUPED_BY_KEY ? limits.get(0) : of;
    ScriptCall call = scriptCall(sent);
    TreeSet<Call> queue =
        waiting.computeIfAbsent(
            call, like -> new TreeSet<>(Comparator.comparingInt(each -> each.number)));
    for (long calls = below(2, 8, MOST_CALLS); calls > 0 && queue.size() < MOST_CALLS; calls--) {
      Call one = new Call(entered++, of);
      queue.add(one);
      one.told = shared.send(call).toCompletableFuture();
    }
  }

  private void anotherClientCalls() {
    Limit limit = limits.get(random.nextInt(2));
    long cost = random.nextInt(4) == 0 ? -below(5, 50, 500) : below(1, 20, MOST_COST) - 1;
    List<String> arguments = arguments(Long.toString(cost), limit);
    assertThat(onServer(arguments))
        .as(() -> "another client: " + arguments)
        .isEqualTo(ask(cost, limit).reply());
    stateEqualsModel(arguments);
  }

  @Override
  public CompletionStage<? extends @Nullable Object> send(ScriptCall call) {
    return sendAll(List.of(call)).get(0);
  }

  /** All calls that wait go together, as rule C2 says. */
  @Override
  public List<CompletableFuture<@Nullable Object>> sendAll(List<ScriptCall> commands) {
    TreeSet<Call> queue = requireNonNull(waiting.get(commands.get(commands.size() - 1)));
    int size = queue.size();
    String cost = costText(commands.get(commands.size() - 1));
    assertThat(commands.stream().map(SharedTripHistory::costText))
        .containsExactlyElementsOf(
            size == 1 ? List.of(cost) : List.of(size == 2 ? cost : cost + "*" + (size - 1), cost));
    List<CompletableFuture<@Nullable Object>> answers =
        commands.stream().map(each -> new CompletableFuture<@Nullable Object>()).toList();
    trips.add(
        new Trip(
            commands, size, new ArrayList<>(queue), answers, new ArrayList<>(), new ArrayList<>()));
    queue.clear();
    counts.trips += size > 1 ? 1 : 0;
    return answers;
  }

  /* Executes the next command of a trip. */
  private void execute(Trip trip) {
    int place = trip.replies.size();
    ScriptCall command = trip.commands.get(place);
    List<String> arguments =
        Stream.concat(
                IntStream.range(0, command.argumentCount())
                    .mapToObj(at -> text(command.argument(at))),
                Stream.of(Long.toString(nowUs)))
            .toList();
    List<Long> reply = onServer(arguments);
    boolean isLast = place == trip.commands.size() - 1;
    if (isLast || trip.size == 2) {
      expectOfPlain(trip, isLast);
    } else {
      expectOfSeveral(trip);
    }
    stateEqualsModel(arguments);
    trip.replies.add(reply);
    if (isLast) {
      trips.remove();
      requireNonNull(waiting.get(command)).addAll(trip.calls);
    }
    trip.answers.get(place).complete(mistaken(trip, isLast, reply));
    if (isLast) {
      compare(trip);
    }
  }

  private void expectOfSeveral(Trip trip) {
    int asks = trip.size - 1;
    List<ExpectedOutcome> granted =
        trip.calls.stream()
            .limit(asks)
            .map(call -> ask(call.limit.cost, call.limit))
            .takeWhile(ExpectedOutcome::allowed)
            .toList();
    for (int behind = granted.size() - 1; behind >= 0; behind--) {
      Call call = trip.calls.remove(0);
      List<Long> reply = granted.get(granted.size() - 1 - behind).reply();
      trip.expected.add(new Expected(call, reply, behind * call.limit.cost));
    }
    counts.partial += !granted.isEmpty() && granted.size() < asks ? 1 : 0;
  }

  /* A denial by the last command is the answer of all calls without one. */
  private void expectOfPlain(Trip trip, boolean isLast) {
    int left = trip.calls.size();
    boolean isBehindPartial = trip.size > 2 && left > 1 && left < trip.size;
    ExpectedOutcome outcome;
    do {
      Call call = trip.calls.remove(0);
      outcome = ask(call.limit.cost, call.limit);
      trip.expected.add(new Expected(call, outcome.reply(), 0));
    } while (isLast && !outcome.allowed() && !trip.calls.isEmpty());
    counts.grantedBehindPartial += isBehindPartial && outcome.allowed() ? 1 : 0;
  }

  private void compare(Trip trip) {
    if (mistake == Mistake.TOLD_OUT_OF_ORDER && trip.expected.size() > 1) {
      CompletableFuture<?> told = trip.expected.get(0).call.told;
      trip.expected.get(0).call.told = trip.expected.get(1).call.told;
      trip.expected.get(1).call.told = told;
    }
    for (Expected expected : trip.expected) {
      String where =
          "call " + expected.call.number + " of " + expected.call.limit + " in " + trip.replies;
      CompletableFuture<?> answer = requireNonNull(expected.call.told);
      assertThat(answer).as(where).isCompleted();
      List<Long> told = ScriptAnswer.of(answer.join()).reply();
      assertThat(withoutReset(told)).as(where).isEqualTo(withoutReset(expected.reply));
      List<Long> tier = expected.call.limit.tiers.get(told.get(5).intValue() - 1);
      long own = expected.reply.get(4);
      assertThat(told.get(4)).as(where).isBetween(own, own + refillUs(tier, expected.unitsBehind));
      counts.calls++;
    }
    assertThat(trip.calls).allMatch(call -> !requireNonNull(call.told).isDone());
  }

  private List<Long> mistaken(Trip trip, boolean isLast, List<Long> reply) {
    List<Long> first = trip.replies.get(0);
    boolean isShort = trip.size > 2 && first.get(0) < trip.size - 1;
    List<Long> told = new ArrayList<>(reply);
    if (mistake == Mistake.DENIED_BY_THE_FIRST_REPLY && isLast && isShort) {
      told = new ArrayList<>(first);
      told.set(0, 0L);
    } else if (mistake == Mistake.CHARGED_AND_NOT_TOLD && !isLast && reply.get(0) > 1) {
      told.set(0, reply.get(0) - 1);
    }
    return told;
  }

  private long refillUs(List<Long> tier, long units) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> ceil(units * tier.get(2), tier.get(1));
      case INTERVAL_BUCKET -> ceil(units, tier.get(1)) * tier.get(2);
      default -> 0;
    };
  }

  private static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  private static List<Long> withoutReset(List<Long> reply) {
    return List.of(reply.get(0), reply.get(1), reply.get(2), reply.get(3), reply.get(5));
  }

  private ExpectedOutcome ask(long cost, Limit limit) {
    ExpectedOutcome outcome =
        model.call(algorithm, List.of(key), arguments(Long.toString(cost), limit));
    assertThat(outcome.error()).isNull();
    waitUs = Math.max(0, outcome.waitUs());
    resetUs = outcome.resetUs();
    return outcome;
  }

  private List<Long> onServer(List<String> arguments) {
    RespConnection connection = route.connection();
    connection.send(route.form().command(algorithm.scriptName(), List.of(key), arguments));
    connection.send("GET", key);
    List<Long> reply = ScriptAnswer.of(connection.receive()).reply();
    stored = connection.receive();
    return reply;
  }

  private void stateEqualsModel(List<String> arguments) {
    assertThat(stored).as(arguments::toString).isEqualTo(model.get(key).text());
  }

  private List<String> arguments(String cost, Limit limit) {
    List<String> arguments = new ArrayList<>(List.of(cost));
    arguments.addAll(limit.tierTexts());
    arguments.add(Long.toString(nowUs));
    return arguments;
  }

  private ScriptCall scriptCall(Limit limit) {
    byte[][] tiers =
        limit.tierTexts().stream().map(SharedTripHistory::bytes).toArray(byte[][]::new);
    byte[] cost = bytes(Long.toString(limit.cost));
    return new ScriptCall(
        ScriptCall.Verb.EVALSHA,
        TimedKey.script(algorithm),
        bytes(key),
        cost,
        tiers,
        Long.MAX_VALUE,
        this);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String costText(ScriptCall call) {
    return text(call.argument(0));
  }

  private List<Long> tier(long periodUs) {
    return LimitSetting.numbers(algorithm, below(20, 300, 3_000), below(5, 50, 500), periodUs);
  }

  private long cost() {
    return below(1, 5, MOST_COST);
  }

  /* A number from 1 to one of these. */
  private long below(long... most) {
    return 1 + random.nextLong(most[random.nextInt(most.length)]);
  }

  private long passedUs() {
    return switch (random.nextInt(7)) {
      case 0 -> waitUs;
      case 1 -> Math.max(0, waitUs - 1);
      case 2 -> resetUs;
      case 3 -> resetUs / 3;
      case 4 -> random.nextLong(2_000_000);
      default -> -random.nextLong(2_000_000);
    };
  }

  @Override
  public boolean ordersCalls() {
    return true;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public long wallMillis() {
    return nowUs / 1_000;
  }

  /** The next call or answer does what this would do. */
  @Override
  public Executor at(long atNanos, Executor executor) {
    return task -> {};
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return null;
  }

  @Override
  public CompletionStage<?> loadFunctions(String library) {
    throw new UnsupportedOperationException("the route has loaded the scripts");
  }
}
