package io.github.penstock.simulator.network;

import io.github.penstock.core.AcquiredUnits;
import io.github.penstock.core.Decision;
import io.github.penstock.core.limit.Limit;
import io.github.penstock.core.protocol.LimitEncoding;
import io.github.penstock.core.protocol.ReplyDecoder;
import io.github.penstock.testkit.model.ExactModel;
import io.github.penstock.testkit.model.ExpectedOutcome;
import io.github.penstock.testkit.model.ModelStore;
import io.github.penstock.testkit.model.ScriptAlgorithm;
import io.github.penstock.testkit.model.StoredValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The exact model as a server on the network. */
final class ModelServer {
  private static final long START_US = 1_763_712_000_000_000L;
  private final SimulatedNetwork network;
  private final ModelStore store = new ModelStore();
  private final Map<String, Integer> writes = new HashMap<>();
  private final Set<Long> windowEnds = new HashSet<>();
  private long steppedUs;

  ModelServer(SimulatedNetwork network) {
    this.network = network;
  }

  /** The server's time. */
  long nowUs() {
    return START_US + steppedUs + network.nowNanos() / 1_000;
  }

  /** The server's clock steps. */
  void step(long micros) {
    steppedUs += micros;
  }

  /** Asks for up to {@code calls} calls of a cost. */
  AcquiredUnits charge(String key, Limit limit, long cost, long calls) {
    AcquiredUnits answer =
        ReplyDecoder.acquired(
            call(key, limit, calls == 1 ? "" + cost : cost + "*" + calls).reply(), calls);
    if (windowEndUs(key) > 0) {
      windowEnds.add(windowEndUs(key));
    }
    return answer;
  }

  /** Gives units back. */
  void refund(String key, Limit limit, long units) {
    call(key, limit, "-" + units);
  }

  /** Forgets a key. */
  void delete(String key) {
    store.put(key, StoredValue.NOTHING);
    writes.merge(key, 1, Integer::sum);
  }

  /** The answer to a call as it would be now; it changes nothing. */
  Decision wouldAnswer(String key, Limit limit, long cost) {
    LimitEncoding encoding = LimitEncoding.of(limit);
    ExpectedOutcome outcome =
        ExactModel.of(algorithm(encoding))
            .call(List.of(key), arguments(encoding, "" + cost), store.get(key), nowUs());
    return ReplyDecoder.acquired(outcome.reply(), 1).decision();
  }

  /** How often a key was written. */
  int writes(String key) {
    return writes.getOrDefault(key, 0);
  }

  /** When the open window of a key ends; 0 if it has none. */
  long windowEndUs(String key) {
    String text = store.get(key).text();
    int colon = text == null ? -1 : text.indexOf(':');
    return colon < 0 ? 0 : Long.parseLong(text.substring(0, colon));
  }

  /** When the windows ended that were open when somebody asked. */
  Set<Long> windowEndsUs() {
    return windowEnds;
  }

  /** The network's time at a server's time. */
  long nanosAt(long serverUs) {
    return (serverUs - steppedUs - START_US) * 1_000;
  }

  private ExpectedOutcome call(String key, Limit limit, String cost) {
    LimitEncoding encoding = LimitEncoding.of(limit);
    ExpectedOutcome outcome =
        store.call(algorithm(encoding), List.of(key), arguments(encoding, cost), nowUs());
    if (outcome.written()) {
      writes.merge(key, 1, Integer::sum);
    }
    return outcome;
  }

  private static ScriptAlgorithm algorithm(LimitEncoding encoding) {
    return ScriptAlgorithm.named(encoding.script().scriptName());
  }

  private static List<String> arguments(LimitEncoding encoding, String cost) {
    List<String> arguments = new ArrayList<>(encoding.arguments());
    arguments.add(0, cost);
    return arguments;
  }
}
