package io.github.penstock.core.internal.node;

import io.github.penstock.core.internal.node.VerdictTimer.Due;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a late call of one node is an outage or an overload (rule F2 of {@code
 * docs/protocol.md}): a state machine without a clock, threads or sockets, which {@code
 * verdict.json} plays. Times are nanoseconds of a monotonic clock.
 *
 * <p>Each input may add actions, which its driver takes and performs. For one thread at a time.
 */
final class NodeVerdict {
  private static final long NEVER = Long.MIN_VALUE / 2;
  private static final long SILENCE = nanos(ClientNumbers.VERDICT_SILENCE_MS);
  private static final long FRESH = nanos(ClientNumbers.VERDICT_FRESH_MS);
  private static final long CONNECTING = nanos(ClientNumbers.VERDICT_CONNECTING_MS);
  private static final long AGAIN = nanos(ClientNumbers.VERDICT_AGAIN_MS);
  private static final long EVERY = nanos(ClientNumbers.VERDICT_EVERY_MS);
  private static final long STALE = nanos(ClientNumbers.VERDICT_STALE_MS);
  private static final long LATE_TIMER = nanos(ClientNumbers.VERDICT_LATE_TIMER_MS);
  private static final long LATE_TIMER_MORE = nanos(ClientNumbers.VERDICT_LATE_TIMER_MORE_MS);
  private static final long IDLE = nanos(ClientNumbers.VERDICT_IDLE_MS);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  /* Timers of ended calls are removed once they outnumber the others. */
  private static final int SPARE_TIMERS = 1_000;

  /** An action of the driver. */
  enum Action {
    /** Opens connection {@code number}. */
    CONNECT,
    /** Sends check {@code number} on connection {@code on}. */
    ASK,
    /** Closes connection {@code number}. */
    DROP,
    /**
     * Calls {@link #turned} or {@link #heardBefore} after connection {@code on} was read once more.
     */
    TURN,
    /** Closes a connection of calls, which is the thing. */
    CLOSE,
    /** Tells a waiting call, which is the thing, its verdict. */
    END
  }

  /** What to do, in order. */
  record Todo(Action action, long number, long on, @Nullable Object thing) {}

  /** A timer of a check, or of the connection with a number. */
  static final class CheckTimer extends VerdictTimer {
    final @Nullable Check check;
    final long number;

    CheckTimer(@Nullable Check check, long number) {
      this.check = check;
      this.number = number;
    }
  }

  /** A timer of a call whose connection may be silent. */
  static final class SuspectTimer extends VerdictTimer {
    final TimedCall call;

    SuspectTimer(TimedCall call) {
      this.call = call;
    }
  }

  /** A connection for the check, and the unanswered check on it; check 0 is none. */
  static final class Check {
    final long number;
    final long begunNanos;
    long question;
    long sentNanos;
    long writtenNanos;
    boolean ready;
    boolean heard;
    boolean waited;
    boolean overdue;

    /** Whether it waits behind calls on the same connection. */
    boolean isBehind;

    Check(long number, long nowNanos) {
      this.number = number;
      begunNanos = nowNanos;
      sentNanos = nowNanos;
    }

    boolean isUnheard() {
      return !heard || question > 0;
    }
  }

  private final DoubleSupplier spread;
  private final DoubleSupplier again;
  private final Queue<Todo> todo = new ArrayDeque<>();
  private final PriorityQueue<VerdictTimer> timers = new PriorityQueue<>(VerdictTimer.BY_TIME);
  private final PriorityQueue<TimedCall> late =
      new PriorityQueue<>(Comparator.comparingLong(call -> call.halfNanos));
  private final List<TimedCall> suspects = new ArrayList<>();

  /* Late calls that have no verdict although their bound has passed. */
  private final PriorityQueue<TimedCall> pastBound =
      new PriorityQueue<>(Comparator.comparingLong(call -> call.begunNanos));
  private final Map<Object, Long> readNanos = new HashMap<>();
  private @Nullable Check newest;
  private @Nullable Check silent;
  private @Nullable Check turning;
  private @Nullable LateVerdict refused;
  private LateVerdict said = LateVerdict.OVERLOADED;
  private boolean isSilent;

  /* Nothing listened where the connection for the check was refused. */
  private boolean isUnreachable;

  /* Calls are answered beside the refused connection. */
  private boolean isBeside;

  /* This process has no time to read: the turn of the check's reader does not come. */
  private boolean isUnread;

  /* Nothing is known any more, after a time without calls, of a node that did not answer. */
  private boolean isForgotten;
  private boolean connects;

  /* When the next attempt to connect is due; until then none is made. */
  private long againNanos = NEVER;
  private long order;
  private long open;
  private long connections;
  private long questions;
  private long fastestNanos = Long.MAX_VALUE;

  /* When the newest data that was answered was sent, and when the last answer of any kind, that of
   * a call, and that of a check came. */
  private long answeredNanos = NEVER;
  private long heardNanos = NEVER;
  private long heardCallNanos = NEVER;
  private long repliedNanos = NEVER;
  private long calledNanos = NEVER;
  private long triedNanos = NEVER;
  private long refusedNanos = NEVER;

  /* When a connection for the check was last lost. */
  private long cutNanos = NEVER;

  /* A call has opened a connection since the last answer, because the node was doubtful. */
  private boolean hasOpened;

  /**
   * @param spread from 0 to 1, the part of the longest wait before the first connection
   * @param again from 0.5 to 1.5, times the back-off between connections
   */
  NodeVerdict(DoubleSupplier spread, DoubleSupplier again) {
    this.spread = spread;
    this.again = again;
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Takes the next action; null if none is left. */
  @Nullable Todo next() {
    return todo.poll();
  }

  /** Returns when {@link #advance} must be called; the greatest long if never. */
  long nextNanos() {
    VerdictTimer first = timers.peek();
    while (first != null && first.isSpent()) {
      timers.poll();
      first = timers.peek();
    }
    return first == null ? Long.MAX_VALUE : first.dueNanos;
  }

  /**
   * Returns the verdict on the node: OVERLOADED if it answers, OUTAGE if it is silent or nothing
   * listens, REFUSED if it refuses the connection for the check and answers no calls.
   */
  LateVerdict state() {
    if (isDown()) {
      return LateVerdict.OUTAGE;
    }
    return refused != null && !isBeside ? LateVerdict.REFUSED : LateVerdict.OVERLOADED;
  }

  /** Returns whether a connection for the check is in use. */
  boolean isCurrent(long number) {
    return newest != null && newest.number == number || silent != null && silent.number == number;
  }

  /** Returns when the last call was answered. */
  long heardCallNanos() {
    return heardCallNanos;
  }

  /** Returns whether the silence of an unanswered check has become a verdict. */
  boolean isOverdue(long question) {
    Check check = checkOf(question);
    return check != null && check.overdue;
  }

  /** Returns whether the verdict is neither an answer's nor a silence's: it is no change. */
  boolean isForgotten() {
    return isForgotten;
  }

  private boolean isDown() {
    return isSilent || refused != null && isUnreachable;
  }

  /* P. */
  private long silenceNanos() {
    return fastestNanos == Long.MAX_VALUE
        ? SILENCE
        : SILENCE + ClientNumbers.VERDICT_SILENCE_TRIPS * fastestNanos;
  }

  /** Returns whether a check is unanswered, or the node is silent; not where nothing listens. */
  boolean isDoubtful() {
    return isSilent || newest != null && newest.question > 0 && refused == null;
  }

  boolean isSilent() {
    return isSilent;
  }

  /**
   * Returns whether a call may open a connection, and assumes that it does: while the node is
   * doubtful, calls open one, and one after each answer.
   */
  boolean opens() {
    boolean opens = !isDoubtful() || !hasOpened;
    hasOpened |= isDoubtful();
    return opens;
  }

  /** Begins a call; if too many are in flight, it is late at once, and its verdict may be known. */
  TimedCall begin(long now, long deadlineNanos, @Nullable Object connection) {
    boolean refused = open >= ClientNumbers.CALLS_IN_FLIGHT;
    TimedCall call = new TimedCall(now, refused ? now : deadlineNanos, connection);
    call.refused = refused;
    calledNanos = now;
    if (refused && (isDown() || now - heardNanos < SECOND)) {
      call.verdict = isDown() ? LateVerdict.OUTAGE : said;
      return call;
    }
    open++;
    if (newest == null && !connects && againNanos == NEVER) {
      // Only the first connections of processes that start together are spread.
      if (connections == 0) {
        connectLater(now);
      } else {
        connect(now);
      }
    } else if (newest != null && newest.overdue && againNanos == NEVER) {
      connect(now);
      tryAgain(now);
    } else if (newest != null && newest.heard && now - repliedNanos > EVERY) {
      ask(now);
    }
    add(call.halfNanos, Due.HALF, call);
    return call;
  }

  /**
   * A call was answered, however late.
   *
   * @param verdict an outage if the answer says that the server cannot serve calls
   */
  void answered(TimedCall call, long now, LateVerdict verdict) {
    if (call.connection != null) {
      readNanos.put(call.connection, now);
    }
    heardCallNanos = Math.max(heardCallNanos, now);
    isBeside = true;
    end(call, LateVerdict.DECIDED);
    hear(now, call.begunNanos, verdict);
  }

  /** A call ended by itself: it was cancelled, or failed for a reason other than its deadline. */
  void leave(TimedCall call) {
    end(call, isDown() ? LateVerdict.OUTAGE : LateVerdict.OVERLOADED);
  }

  /** A connection for the check was made. */
  void connected(long number, long now) {
    if (newest != null && newest.number == number) {
      newest.ready = true;
      put(newest, now);
    }
  }

  /** The write of a check has returned. */
  void written(long question, long now) {
    Check check = checkOf(question);
    if (check != null) {
      check.writtenNanos = now;
      long least = check.heard ? now : check.begunNanos + CONNECTING;
      addSilence(Math.max(now + silenceNanos(), least), check);
    }
  }

  /**
   * A check was answered.
   *
   * @param verdict an outage if the answer says that the server cannot serve calls
   */
  void replied(long question, long now, LateVerdict verdict) {
    Check check = checkOf(question);
    if (check == null) {
      return;
    }
    Check other = check == newest ? silent : newest;
    if (other != null) {
      drop(other);
    }
    newest = check;
    silent = null;
    turning = null;
    isUnread = false;
    if (!check.isBehind) {
      fastestNanos = Math.min(fastestNanos, now - check.writtenNanos);
    }
    check.question = 0;
    check.heard = true;
    check.overdue = false;
    check.waited = false;
    repliedNanos = now;
    againNanos = NEVER;
    refused = null;
    hear(now, check.sentNanos, verdict);
    heal(now);
    if (!late.isEmpty()) {
      ask(now);
    }
  }

  /** There was no place for a check on a connection that carries calls: nothing is known. */
  void unasked(long question, long now) {
    Check check = checkOf(question);
    if (check == null) {
      return;
    }
    check.question = 0;
    if (!check.heard) {
      newest = silent;
      silent = null;
      tryAgain(now);
    }
    for (TimedCall call = late.poll(); call != null; call = late.poll()) {
      call.unchecked = true;
      end(call, LateVerdict.OVERLOADED);
    }
  }

  /**
   * A connection for the check was refused: by a configuration error, or an outage.
   *
   * @param unreachable whether nothing listens; otherwise it is the server that refuses, which may
   *     still answer calls
   * @return whether this is the first refusal of a server that answers calls
   */
  boolean refused(long number, long now, LateVerdict verdict, boolean unreachable) {
    if (newest == null || newest.number != number) {
      return false;
    }
    boolean stands = refused != null && !isUnreachable;
    isBeside = now - heardCallNanos <= SECOND || stands && heardCallNanos >= refusedNanos;
    refusedNanos = now;
    isSilent = false;
    isForgotten = false;
    refused = verdict;
    isUnreachable = unreachable;
    newest = silent;
    silent = null;
    tryAgain(now);
    judge(now);
    return isBeside && !unreachable && !stands;
  }

  /**
   * A connection for the check was lost; one that was never answered was refused.
   *
   * @return whether this is the first refusal of a server that answers calls
   */
  boolean cut(long number, long now) {
    if (isUnheard(number)) {
      return refused(number, now, LateVerdict.OUTAGE, false);
    }
    lost(number, now);
    return false;
  }

  /** Returns whether the loss of a connection for the check is a refusal: it was never answered. */
  boolean isUnheard(long number) {
    return newest != null && newest.number == number && !newest.heard;
  }

  /** A connection for the check was lost, which is no refusal. */
  void lost(long number, long now) {
    if (silent != null && silent.number == number) {
      silent = null;
    } else if (newest != null && newest.number == number) {
      newest = silent;
      silent = null;
      boolean rare = now - cutNanos >= AGAIN;
      cutNanos = now;
      if (newest == null && againNanos == NEVER && rare) {
        connect(now);
      } else {
        tryAgain(now);
      }
      settle(now);
    }
  }

  /** There will be no more connections for the check: late calls end by what is known. */
  void close(long now) {
    newest = null;
    silent = null;
    judge(now);
  }

  /** Does what is due. */
  void advance(long now) {
    for (VerdictTimer first = timers.peek();
        first != null && first.dueNanos <= now;
        first = timers.peek()) {
      timers.poll();
      due(first, now);
    }
  }

  /** The answers that had arrived on the check's connection were read. */
  void turned(long now) {
    Check check = turning;
    turning = null;
    isUnread = false;
    if (check == null || check.overdue || !check.isUnheard() || check != newest) {
      return;
    }
    check.overdue = true;
    refused = null;
    isForgotten = false;
    // Otherwise only this connection is silent.
    isSilent |= answeredNanos < check.sentNanos;
    tryAgain(now);
    settle(now);
  }

  /**
   * Returns whether the check waits behind calls on the same connection that are answered: then
   * {@link #turned} is not called.
   *
   * @param heard when the last call was answered
   */
  boolean heardBefore(long now, long heard) {
    Check check = turning;
    if (check == null || !check.isUnheard() || check != newest || now - heard >= silenceNanos()) {
      return false;
    }
    turning = null;
    isUnread = false;
    check.isBehind = true;
    check.waited = false;
    check.writtenNanos = heard;
    addSilence(heard + silenceNanos(), check);
    hear(now, heard - silenceNanos(), LateVerdict.OVERLOADED);
    return true;
  }

  private void due(VerdictTimer timer, long now) {
    if (timer instanceof TimedCall call) {
      if (call.verdict == null) {
        callDue(call, now);
      }
    } else if (timer instanceof SuspectTimer suspect) {
      suspects.add(suspect.call);
      heal(now);
    } else if (timer instanceof CheckTimer due) {
      checkDue(due, now);
    }
  }

  private void callDue(TimedCall call, long now) {
    switch (call.due) {
      case HALF -> {
        if (answeredNanos < Math.min(call.halfNanos, now - FRESH)) {
          ask(now);
        }
        add(call.deadlineNanos, Due.DEADLINE, call);
      }
      case DEADLINE -> {
        if (call.connection != null) {
          add(call.deadlineNanos + SILENCE, Due.SUSPECT, new SuspectTimer(call));
        }
        LateVerdict verdict = verdict(call, now);
        if (verdict != null) {
          end(call, verdict);
          return;
        }
        late.add(call);
        ask(now);
        add(call.deadlineNanos + silenceNanos(), Due.BOUND, call);
      }
      default -> {
        boundDue(call, now);
        if (call.verdict == null) {
          pastBound.add(call);
        }
      }
    }
  }

  /* Ends late calls by a verdict and, past their bound, by the answers since they began. */
  private void settle(long now) {
    judge(now);
    for (TimedCall call = pastBound.peek(); call != null; call = pastBound.peek()) {
      if (call.verdict == null) {
        boundDue(call, now);
      }
      if (call.verdict == null) {
        break;
      }
      pastBound.poll();
    }
    judge(now);
  }

  private void boundDue(TimedCall call, long now) {
    boolean heard = answeredNanos >= call.begunNanos && !isAsked(call);
    if (heard || repliedNanos > call.deadlineNanos) {
      end(call, said);
    } else if (silent != null || newest != null && newest.overdue) {
      isSilent = true;
      judge(now);
    }
  }

  private void checkDue(CheckTimer timer, long now) {
    Check check = timer.check;
    if (timer.due == Due.TURN) {
      isUnread = turning == check;
      judge(now);
    } else if (timer.due == Due.AGAIN) {
      againDue(timer.dueNanos, now);
    } else if (check != null) {
      if (isUnanswered(check, timer.number) && !isEarly(timer, check)) {
        silenceDue(check, timer.number, now, now - timer.dueNanos);
      }
    } else if (timer.number == connections) {
      switch (timer.due) {
        case CONNECT -> connect(now);
        default -> idleDue(now);
      }
    }
  }

  private void againDue(long dueNanos, long now) {
    if (dueNanos == againNanos) {
      againNanos = NEVER;
      if (calledNanos > triedNanos) {
        connect(now);
        tryAgain(now);
      }
    }
  }

  private void silenceDue(Check check, long question, long now, long lateNanos) {
    if (lateNanos > STALE && check.heard) {
      renew(check, now);
    } else if (lateNanos > LATE_TIMER && !check.waited) {
      check.waited = true;
      add(now + LATE_TIMER_MORE, Due.SILENCE, new CheckTimer(check, question));
    } else {
      turning = check;
      add(now + SILENCE, Due.TURN, new CheckTimer(check, check.question));
      todo.add(new Todo(Action.TURN, check.heard ? 1 : 0, check.number, null));
    }
  }

  private void idleDue(long now) {
    if (now - calledNanos < IDLE) {
      addNumbered(calledNanos + IDLE, Due.IDLE);
      return;
    }
    if (newest != null) {
      drop(newest);
    }
    if (silent != null) {
      drop(silent);
    }
    isForgotten |= state() != LateVerdict.OVERLOADED;
    newest = null;
    silent = null;
    refused = null;
    isSilent = false;
    connects = false;
    hasOpened = false;
    againNanos = NEVER;
    judge(now);
  }

  /* The unanswered check on a connection that has answered was sent late enough to count for it. */
  private boolean isAsked(TimedCall call) {
    Check check = newest;
    return check != null && check.heard && check.question > 0 && check.sentNanos >= call.halfNanos;
  }

  /* How a late call ends; null while that is unknown. */
  private @Nullable LateVerdict verdict(TimedCall call, long now) {
    if (answeredNanos >= Math.min(call.halfNanos, now - FRESH)) {
      return said;
    }
    if (refused != null) {
      boolean up = heardCallNanos >= call.begunNanos || now - heardCallNanos <= SECOND;
      return up && !isUnreachable ? LateVerdict.OVERLOADED : refused;
    }
    if (isSilent) {
      return LateVerdict.OUTAGE;
    }
    if (newest == null || isUnread) {
      call.unchecked = true;
      return LateVerdict.OVERLOADED;
    }
    boolean isOfItsTime = newest.sentNanos >= Math.min(call.halfNanos, now - FRESH);
    return newest.overdue && isOfItsTime ? LateVerdict.OUTAGE : null;
  }

  /* Up to the first whose verdict is unknown: that of later calls is unknown, too. */
  private void judge(long now) {
    for (TimedCall call = late.peek(); call != null; call = late.peek()) {
      if (call.verdict == null) {
        LateVerdict verdict = verdict(call, now);
        if (verdict == null) {
          return;
        }
        end(call, verdict);
      }
      late.poll();
    }
  }

  private void hear(long now, long sentNanos, LateVerdict verdict) {
    isSilent = false;
    isForgotten = false;
    heardNanos = now;
    hasOpened = false;
    if (isUnreachable && refused != null && sentNanos > triedNanos) {
      // Something listens again.
      refused = null;
      againNanos = NEVER;
      connectLater(now);
    }
    if (sentNanos >= answeredNanos) {
      answeredNanos = sentNanos;
      said = verdict;
    }
    if (!late.isEmpty()) {
      settle(now);
    }
  }

  private void end(TimedCall call, LateVerdict verdict) {
    if (call.verdict == null) {
      call.verdict = verdict;
      open--;
      if (call.waiter != null) {
        todo.add(new Todo(Action.END, 0, 0, call));
      }
    }
  }

  /* Closes connections of calls that stay silent while later checks are answered. */
  private void heal(long now) {
    for (TimedCall call : List.copyOf(suspects)) {
      if (readNanos.getOrDefault(call.connection, NEVER) > call.begunNanos) {
        suspects.remove(call);
      } else if (answeredNanos > call.begunNanos && repliedNanos > call.begunNanos) {
        suspects.remove(call);
        todo.add(new Todo(Action.CLOSE, 0, 0, call.connection));
        Set<TimedCall> others = new HashSet<>();
        timers.forEach(
            timer -> {
              if (timer instanceof TimedCall other
                  && Objects.equals(other.connection, call.connection)) {
                others.add(other);
              }
            });
        others.forEach(other -> end(other, LateVerdict.OVERLOADED));
      }
    }
  }

  private void ask(long now) {
    Check check = newest;
    if (check == null || !check.ready || check.question > 0 || isSilent) {
      return;
    }
    if (check.heard && now - repliedNanos > STALE) {
      renew(check, now);
    } else {
      put(check, now);
    }
  }

  /* From then on, only the silence of the new connection counts. */
  private void renew(Check check, long now) {
    drop(check);
    newest = null;
    connect(now);
  }

  private void put(Check check, long now) {
    check.question = ++questions;
    check.overdue = false;
    check.isBehind = false;
    check.sentNanos = now;
    check.writtenNanos = now;
    todo.add(new Todo(Action.ASK, check.question, check.number, null));
    // Relevant if it is never written.
    addSilence(now + silenceNanos() + CONNECTING, check);
  }

  private void connectLater(long now) {
    long wait = Math.round(spread.getAsDouble() * nanos(ClientNumbers.VERDICT_SPREAD_MS));
    connects = wait > 0;
    if (connects) {
      addNumbered(now + wait, Due.CONNECT);
    } else {
      connect(now);
    }
  }

  /* Beside a silent one. */
  private void connect(long now) {
    if (newest != null && newest.heard && silent == null) {
      silent = newest;
    } else if (newest != null) {
      drop(newest);
    }
    connects = false;
    newest = new Check(++connections, now);
    triedNanos = now;
    todo.add(new Todo(Action.CONNECT, connections, 0, null));
    addSilence(now + CONNECTING, newest);
    addNumbered(calledNanos + IDLE, Due.IDLE);
  }

  private void drop(Check check) {
    todo.add(new Todo(Action.DROP, check.number, 0, null));
  }

  private void tryAgain(long now) {
    if (againNanos == NEVER) {
      againNanos = now + Math.round(again.getAsDouble() * AGAIN);
      addNumbered(againNanos, Due.AGAIN);
    }
  }

  private @Nullable Check checkOf(long question) {
    if (newest != null && newest.question == question) {
      return newest;
    }
    return silent != null && silent.question == question ? silent : null;
  }

  /* Check 0 is the first on its connection. */
  private boolean isUnanswered(Check check, long question) {
    return check == newest
        && turning == null
        && (question == 0 ? !check.heard : check.question == question);
  }

  /* It was written after its timer began, and has another one. */
  private boolean isEarly(CheckTimer timer, Check check) {
    return check.question > 0 && timer.dueNanos < check.writtenNanos + silenceNanos();
  }

  private void addSilence(long dueNanos, Check check) {
    add(dueNanos, Due.SILENCE, new CheckTimer(check, check.question));
  }

  private void addNumbered(long dueNanos, Due due) {
    add(dueNanos, due, new CheckTimer(null, connections));
  }

  private void add(long dueNanos, Due due, VerdictTimer timer) {
    timer.dueNanos = dueNanos;
    timer.due = due;
    timer.order = order++;
    timers.add(timer);
    if (timers.size() > 3 * open + SPARE_TIMERS) {
      timers.removeIf(VerdictTimer::isSpent);
    }
  }
}
