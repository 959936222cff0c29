package io.github.penstock.benchmarks.server;

import io.github.penstock.benchmarks.limiter.PenstockAlgorithm;
import io.github.penstock.benchmarks.plan.ScriptCase;
import io.github.penstock.benchmarks.result.ScriptCost;
import io.github.penstock.report.console.OrderlyStop;
import io.github.penstock.report.console.UserErrorException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;
import redis.clients.jedis.util.SafeEncoder;

/**
 * Measures the server's cost of a script call: the time that the server itself counts (INFO
 * commandstats), {@value #AT_ONCE} calls sent at once, on keys in random order. All are
 * interleaved, and the best iteration counts: so few calls take so little time that the best of
 * many iterations is undisturbed.
 *
 * <p>The counters are read before and after and never reset, so a server that others use is left as
 * it was; scripts of others are noticed, because the count is then too high. Closing it removes the
 * keys. Not safe for use by several threads.
 */
public final class ScriptCostMeter implements AutoCloseable {
  /** How many calls are sent at once, which is an iteration. */
  public static final int AT_ONCE = 200;

  private static final int ATTEMPTS = 3;
  private static final int KEYS_AT_ONCE = 10_000;
  private final RedisClient client;
  private final String prefix;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<MeteredCall> metered = new ArrayList<>();
  private BiConsumer<Integer, Integer> progress = (done, of) -> {};
  private int keys;

  /** On keys {@code <prefix>:<number>}, of which there must be none yet. */
  public ScriptCostMeter(RedisClient client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  /** On keys with names of 12 bytes, under an unused prefix. */
  public static ScriptCostMeter onShortKeys(RedisClient client) {
    SecureRandom random = new SecureRandom();
    while (true) {
      String prefix = String.format(Locale.ROOT, "p%05x", random.nextInt(0x100000));
      ScriptCostMeter meter = new ScriptCostMeter(client, prefix);
      if (client.exists(meter.names(0, KEYS_AT_ONCE, "")) == 0) {
        return meter;
      }
    }
  }

  /** Returns how many bytes a key's name has, while there are fewer than 100,000. */
  public int bytesOfName() {
    return key(0).length();
  }

  /**
   * The cost of each call.
   *
   * @param keysOfEach the number of separate keys of each
   * @param iterations how many each has in a round
   */
  public List<ScriptCost> measure(
      List<ScriptCase> calls, int keysOfEach, int rounds, int iterations) {
    List<MeteredCall> all = calls.stream().map(call -> prepared(call, keysOfEach)).toList();
    double[] best = new double[all.size()];
    Arrays.fill(best, Double.MAX_VALUE);
    for (int i = 0; i < rounds * iterations; i++) {
      OrderlyStop.check();
      progress.accept(i / iterations, rounds);
      for (int each = 0; each < best.length; each++) {
        best[each] = Math.min(best[each], micros(all.get(each)));
      }
    }
    return IntStream.range(0, best.length)
        .mapToObj(each -> new ScriptCost(calls.get(each), best[each]))
        .toList();
  }

  /** MEMORY USAGE, in bytes, of a key after the call was made once. */
  public long bytesPerKey(ScriptCase call) {
    Long bytes = client.memoryUsage(key(prepared(call, 1).first));
    return bytes == null ? 0 : bytes;
  }

  @Override
  public void close() {
    List<String> suffixes =
        metered.stream().flatMap(each -> each.call.keySuffixes().stream()).distinct().toList();
    for (int from = 0; from < keys; from += KEYS_AT_ONCE) {
      int end = Math.min(keys, from + KEYS_AT_ONCE);
      for (String suffix : suffixes) {
        client.unlink(names(from, end, suffix));
      }
    }
  }

  /** Tells how many rounds are done, of how many. */
  public ScriptCostMeter tells(BiConsumer<Integer, Integer> listener) {
    progress = listener;
    return this;
  }

  /* A limiter's first call of a key is allowed, regardless of the later ones. */
  private MeteredCall prepared(ScriptCase call, int size) {
    MeteredCall made = new MeteredCall(call, load(call), keys, size);
    metered.add(made);
    keys += size;
    boolean allowed = !call.isFloor() || call.allowed();
    for (int from = 0; from < size; from += AT_ONCE) {
      send(made, IntStream.range(from, Math.min(size, from + AT_ONCE)), allowed);
    }
    return made;
  }

  /** Brings it to the server, and returns the name by which it is called. */
  private String load(ScriptCase call) {
    if (call.form() == ScriptCase.Form.FUNCTION) {
      client.functionLoadReplace(call.source());
      return PenstockAlgorithm.valueOf(call.candidate().name()).script().functionName();
    }
    return client.scriptLoad(call.source());
  }

  private String[] names(int from, int end, String suffix) {
    return IntStream.range(from, end).mapToObj(i -> key(i) + suffix).toArray(String[]::new);
  }

  private String key(int number) {
    return String.format(Locale.ROOT, "%s:%05d", prefix, number);
  }

  private double micros(MeteredCall metered) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ServerStats before = ServerStats.ofCommands(client::info);
      send(metered, random.ints(AT_ONCE, 0, metered.size), metered.call.allowed());
      ServerStats used = ServerStats.ofCommands(client::info).since(before);
      if (used.scripts() == AT_ONCE) {
        return used.scriptMicros() / AT_ONCE;
      }
    }
    throw disturbed();
  }

  /** Scripts of others were counted, too. */
  static UserErrorException disturbed() {
    return new UserErrorException(
        "somebody else is running scripts on this server, so its counters do not show what ours cost: measure on a server of your own, or leave --redis out.");
  }

  private void send(MeteredCall metered, IntStream numbers, boolean allowed) {
    OrderlyStop.check();
    List<Response<Object>> replies;
    try (Pipeline pipeline = client.pipelined()) {
      replies =
          numbers
              .mapToObj(number -> pipeline.sendCommand(metered.command(), words(metered, number)))
              .toList();
      pipeline.sync();
    }
    for (Response<Object> each : replies) {
      Object reply = SafeEncoder.encodeObject(each.get());
      Object told = reply instanceof List<?> several ? several.get(0) : reply;
      if (!told.equals(allowed ? 1L : 0L)) {
        throw new IllegalStateException(metered.call.candidate().title() + " answered " + reply);
      }
    }
  }

  private String[] words(MeteredCall metered, int number) {
    List<String> suffixes = metered.call.keySuffixes();
    List<String> words = new ArrayList<>();
    words.addAll(List.of(metered.name, "" + suffixes.size()));
    suffixes.forEach(suffix -> words.add(key(metered.first + number) + suffix));
    words.addAll(metered.call.arguments());
    return words.toArray(String[]::new);
  }

  /**
   * A call on its keys.
   *
   * @param name by which the server knows it
   * @param first number of its first key
   * @param size how many keys it has
   */
  private record MeteredCall(ScriptCase call, String name, int first, int size) {
    private Protocol.Command command() {
      return call.form() == ScriptCase.Form.FUNCTION
          ? Protocol.Command.FCALL
          : Protocol.Command.EVALSHA;
    }
  }
}
