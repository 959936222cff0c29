package io.github.penstock.core.internal.engine;

import io.github.penstock.core.PenstockException;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.failure.FailureClassifier;
import io.github.penstock.core.internal.failure.TransportStages;
import io.github.penstock.core.internal.node.TimedCall;
import io.github.penstock.core.internal.plan.CallDriver;
import io.github.penstock.core.internal.plan.ReplyReader;
import io.github.penstock.core.internal.waiting.ConnectionBackoff;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * EVALSHA, NOSCRIPT, EVAL, blocking: the one place that sends such a call a second time, and only
 * after the answer that proves that it did not run; and where a call that was not sent waits for a
 * connection. Safe for use by several threads.
 *
 * <p>An outcome is the server's answer or a {@link CallFailure}.
 */
public final class BlockingCalls {
  private final ScriptTransport transport;
  private final TimeSource time;
  private final FailureClassifier failures;
  private final @Nullable LateCalls late;

  /** Judges no late call: each is an outage, unless its transport knows better. */
  public BlockingCalls(ScriptTransport transport, TimeSource time, FailureClassifier failures) {
    this(transport, time, failures, null);
  }

  public BlockingCalls(
      ScriptTransport transport,
      TimeSource time,
      FailureClassifier failures,
      @Nullable LateCalls late) {
    this.transport = transport;
    this.time = time;
    this.failures = failures;
    this.late = late;
  }

  /** Ends calls on their caller's thread. */
  public <T> CallDriver<T, T> driver() {
    return new CallDriver<>() {
      @Override
      public T decided(T result) {
        return result;
      }

      @Override
      public T failed(RuntimeException failure) {
        throw failure;
      }

      @Override
      public T send(ScriptCall call, ReplyReader<T> reader) {
        TimedCall timed = null;
        Object outcome;
        try {
          timed = late == null ? null : late.begin(call);
          boolean refused = timed != null && timed.isRefused();
          outcome = refused ? failures.of(LateCalls.TOO_MANY, call) : sentOnce(call, timed);
          if (late != null) {
            outcome = late.ended(timed, call, outcome);
          }
        } catch (Throwable e) {
          if (timed != null) {
            timed.leave();
          }
          reader.abandoned(call);
          throw e;
        }
        return read(call, outcome, reader);
      }
    };
  }

  /** Calls together; the outcomes are in order. */
  List<@Nullable Object> callAll(List<ScriptCall> calls) {
    if (calls.isEmpty()) {
      return List.of();
    }
    return late == null ? sentEach(calls) : late.judgedEach(calls, this::sentEach);
  }

  private List<@Nullable Object> sentEach(List<ScriptCall> calls) {
    List<@Nullable Object> outcomes = connected(calls);
    again(outcomes, calls, CallFailure::mayGoBySource, again -> connected(bySource(again)));
    return outcomes;
  }

  <T> T read(ScriptCall call, @Nullable Object outcome, ReplyReader<T> reading) {
    if (outcome instanceof CallFailure failure) {
      return reading.failed(call, failure);
    }
    try {
      return reading.answered(call, outcome);
    } catch (PenstockException unreadable) {
      return reading.failed(call, CallFailure.unreadable(call, unreadable));
    }
  }

  private @Nullable Object sentOnce(ScriptCall call, @Nullable TimedCall timed) {
    long begunNanos = time.nanos();
    if (call.deadlineNanos() - begunNanos <= 0) {
      return failures.of(LateCalls.TOO_LATE, call);
    }
    ConnectionBackoff backoff = null;
    ScriptCall next = call;
    CallFailure before = null;
    while (true) {
      try {
        if (next == call) {
          LateCalls.requireOpening(timed, transport, call);
        }
        return TransportStages.await(transport.send(next), next.deadlineNanos(), time);
      } catch (RuntimeException e) {
        CallFailure failure = failures.of(e, next);
        before = failure.after(before);
        if (next == call && before.mayGoBySource()) {
          next = call.bySource();
          begunNanos = time.nanos();
          backoff = null;
          before = null;
        } else {
          if (backoff == null) {
            backoff = new ConnectionBackoff(time, call.deadlineNanos(), begunNanos);
          }
          if (!failure.lacksConnection() || !backoff.beforeNext()) {
            return before;
          }
        }
      }
    }
  }

  private List<@Nullable Object> connected(List<ScriptCall> calls) {
    ConnectionBackoff backoff = new ConnectionBackoff(time, calls.get(0).deadlineNanos());
    List<@Nullable Object> outcomes = sent(calls);
    if (outcomes.stream().noneMatch(BlockingCalls::lacksConnection)) {
      return outcomes;
    }
    List<@Nullable Object> first = new ArrayList<>(outcomes);
    while (outcomes.stream().anyMatch(BlockingCalls::lacksConnection) && backoff.beforeNext()) {
      again(outcomes, calls, CallFailure::lacksConnection, this::sent);
    }
    for (int i = 0; i < first.size(); i++) {
      if (outcomes.get(i) instanceof CallFailure failure
          && first.get(i) instanceof CallFailure known) {
        outcomes.set(i, failure.after(known));
      }
    }
    return outcomes;
  }

  private static boolean lacksConnection(@Nullable Object outcome) {
    return outcome instanceof CallFailure failure && failure.lacksConnection();
  }

  /* Sends those calls again that failed so, and puts the outcomes in their places. */
  private static void again(
      List<@Nullable Object> outcomes,
      List<ScriptCall> calls,
      Predicate<CallFailure> failedSo,
      Function<List<ScriptCall>, List<@Nullable Object>> send) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof CallFailure failure && failedSo.test(failure)) {
        places.add(i);
      }
    }
    List<ScriptCall> again = places.stream().map(calls::get).toList();
    List<@Nullable Object> newer = again.isEmpty() ? List.of() : send.apply(again);
    for (int i = 0; i < newer.size(); i++) {
      outcomes.set(places.get(i), newer.get(i));
    }
  }

  private static List<ScriptCall> bySource(List<ScriptCall> calls) {
    return calls.stream().map(ScriptCall::bySource).toList();
  }

  private List<@Nullable Object> sent(List<ScriptCall> calls) {
    @Nullable Object[] outcomes = new Object[calls.size()];
    try {
      List<? extends CompletionStage<?>> stages = transport.sendAll(calls);
      // The last answer comes last, so this thread is woken once, and then finds the others there.
      for (int i = outcomes.length - 1; i >= 0; i--) {
        outcomes[i] = awaited(stages.get(i), calls.get(i));
      }
    } catch (RuntimeException e) {
      Arrays.setAll(outcomes, i -> failures.of(e, calls.get(i)));
    }
    return Arrays.asList(outcomes);
  }

  private @Nullable Object awaited(CompletionStage<?> stage, ScriptCall call) {
    try {
      return TransportStages.await(stage, call.deadlineNanos(), time);
    } catch (RuntimeException e) {
      return failures.of(e, call);
    }
  }
}
