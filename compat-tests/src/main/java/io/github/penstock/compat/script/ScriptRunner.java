package io.github.penstock.compat.script;

import io.github.penstock.core.RateLimiterOptions;
import io.github.penstock.core.internal.engine.BlockingCalls;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.failure.FailureClassifier;
import io.github.penstock.core.internal.failure.NodeWatch;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.internal.protocol.ReplyDecoder;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptCall.Verb;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.connecting.KnownPasswords;
import io.github.penstock.core.spi.time.TimeSource;
import io.github.penstock.scripts.LuaScript;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs scripts through an adapter's transport with any key and any arguments, the caller's time
 * included; an application uses limiters; a key that was charged with a time must never be charged
 * without one.
 *
 * <p>Falls back to EVAL and judges failures as a limiter does. Safe for use by several threads.
 */
public final class ScriptRunner {
  private final BlockingCalls calls;
  private final Verb verb;
  private final long deadlineNanos;

  /** Runs scripts through {@code transport}, by the options' commands and deadline. */
  public ScriptRunner(ScriptTransport transport, RateLimiterOptions options) {
    FailureClassifier failures =
        new FailureClassifier(
            transport::failure,
            transport::followsRedirects,
            NodeWatch.of(transport, TimeSource.SYSTEM),
            KnownPasswords.none());
    calls = new BlockingCalls(transport, TimeSource.SYSTEM, failures);
    verb = options.functions() ? Verb.FCALL : Verb.EVALSHA;
    deadlineNanos = options.deadline().toNanos();
  }

  /**
   * Runs a script and returns its six integers.
   *
   * @param arguments the arguments after the key, unchecked: cost, tiers, optionally the time in
   *     microseconds
   * @throws io.github.penstock.core.ScriptRefusedException if the script refuses them
   * @throws io.github.penstock.core.UnreadableReplyException if it answers anything else
   * @throws RuntimeException as a limiter throws it
   */
  public List<Long> run(LuaScript script, String key, List<String> arguments) {
    byte[][] encoded = arguments.stream().map(ScriptRunner::utf8).toArray(byte[][]::new);
    long deadline = TimeSource.SYSTEM.nanos() + deadlineNanos;
    ScriptCall call =
        new ScriptCall(verb, script, utf8(key), null, encoded, deadline, TimeSource.SYSTEM);
    Object outcome = calls.<Object>driver().send(call, ReplyReader.ofOutcome(false));
    if (outcome instanceof CallFailure failure) {
      throw failure.exception(null);
    }
    return ReplyDecoder.longs(call, outcome);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
