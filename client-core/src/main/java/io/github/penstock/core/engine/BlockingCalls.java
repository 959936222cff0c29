package io.github.penstock.core.engine;

import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.PortReply;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptPort;
import io.github.penstock.core.waiting.ConnectionPause;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * EVALSHA, NOSCRIPT, EVAL, blocking: the one place that sends such a call a second time, and only
 * after the answer that proves that it did not run; and where a call that was not sent waits for a
 * connection. Safe for use by several threads.
 */
final class BlockingCalls {
  private final ScriptPort port;
  private final NodeGate gate;

  BlockingCalls(ScriptPort port, NodeGate gate) {
    this.port = port;
    this.gate = gate;
  }

  /** The gate that calls pass before they are sent. */
  NodeGate gate() {
    return gate;
  }

  /** Calls, and reads what became of it. */
  <T> T call(ScriptCall call, ReplyReader<T> asking) {
    ReplyReader<T> reading = gate.admit(call, asking);
    if (reading == null) {
      return asking.failed(call, CallFailure.leftAlone(call));
    }
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
      throw failure(e, call).exception(null);
    }
  }

  /** Calls together; the replies are in order. */
  List<PortReply> callAll(List<ScriptCall> calls) {
    if (calls.isEmpty()) {
      return List.of();
    }
    List<PortReply> replies = connected(calls);
    again(replies, calls, this::mayGoBySource, again -> connected(bySource(again)));
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
      return connected(call);
    } catch (RuntimeException e) {
      if (mayGoBySource(e, call)) {
        return connected(call.bySource());
      }
      throw e;
    }
  }

  private @Nullable Object connected(ScriptCall call) {
    ConnectionPause pause = new ConnectionPause(call.deadlineNanos());
    while (true) {
      try {
        return port.send(call);
      } catch (NotSentException e) {
        if (!lacksConnection(e, call) || !pause.beforeNext()) {
          throw e;
        }
      }
    }
  }

  private List<PortReply> connected(List<ScriptCall> calls) {
    ConnectionPause pause = new ConnectionPause(calls.get(0).deadlineNanos());
    List<PortReply> replies = new ArrayList<>(sent(calls));
    while (lacksAnyConnection(replies, calls) && pause.beforeNext()) {
      again(replies, calls, this::lacksConnection, this::sent);
    }
    return replies;
  }

  /* Sends those calls again that failed so, and puts the replies in their places. */
  private static void again(
      List<PortReply> replies,
      List<ScriptCall> calls,
      BiPredicate<RuntimeException, ScriptCall> failedSo,
      Function<List<ScriptCall>, List<PortReply>> send) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      RuntimeException failure = replies.get(i).failure();
      if (failure != null && failedSo.test(failure, calls.get(i))) {
        places.add(i);
      }
    }
    List<ScriptCall> again = places.stream().map(calls::get).toList();
    List<PortReply> newer = again.isEmpty() ? List.of() : send.apply(again);
    for (int i = 0; i < newer.size(); i++) {
      replies.set(places.get(i), newer.get(i));
    }
  }

  private static List<ScriptCall> bySource(List<ScriptCall> calls) {
    return calls.stream().map(ScriptCall::bySource).toList();
  }

  private boolean lacksAnyConnection(List<PortReply> replies, List<ScriptCall> calls) {
    for (int i = 0; i < replies.size(); i++) {
      RuntimeException failure = replies.get(i).failure();
      if (failure != null && lacksConnection(failure, calls.get(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean lacksConnection(RuntimeException failure, ScriptCall call) {
    return CallFailure.lacksConnection(failure, CallFailure.serverText(failure, port::serverError));
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
