package io.github.penstock.redisson;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.spi.AsyncScriptPort;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.redisson.api.FunctionMode;
import org.redisson.api.FunctionResult;
import org.redisson.api.RFunction;
import org.redisson.api.RFuture;
import org.redisson.api.RScript;
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
 * mapper changes; the key's text only finds its node. A batch is as many calls over as many
 * connections: an RBatch that meets a redirection sends every call of that node again that has
 * failed by then, whatever it failed of.
 */
final class RedissonPort implements AsyncScriptPort {
  private static final int MAX_PENDING = 16_384;
  private static final String AFTER_THE_TEXT = ". channel: ";
  private final RScript scripts;
  private final RFunction functions;
  private final AtomicInteger pending = new AtomicInteger();

  RedissonPort(RedissonClient client, RateLimiterOptions options) {
    OptionalOptions once =
        OptionalOptions.defaults()
            .codec(ByteArrayCodec.INSTANCE)
            .retryAttempts(0)
            .timeout(options.deadline());
    scripts = client.getScript(once);
    functions = client.getFunction(once);
  }

  @Override
  public CompletionStage<@Nullable Object> send(ScriptCall call) {
    if (pending.get() >= MAX_PENDING) {
      String message = "more than " + MAX_PENDING + " calls wait for an answer";
      return CompletableFuture.failedFuture(new NotSentException(new RedisException(message)));
    }
    return new PendingCall(sent(call), pending);
  }

  @Override
  public List<CompletionStage<@Nullable Object>> sendAll(List<ScriptCall> calls) {
    List<CompletionStage<@Nullable Object>> stages = new ArrayList<>(calls.size());
    calls.forEach(call -> stages.add(send(call)));
    return stages;
  }

  /* Redisson appends where it came from, and takes the code word off where memory is full. */
  @Override
  public @Nullable String serverError(Throwable failure) {
    String message = failure instanceof RedisException ? failure.getMessage() : null;
    int end = message == null ? -1 : message.indexOf(AFTER_THE_TEXT);
    if (end == -1) {
      return null;
    }
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

  private RFuture<?> sent(ScriptCall call) {
    return switch (call.verb()) {
      case EVALSHA -> evalSha(call, RScript.Mode.READ_WRITE);
      case EVAL -> eval(call, RScript.Mode.READ_WRITE);
      case EVALSHA_RO -> evalSha(call, RScript.Mode.READ_ONLY);
      case EVAL_RO -> eval(call, RScript.Mode.READ_ONLY);
      case FCALL -> fcall(call, FunctionMode.WRITE);
      case FCALL_RO -> fcall(call, FunctionMode.READ);
    };
  }

  private RFuture<?> evalSha(ScriptCall call, RScript.Mode mode) {
    return scripts.evalShaAsync(
        call.keyText(),
        mode,
        call.targetText(),
        RScript.ReturnType.VALUE,
        List.of(call.key()),
        arguments(call));
  }

  private RFuture<?> eval(ScriptCall call, RScript.Mode mode) {
    return scripts.evalAsync(
        call.keyText(),
        mode,
        call.targetText(),
        RScript.ReturnType.VALUE,
        List.of(call.key()),
        arguments(call));
  }

  private RFuture<?> fcall(ScriptCall call, FunctionMode mode) {
    return functions.callAsync(
        call.keyText(),
        mode,
        call.targetText(),
        FunctionResult.VALUE,
        List.of(call.key()),
        arguments(call));
  }

  private static Object[] arguments(ScriptCall call) {
    Object[] arguments = new Object[call.argumentCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = call.argument(i);
    }
    return arguments;
  }
}
