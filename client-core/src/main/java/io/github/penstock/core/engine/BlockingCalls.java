package io.github.penstock.core.engine;

import io.github.penstock.core.spi.PortReply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * EVALSHA, NOSCRIPT, EVAL, blocking: the one place where a call is sent a second time, and only
 * after the answer that proves that it did not run. Safe for use by several threads.
 */
final class BlockingCalls {
  private final ScriptPort port;

  BlockingCalls(ScriptPort port) {
    this.port = port;
  }

  /** Calls, and reads what became of it. */
  <T> T call(ScriptCall call, ReplyReader<T> reading) {
    Object answer;
    try {
      answer = answer(call);
    } catch (RuntimeException e) {
      return reading.failed(call, failure(e, call));
    }
    return reading.answered(call, answer);
  }

  /**
   * Calls, and returns the server's answer.
   *
   * @throws RuntimeException as a caller of a limiter gets it
   */
  @Nullable Object answerOrThrow(ScriptCall call) {
    try {
      return answer(call);
    } catch (RuntimeException e) {
      throw failure(e, call).exception();
    }
  }

  /** Calls together; the replies are in order. */
  List<PortReply> callAll(List<ScriptCall> calls) {
    if (calls.isEmpty()) {
      return List.of();
    }
    List<PortReply> replies = new ArrayList<>(sent(calls));
    List<Integer> unknown = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      RuntimeException failure = replies.get(i).failure();
      if (failure != null && mayGoBySource(failure, calls.get(i))) {
        unknown.add(i);
      }
    }
    List<ScriptCall> again = unknown.stream().map(i -> calls.get(i).bySource()).toList();
    List<PortReply> healed = again.isEmpty() ? List.of() : sent(again);
    for (int i = 0; i < healed.size(); i++) {
      replies.set(unknown.get(i), healed.get(i));
    }
    return replies;
  }

  /** Reads what became of a call of a batch. */
  <T> T read(ScriptCall call, PortReply reply, ReplyReader<T> reading) {
    RuntimeException failure = reply.failure();
    return failure == null
        ? reading.answered(call, reply.answer())
        : reading.failed(call, failure(failure, call));
  }

  private @Nullable Object answer(ScriptCall call) {
    try {
      return port.send(call);
    } catch (RuntimeException e) {
      if (mayGoBySource(e, call)) {
        return port.send(call.bySource());
      }
      throw e;
    }
  }

  private List<PortReply> sent(List<ScriptCall> calls) {
    try {
      return port.sendAll(calls);
    } catch (RuntimeException e) {
      return calls.stream().map(call -> PortReply.failed(e)).toList();
    }
  }

  private boolean mayGoBySource(RuntimeException failure, ScriptCall call) {
    String text = CallFailure.serverText(failure, port::serverError);
    return CallFailure.isNoScript(text) && call.remainingNanos() > 0;
  }

  private CallFailure failure(RuntimeException thrown, ScriptCall call) {
    return CallFailure.of(thrown, CallFailure.serverText(thrown, port::serverError), call);
  }
}
