package io.github.penstock.core.internal.node;

import io.github.penstock.core.internal.node.NodeVerdict.Action;
import io.github.penstock.core.internal.node.NodeVerdict.Todo;
import io.github.penstock.core.internal.waiting.DaemonThreads;
import io.github.penstock.core.spi.CheckConnection;
import io.github.penstock.core.spi.ScriptCall;
import io.github.penstock.core.spi.time.TimeSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on one node, whether a late call to it is an outage or an overload (rule F2 of {@code
 * docs/protocol.md}), with its lock, its timer and its connections for the check. Safe for use by
 * several threads.
 */
public final class CheckedNode {
  /* Before silence is a verdict, the reader of answers gets another turn, of this time if it cannot
   * be asked. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /* For tests: a check that is made with a node's first call, not within 3 s after it. */
  private static final boolean AT_ONCE = Boolean.getBoolean("penstock.check.at-once");

  private final Function<ScriptCall, CheckConnection> opening;
  private final CheckMeanings meanings;
  private final VerdictListener listener;
  private final TimeSource time;

  /* The clock may overflow; one that begins here does not. */
  private final long originNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, CheckConnection> connections = new HashMap<>();
  private final NodeVerdict verdict =
      new NodeVerdict(
          () -> AT_ONCE ? 0 : ThreadLocalRandom.current().nextDouble(),
          () -> ThreadLocalRandom.current().nextDouble(0.5, 1.5));
  private @Nullable ScriptCall latest;
  private @Nullable RuntimeException refusal;

  /* A check through the client was lost, which is no refusal of a connection by the server. */
  private boolean isLost;
  private boolean closed;
  private long wakesNanos = Long.MAX_VALUE;
  private LateVerdict told = LateVerdict.OVERLOADED;
  private long toldNanos;
  private CompletableFuture<Void> telling = CompletableFuture.completedFuture(null);

  /** The meaning of the exceptions of a check. */
  public interface CheckMeanings {
    /**
     * Returns the verdict that follows from an answer: an outage if the server says that it cannot
     * serve calls. Null if the server did not answer.
     */
    @Nullable LateVerdict answer(RuntimeException thrown);

    /**
     * Returns the verdict on a connection that could not be made; null if the server was silent.
     */
    @Nullable LateVerdict refusal(RuntimeException thrown);

    /**
     * Returns whether a connection could not be made because nothing listens at the address, or the
     * client through which checks go is not connected.
     */
    boolean isUnreachable(RuntimeException thrown);
  }

  /** Receives the changes of a node's verdict. */
  public interface VerdictListener {
    /**
     * The verdict has changed, or is still OVERLOADED, that of a node that answers, although the
     * connection for the check was refused.
     *
     * @param before the verdict before
     * @param lastedNanos how long that lasted
     * @param refusal why the connection was refused
     */
    void changed(
        LateVerdict now, LateVerdict before, long lastedNanos, @Nullable RuntimeException refusal);
  }

  /**
   * A node without calls.
   *
   * @param opening opens a connection for the check to the node of a call
   */
  public CheckedNode(
      Function<ScriptCall, CheckConnection> opening,
      TimeSource time,
      CheckMeanings meanings,
      VerdictListener listener) {
    this.opening = opening;
    this.meanings = meanings;
    this.listener = listener;
    this.time = time;
    originNanos = time.nanos();
  }

  private long now() {
    return time.nanos() - originNanos;
  }

  /** Begins a call; it must be ended. */
  public TimedCall begin(ScriptCall call) {
    lock.lock();
    try {
      latest = call;
      TimedCall timed = verdict.begin(now(), call.deadlineNanos() - originNanos, null);
      timed.node = this;
      timed.doubtful = verdict.isDoubtful();
      timed.silent = verdict.isSilent();
      goOn();
      return timed;
    } finally {
      lock.unlock();
    }
  }

  boolean opens() {
    return locked(verdict::opens);
  }

  void answered(TimedCall call, LateVerdict says) {
    lock.lock();
    try {
      verdict.answered(call, now(), says);
      goOn();
    } finally {
      lock.unlock();
    }
  }

  LateVerdict leave(TimedCall call) {
    return locked(
        () -> {
          verdict.leave(call);
          return call.verdict == null ? LateVerdict.OVERLOADED : call.verdict;
        });
  }

  /**
   * Waits for the verdict on a call that is late; an interrupt ends the wait, and so does {@link
   * #close}, after which no check can show an outage.
   */
  LateVerdict await(TimedCall call) {
    CompletableFuture<Void> known = new CompletableFuture<>();
    try {
      while (!isJudged(call, () -> known.complete(null))) {
        time.await(known, time.nanos() + TimeUnit.SECONDS.toNanos(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return leave(call);
  }

  /** Returns whether the verdict on a late call is known; otherwise {@code then} follows it. */
  boolean isJudged(TimedCall call, Runnable then) {
    return locked(
        () -> {
          verdict.advance(now());
          if (closed) {
            verdict.leave(call);
          }
          call.waiter = then;
          return call.verdict != null;
        });
  }

  /** The exception of the last connection that was refused. */
  @Nullable RuntimeException refusal() {
    return locked(() -> refusal);
  }

  /* Does what follows from it, too. */
  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    lock.lock();
    try {
      T result = action.get();
      goOn();
      return result;
    } finally {
      lock.unlock();
    }
  }

  private void act(Runnable action) {
    locked(
        () -> {
          action.run();
          return null;
        });
  }

  /** Closes the connections, for good; calls in flight end by what is known. */
  public void close() {
    act(
        () -> {
          closed = true;
          List.copyOf(connections.keySet()).forEach(this::drop);
          verdict.close(now());
        });
  }

  /* Performs the actions, and sets the timer. Once it is closed, calls end and nothing else happens. */
  private void goOn() {
    for (Todo next = verdict.next(); next != null; next = verdict.next()) {
      if (!closed || next.action() == Action.END) {
        perform(next);
      }
    }
    if (!closed && !verdict.isForgotten() && state() != told) {
      tell(state() == LateVerdict.REFUSED ? refusal : null);
    }
    long next = verdict.nextNanos();
    if (next < wakesNanos) {
      wakesNanos = next;
      time.at(originNanos + next, DaemonThreads.CHECKING).execute(() -> wake(next));
    }
  }

  private void wake(long atNanos) {
    act(
        () -> {
          if (wakesNanos == atNanos) {
            wakesNanos = Long.MAX_VALUE;
            verdict.advance(now());
          }
        });
  }

  private LateVerdict state() {
    LateVerdict state = verdict.state();
    return state == LateVerdict.REFUSED && isLost ? LateVerdict.OUTAGE : state;
  }

  /* In order, and without the lock. */
  private void tell(@Nullable RuntimeException reason) {
    long lasted = now() - toldNanos;
    LateVerdict before = told;
    LateVerdict after = state();
    telling =
        telling.thenRunAsync(
            () -> listener.changed(after, before, lasted, reason), DaemonThreads.CHECKING);
    told = after;
    toldNanos += before == after ? 0 : lasted;
  }

  private void perform(Todo todo) {
    switch (todo.action()) {
      case CONNECT -> DaemonThreads.CHECKING.execute(() -> connect(todo.number(), call()));
      case ASK ->
          DaemonThreads.CHECKING.execute(() -> ask(todo.number(), todo.on(), call().check()));
      case DROP -> drop(todo.number());
      case TURN -> turn(todo.on());
      case END -> end(todo);
      case CLOSE -> {
        // A connection that carries calls ends with its call here.
      }
    }
  }

  private ScriptCall call() {
    ScriptCall call = latest;
    if (call == null) {
      throw new IllegalStateException("no call has begun");
    }
    return call;
  }

  private static void end(Todo todo) {
    if (todo.thing() instanceof TimedCall call && call.waiter != null) {
      call.waiter.run();
    }
  }

  private void turn(long number) {
    CheckConnection connection = connections.get(number);
    if (connection == null || !connection.afterReading(() -> turned(number))) {
      time.at(time.nanos() + TURN_NANOS, DaemonThreads.CHECKING).execute(() -> turned(number));
    }
  }

  private void turned(long number) {
    act(
        () -> {
          CheckConnection connection = connections.get(number);
          long now = now();
          boolean behind =
              connection != null
                  && connection.carriesCalls()
                  && verdict.heardBefore(now, heardNanos(connection));
          if (!behind) {
            verdict.turned(now);
          }
        });
  }

  private long heardNanos(CheckConnection connection) {
    long heard = connection.heardNanos();
    return heard == CheckConnection.UNKNOWN ? verdict.heardCallNanos() : heard - originNanos;
  }

  private void connect(long number, ScriptCall call) {
    if (locked(() -> closed)) {
      return;
    }
    try {
      CheckConnection made = opening.apply(call);
      act(() -> connected(number, made));
    } catch (RuntimeException e) {
      act(() -> refused(number, e, false));
    }
  }

  private void connected(long number, CheckConnection made) {
    connections.put(number, made);
    verdict.connected(number, now());
    if (closed || !verdict.isCurrent(number)) {
      drop(number);
    }
  }

  private void refused(long number, RuntimeException failure, boolean throughClient) {
    LateVerdict meaning = meanings.refusal(failure);
    if (meaning != null) {
      refusal = failure;
      isLost = throughClient && meaning == LateVerdict.OUTAGE;
      if (verdict.refused(number, now(), meaning, meanings.isUnreachable(failure)) && !isLost) {
        tell(failure);
      }
    }
  }

  private void ask(long question, long number, ScriptCall check) {
    CheckConnection connection = locked(() -> connections.get(number));
    if (connection == null) {
      return;
    }
    try {
      connection.write(check);
      act(() -> verdict.written(question, now()));
      connection.read();
      act(() -> verdict.replied(question, now(), LateVerdict.OVERLOADED));
    } catch (RuntimeException e) {
      act(() -> failed(number, question, connection, e));
    }
  }

  /*
   * Of one that carries calls, the failure says whether it can be made anew, or had no place. A
   * check that was given up after its silence has become a verdict changes nothing.
   */
  private void failed(
      long number, long question, CheckConnection connection, RuntimeException failure) {
    LateVerdict answer = meanings.answer(failure);
    if (answer != null) {
      verdict.replied(question, now(), answer);
    } else if (!connections.containsKey(number)) {
      return;
    } else if (!connection.carriesCalls()) {
      drop(number);
      if (verdict.isUnheard(number)) {
        refusal = failure;
        isLost = false;
      }
      if (verdict.cut(number, now())) {
        tell(failure);
      }
    } else if (verdict.isOverdue(question)) {
      drop(number);
      verdict.lost(number, now());
    } else if (meanings.refusal(failure) == null) {
      verdict.unasked(question, now());
    } else {
      drop(number);
      refused(number, failure, true);
    }
  }

  private void drop(long number) {
    CheckConnection connection = connections.remove(number);
    if (connection != null) {
      DaemonThreads.CHECKING.execute(() -> close(connection));
    }
  }

  /* The connection is lost then, whatever its client says. */
  private static void close(CheckConnection connection) {
    try {
      connection.close();
    } catch (RuntimeException closed) {
      return;
    }
  }
}
