package io.github.penstock.core.internal.engine;

import io.github.penstock.core.FailureKind;
import io.github.penstock.core.VerdictChange;
import io.github.penstock.core.VerdictChange.Verdict;
import io.github.penstock.core.internal.failure.CallFailure;
import io.github.penstock.core.internal.failure.FailureClassifier;
import io.github.penstock.core.internal.node.CheckedNode;
import io.github.penstock.core.internal.node.LateVerdict;
import io.github.penstock.core.internal.node.TimedCall;
import io.github.penstock.core.internal.notice.LimiterEvents;
import io.github.penstock.core.spi.BusyNodeException;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.NotSentException;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.ScriptTransport;
import io.github.penstock.core.spi.ServerError;
import io.github.penstock.core.spi.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Judges late calls by a check of their nodes, if the transport has connections for it. Safe for
 * use by several threads.
 */
public final class LateCalls {
  /** The failure of a call that is {@link TimedCall#isRefused refused}. */
  static final NotSentException TOO_MANY =
      new NotSentException(
          new IllegalStateException(
              "too many calls are in flight", new TimeoutException("no place came free")));

  /**
   * The failure of a call whose deadline passed before it could be sent, as while it waited for a
   * lease (rule L8).
   */
  static final NotSentException TOO_LATE =
      new NotSentException(
          new IllegalStateException(
              "no time was left to send the call",
              new TimeoutException("the deadline passed before the call was sent")));

  /** The failure of a call for which no connection is opened now. */
  static final NotSentException NO_CONNECTION =
      NotSentException.notConnected(
          new IllegalStateException(
              "no connection was opened",
              new TimeoutException("the server has not answered a check")));

  /* Clients' time-outs are whole milliseconds. */
  private static final long EARLY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final Object UNKNOWN_NODE = "the server";

  private final Map<Object, CheckedNode> nodes = new ConcurrentHashMap<>();
  private final Function<Object, CheckedNode> making;
  private final ScriptTransport transport;
  private final FailureClassifier failures;

  public LateCalls(
      ScriptTransport transport,
      Function<ScriptCall, CheckConnection> opening,
      TimeSource time,
      FailureClassifier failures,
      LimiterEvents events) {
    this.transport = transport;
    this.failures = failures;
    making =
        name ->
            new CheckedNode(
                opening,
                time,
                failures,
                (now, before, lastedNanos, refusal) ->
                    events.verdict(
                        new VerdictChange(
                            String.valueOf(name),
                            of(now),
                            of(before),
                            Duration.ofNanos(lastedNanos),
                            refusal == null ? null : failures.exception("", refusal))));
  }

  private static Verdict of(LateVerdict verdict) {
    return switch (verdict) {
      case DECIDED, OVERLOADED -> Verdict.UP;
      case OUTAGE -> Verdict.SILENT;
      case REFUSED -> Verdict.REFUSED;
    };
  }

  /** Begins a call, which must be ended; null if its node is not checked. */
  @Nullable TimedCall begin(ScriptCall call) {
    return transport.checksNodes() ? begin(name(call), call) : null;
  }

  private TimedCall begin(Object node, ScriptCall call) {
    return nodes.computeIfAbsent(node, making).begin(call);
  }

  /* All nodes that the transport does not know are one. */
  private Object name(ScriptCall call) {
    return Objects.requireNonNullElse(transport.node(call), UNKNOWN_NODE);
  }

  /**
   * Throws if a call needs a connection that must not be opened now (rule F2.9).
   *
   * @throws NotSentException if it is to be tried again
   */
  static void requireOpening(
      @Nullable TimedCall timed, ScriptTransport transport, ScriptCall call) {
    if (timed != null
        && timed.isDoubtful()
        && transport.opens(call, timed.isSilent())
        && !timed.opens()) {
      throw NO_CONNECTION;
    }
  }

  /**
   * The outcome of a call that has ended; a late one waits for the verdict on it.
   *
   * @param timed null if its node is not checked
   */
  @Nullable Object ended(@Nullable TimedCall timed, ScriptCall call, @Nullable Object outcome) {
    if (outcome instanceof CallFailure failure) {
      return ended(timed, call, failure, true);
    }
    if (timed != null) {
      timed.answered();
    }
    return outcome;
  }

  /**
   * The failure of a call that has ended, by the verdict on it if that is known.
   *
   * @param timed null if its node is not checked, as before there is a client
   * @param waits whether a late call waits for its verdict
   */
  CallFailure ended(
      @Nullable TimedCall timed, ScriptCall call, CallFailure failure, boolean waits) {
    if (timed == null) {
      // Nothing is known of a server whose client came after the call began, or not in time.
      boolean unknown =
          failure.late() && transport.checksNodes() || failure.cause() == TOO_LATE.reason();
      return unknown ? failure.overloaded(new BusyNodeException(false)) : failure;
    }
    if (!failure.late()) {
      end(timed, said(failure));
      return failure;
    }
    // A client that gives up early, such as a pool that does not wait, is not waited for.
    boolean early =
        !timed.isRefused()
            && !failure.lacksConnection()
            && !failure.isLateAnswer()
            && call.remainingNanos() > EARLY_NANOS;
    return switch (waits && !early ? timed.await() : timed.leave()) {
      case OVERLOADED -> failure.overloaded(new BusyNodeException(!timed.isUnchecked()));
      case REFUSED -> {
        RuntimeException refusal = timed.refusal();
        yield refusal == null ? failure : failure.refused(failures.of(refusal, call));
      }
      case OUTAGE, DECIDED -> failure;
    };
  }

  /** The outcomes of calls that are sent together; of each node, one call is timed. */
  List<@Nullable Object> judgedEach(
      List<ScriptCall> calls, Function<List<ScriptCall>, List<@Nullable Object>> send) {
    if (!transport.checksNodes()) {
      List<@Nullable Object> outcomes = send.apply(calls);
      for (int i = 0; i < outcomes.size(); i++) {
        outcomes.set(i, ended(null, calls.get(i), outcomes.get(i)));
      }
      return outcomes;
    }
    Map<Object, TimedCall> byNode = new HashMap<>();
    List<TimedCall> timed =
        calls.stream()
            .map(call -> byNode.computeIfAbsent(name(call), name -> begin(name, call)))
            .toList();
    List<@Nullable Object> outcomes;
    try {
      outcomes = send.apply(calls);
    } catch (Throwable e) {
      byNode.values().forEach(TimedCall::leave);
      throw e;
    }
    Map<TimedCall, LateVerdict> answered = new HashMap<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (!(outcomes.get(i) instanceof CallFailure failure)) {
        answered.put(timed.get(i), LateVerdict.OVERLOADED);
        continue;
      }
      LateVerdict said = said(failure);
      if (said != null) {
        answered.put(timed.get(i), said);
      } else if (failure.late()) {
        outcomes.set(i, ended(timed.get(i), calls.get(i), failure, true));
      }
    }
    byNode.values().forEach(one -> end(one, answered.get(one)));
    return outcomes;
  }

  /** Closes the connections for the check. */
  public void close() {
    nodes.values().forEach(CheckedNode::close);
  }

  /* What the server said; null if it did not answer. A refused connection is no answer to a call,
   * and a peek may be answered by a replica. */
  private static @Nullable LateVerdict said(CallFailure failure) {
    ServerError error = failure.error();
    boolean other = failure.lacksConnection() || failure.call().verb().readOnly();
    return error == null || other || failure.kind() == FailureKind.MISCONFIGURED
        ? null
        : LateVerdict.of(error);
  }

  private static void end(TimedCall timed, @Nullable LateVerdict said) {
    if (said == null) {
      timed.leave();
    } else {
      timed.answered(said);
    }
  }
}
