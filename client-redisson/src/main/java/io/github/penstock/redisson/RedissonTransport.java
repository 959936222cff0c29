package io.github.penstock.redisson;

import io.github.penstock.core.MisconfiguredException;
import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.TransportFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RFunction;
import org.redisson.api.RFunctionAsync;
import org.redisson.api.RScript;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.RedisException;
import org.redisson.client.codec.ByteArrayCodec;

/**
 * Sends each call once through Redisson's scripts and functions. Safe for use by several threads.
 *
 * <p>These scripts and functions make no second attempt, regardless of the client's settings; only
 * MOVED and ASK are followed. Keys and arguments are bytes, which neither a codec nor a name mapper
 * changes; the key's text only finds its node.
 *
 * <p>A batch is an RBatch, or several, one after the other. An RBatch writes everything at once. In
 * two cases each call is sent separately. In a cluster, an RBatch that meets a redirection resends
 * every call that failed on that node, for any reason, although core may have retried it already.
 * And for a call by source, it assumes that the server still has a script that it once had.
 */
final class RedissonTransport implements ScriptTransport {
  private static final Object ONE_NODE = "the server";

  /* Redisson answers a batch as a whole: the answers to its flights show that the server answers. */
  private static final int FLIGHT = 1_000;

  private final RedissonClient client;

  /**
   * Whether the next batch goes as single calls, since the last one failed: of an answer that names
   * another node, a batch of Redisson's says only that it is late.
   */
  private volatile boolean apart;

  private final @Nullable TlsRefusals own;
  private final Duration deadline;
  private final RScript scripts;
  private final RFunction functions;
  private final BatchOptions batchOnce;
  private final boolean cluster;
  private final NodeMasters masters;
  private final NodeCalls unknown;
  private final Map<Object, NodeCalls> nodes = new ConcurrentHashMap<>();

  /**
   * Calls through a client.
   *
   * @param own of a client that was made for this, so that its connections may be renewed; null for
   *     the application's
   */
  RedissonTransport(RedissonClient client, RateLimiterOptions options, @Nullable TlsRefusals own) {
    this.client = client;
    this.own = own;
    deadline = options.deadline();
    // Core ends each call at its deadline, for less than an exception of Redisson's costs.
    OptionalOptions once =
        OptionalOptions.defaults()
            .codec(ByteArrayCodec.INSTANCE)
            .retryAttempts(0)
            .timeout(deadline.multipliedBy(2));
    batchOnce =
        BatchOptions.defaults()
            .retryAttempts(0)
            .responseTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
    cluster = client.getConfig().isClusterConfig();
    masters = new NodeMasters(client);
    unknown = new NodeCalls(Integer.MAX_VALUE, deadline);
    scripts = client.getScript(once);
    functions = client.getFunction(once);
  }

  @Override
  public CompletionStage<@Nullable Object> send(ScriptCall call) {
    requireRunning();
    NodeCalls node = calls(call);
    PendingCall pending = new PendingCall(call, node, own, scripts, functions);
    node.send(pending);
    return pending;
  }

  @Override
  public List<? extends CompletionStage<@Nullable Object>> sendAll(List<ScriptCall> calls) {
    requireRunning();
    if (cluster || calls.get(0).verb() == ScriptCall.Verb.EVAL) {
      return calls.stream().map(this::sendOne).toList();
    }
    if (apart) {
      apart = false;
      List<CompletionStage<@Nullable Object>> stages = calls.stream().map(this::sendOne).toList();
      stages.forEach(stage -> stage.whenComplete(this::staysApart));
      return stages;
    }
    NodeCalls node = calls(calls.get(0));
    List<PendingCall> stages = new ArrayList<>(calls.size());
    List<RBatch> flights = new ArrayList<>();
    for (int from = 0; from < calls.size(); from += FLIGHT) {
      RBatch flight = client.createBatch(batchOnce);
      RScriptAsync together = flight.getScript(ByteArrayCodec.INSTANCE);
      RFunctionAsync functionsTogether = flight.getFunction(ByteArrayCodec.INSTANCE);
      for (ScriptCall call : calls.subList(from, Math.min(calls.size(), from + FLIGHT))) {
        PendingCall pending = new PendingCall(call, node, own, together, functionsTogether);
        node.enter();
        pending.hand();
        stages.add(pending);
      }
      flights.add(flight);
    }
    fly(flights, stages, calls.get(0));
    return stages;
  }

  /* Sends the next flight, then the others, unless they were given up. */
  private void fly(List<RBatch> flights, List<PendingCall> stages, ScriptCall first) {
    flights
        .get(0)
        .executeAsync()
        .whenComplete(
            (answer, failure) -> {
              staysApart(answer, failure);
              if (stages.size() > FLIGHT
                  && !stages.get(FLIGHT).isDone()
                  && first.remainingNanos() > 0) {
                fly(
                    flights.subList(1, flights.size()),
                    stages.subList(FLIGHT, stages.size()),
                    first);
              }
            });
  }

  private void staysApart(@Nullable Object answer, @Nullable Throwable failure) {
    if (failure != null) {
      apart = true;
    }
  }

  private CompletionStage<@Nullable Object> sendOne(ScriptCall call) {
    try {
      return send(call);
    } catch (NotSentException notSent) {
      return CompletableFuture.failedFuture(notSent);
    }
  }

  @Override
  public @Nullable TransportFailure failure(Throwable thrown) {
    return RedissonFailures.of(thrown);
  }

  @Override
  public boolean followsRedirects() {
    return cluster;
  }

  /* After a batch that failed, the next trip goes as single calls. */
  @Override
  public boolean ordersCalls() {
    if (cluster) {
      return false;
    }
    boolean together = !apart;
    apart = false;
    return together;
  }

  /* Redisson does not tell. */
  @Override
  public boolean opens(ScriptCall call, boolean silent) {
    return silent;
  }

  /* Sentinels and clusters are queried for their masters anyway, once a second or more often. */
  @Override
  public void renew(ScriptCall call) {
    if (own != null && client.getConfig().isSingleConfig()) {
      masters.renew();
    }
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    return cluster ? masters.of(call.key()) : ONE_NODE;
  }

  @Override
  public boolean checksNodes() {
    return true;
  }

  @Override
  public CheckConnection openCheck(ScriptCall call) {
    requireRunning();
    return RedissonCheck.connected(masters.client(call.key()), own);
  }

  /* Redisson writes the first line, "#!lua name=...", itself. */
  @Override
  public CompletionStage<?> loadFunctions(String library) {
    int body = library.indexOf('\n') + 1;
    String name = library.substring(library.indexOf('=') + 1, body).strip();
    return functions.loadAndReplaceAsync(name, library.substring(body));
  }

  private void requireRunning() {
    if (client.isShuttingDown()) {
      RedisException reason = new RedisException("the client was shut down");
      throw own != null
          ? new NotSentException(reason)
          : new MisconfiguredException("the client that was passed in was shut down", reason);
    }
  }

  private NodeCalls calls(ScriptCall call) {
    Object node = node(call);
    return node == null ? unknown : nodes.computeIfAbsent(node, this::node);
  }

  private NodeCalls node(Object ignoredAddress) {
    return new NodeCalls(masters.connections(), deadline);
  }
}
