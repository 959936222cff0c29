package io.github.penstock.redisson;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.redisson.api.BatchOptions;
import org.redisson.api.FunctionMode;
import org.redisson.api.FunctionResult;
import org.redisson.api.RBatch;
import org.redisson.api.RFunction;
import org.redisson.api.RFunctionAsync;
import org.redisson.api.RFuture;
import org.redisson.api.RScript;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.RedisException;
import org.redisson.client.RedisOutOfMemoryException;
import org.redisson.client.codec.ByteArrayCodec;

/**
 * Sends each call once through Redisson's scripts and functions. Safe for use by several threads.
 *
 * <p>Whatever the client's own settings are, these scripts and functions make no second attempt;
 * only MOVED and ASK are followed. Keys and arguments are bytes, which neither a codec nor a name
 * mapper changes; the key's text only finds its node.
 *
 * <p>A batch is an RBatch, which writes everything at once, except in two cases, where each call
 * goes by itself. In a cluster, an RBatch that meets a redirection resends every call that failed
 * on that node, for whatever reason, though core may have retried it already. And for a call by
 * source, it assumes that the server still has a script that it once had.
 */
final class RedissonPort implements AsyncScriptPort {
  private static final int MAX_PENDING = 16_384;
  private static final String AFTER_THE_TEXT = ". channel: ";
  private final RedissonClient client;
  private final RScript scripts;
  private final RFunction functions;
  private final BatchOptions batchOnce;
  private final boolean cluster;
  private final SlotMasters masters;
  private final AtomicInteger pending = new AtomicInteger();

  RedissonPort(RedissonClient client, RateLimiterOptions options) {
    OptionalOptions once =
        OptionalOptions.defaults()
            .codec(ByteArrayCodec.INSTANCE)
            .retryAttempts(0)
            .timeout(options.deadline());
    this.client = client;
    batchOnce =
        BatchOptions.defaults()
            .retryAttempts(0)
            .responseTimeout(options.deadline().toMillis(), TimeUnit.MILLISECONDS);
    cluster = client.getConfig().isClusterConfig();
    masters = new SlotMasters(client);
    scripts = client.getScript(once);
    functions = client.getFunction(once);
  }

  @Override
  public CompletionStage<@Nullable Object> send(ScriptCall call) {
    requireRunning();
    return pending.get() < MAX_PENDING
        ? new PendingCall(sent(call, scripts, functions), pending)
        : CompletableFuture.failedFuture(tooMany());
  }

  @Override
  public List<CompletionStage<@Nullable Object>> sendAll(List<ScriptCall> calls) {
    requireRunning();
    List<CompletionStage<@Nullable Object>> stages = new ArrayList<>(calls.size());
    if (cluster || calls.get(0).verb() == ScriptCall.Verb.EVAL || pending.get() >= MAX_PENDING) {
      calls.forEach(call -> stages.add(send(call)));
      return stages;
    }
    RBatch batch = client.createBatch(batchOnce);
    RScriptAsync together = batch.getScript(ByteArrayCodec.INSTANCE);
    RFunctionAsync functionsTogether = batch.getFunction(ByteArrayCodec.INSTANCE);
    for (ScriptCall call : calls) {
      stages.add(new PendingCall(sent(call, together, functionsTogether), pending));
    }
    batch.executeAsync();
    return stages;
  }

  @Override
  public @Nullable String serverError(Throwable failure) {
    return errorOf(failure);
  }

  @Override
  public @Nullable Object node(ScriptCall call) {
    return cluster ? masters.of(call.key()) : "the server";
  }

  /* Redisson appends where it came from, and takes the code word off where memory is full. */
  static @Nullable String errorOf(Throwable failure) {
    String message = failure instanceof RedisException ? failure.getMessage() : null;
    if (message == null || !message.contains(AFTER_THE_TEXT)) {
      return null;
    }
    int end = message.indexOf(AFTER_THE_TEXT);
    String text = message.substring(0, end);
    return failure instanceof RedisOutOfMemoryException ? "OOM " + text : text;
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
      throw new NotSentException(new RedisException("the client was shut down"));
    }
  }

  private static NotSentException tooMany() {
    return new NotSentException(
        new RedisException("more than " + MAX_PENDING + " calls wait for an answer"));
  }

  private static RFuture<?> sent(ScriptCall call, RScriptAsync scripts, RFunctionAsync functions) {
    boolean peek = call.verb().readOnly();
    RScript.Mode mode = peek ? RScript.Mode.READ_ONLY : RScript.Mode.READ_WRITE;
    String route = call.keyText();
    String target = call.targetText();
    List<Object> key = List.of(call.key());
    Object[] arguments = arguments(call);
    return switch (call.verb()) {
      case EVALSHA, EVALSHA_RO ->
          scripts.evalShaAsync(route, mode, target, RScript.ReturnType.VALUE, key, arguments);
      case EVAL, EVAL_RO ->
          scripts.evalAsync(route, mode, target, RScript.ReturnType.VALUE, key, arguments);
      case FCALL, FCALL_RO ->
          functions.callAsync(
              route,
              peek ? FunctionMode.READ : FunctionMode.WRITE,
              target,
              FunctionResult.VALUE,
              key,
              arguments);
    };
  }

  private static Object[] arguments(ScriptCall call) {
    Object[] arguments = new Object[call.argumentCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = call.argument(i);
    }
    return arguments;
  }
}
