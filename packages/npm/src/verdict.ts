// Whether a server answers, checked on the server itself: rule F2 of docs/protocol.md, for one node.
import { classifyError, isRefusal, isUnreachable, textOf } from "./failures.js";
import {
  VERDICT_AGAIN_MS, VERDICT_CONNECTING_MS, VERDICT_EVERY_MS, VERDICT_FRESH_MS, VERDICT_IDLE_MS, VERDICT_LATE_TIMER_MORE_MS,
  VERDICT_LATE_TIMER_MS, VERDICT_SILENCE_MS, VERDICT_SILENCE_TRIPS, VERDICT_SPREAD_MS, VERDICT_STALE_MS,
} from "./numbers.js";

// Replies that refuse the check itself; any other reply counts as an answer.
const NO_ENTRY = /^(NOAUTH|NOPERM|WRONGPASS)\b/;
// Calls that were answered within this time outweigh a connection that is refused.
const RECENT_MS = 1_000;
const PAST = -Infinity;

/** The clock and timers, which tests replace. */
export interface ProcessClock {
  now(): number;
  after(ms: number, run: () => void): NodeJS.Timeout;
  cancel(timer: NodeJS.Timeout | undefined): void;
  /** Runs a task after the event loop has read the data that had arrived on its sockets. */
  turn(run: () => void): void;
}

export const CLOCK: ProcessClock = {
  now: () => performance.now(),
  after: (ms, run) => setTimeout(run, Math.ceil(ms)),
  cancel: (timer) => clearTimeout(timer),
  turn: (run) => void setImmediate(run),
};

/** The random delays before a node's first connection for the check, and before a retry. */
export const DELAYS = {
  first: () => Math.random() * VERDICT_SPREAD_MS,
  again: () => (0.5 + Math.random()) * VERDICT_AGAIN_MS,
};

/** A connection for the check. Neither method calls back before it returns. */
export interface QuestionLink {
  ask(written: () => void, answered: (error?: unknown) => void): void;
  close(): void;
}

/**
 * Opens a connection for the check; `ended` receives the error if the connection is refused or lost, and whether the client lost the check,
 * which is no refusal by the server. Undefined while none can be opened: nothing is known of the server then, and the next call opens it.
 */
export type LinkOpener = (connected: () => void, ended: (error: unknown, byClient?: boolean) => void) => QuestionLink | undefined;

/**
 * The verdict on a late call: the server answers, but too late; it is unknown whether the server answers; the server does not answer; or
 * the configuration is wrong.
 */
export interface Judgement {
  readonly outcome: "overloaded" | "outage" | "refused";
  /** Whether the server is known to answer. */
  readonly answered?: boolean;
  readonly error?: unknown;
}

/** A call that requires a verdict. */
export interface JudgedCall {
  readonly begun: number;
  /** The time at which the call requests a check. */
  readonly half: number;
  readonly written: boolean;
  lateAt: number;
  /** The time at which the call ends if a second check is not answered either; `PAST` if it then had to wait for a new connection. */
  endsAt: number;
  judged(judgement: Judgement): void;
}

/** A change of the verdict on a node, or, once, that it is still up although the connection for the check is refused. */
export interface VerdictChange {
  /** Silent also if nothing listens; refused if the server itself refuses the connection for the check and answers no calls. */
  readonly verdict: "up" | "silent" | "refused";
  /** The node of a cluster; undefined for a single server. */
  readonly node?: unknown;
  /** How long the previous verdict lasted. */
  readonly lastedMs: number;
  /** The error with which the connection for the check was refused. */
  readonly error?: unknown;
}

const ANSWERED: Judgement = { outcome: "overloaded", answered: true };
const UNKNOWN: Judgement = { outcome: "overloaded", answered: false };
const OUTAGE: Judgement = { outcome: "outage" };

/**
 * A timer that lets the event loop run two more turns before it fires. If the timer fires late, the process was paused, and the delay is
 * extended: once, or up to three times for a handshake, which takes several turns.
 */
class PatientTimer {
  #timer: NodeJS.Timeout;
  #isOver = false;

  constructor(
    private readonly clock: ProcessClock,
    ms: number,
    private readonly run: () => void,
    isHandshake = false,
  ) {
    this.#timer = isHandshake ? this.#started(ms, 3, VERDICT_CONNECTING_MS) : this.#started(ms, 1, VERDICT_LATE_TIMER_MORE_MS);
  }

  ref(): void {
    this.#timer.ref();
  }

  unref(): void {
    this.#timer.unref();
  }

  cancel(): void {
    this.#isOver = true;
    this.clock.cancel(this.#timer);
  }

  #started(ms: number, times: number, most: number): NodeJS.Timeout {
    const due = this.clock.now() + ms;
    return this.clock.after(ms, () => {
      const late = this.clock.now() - due;
      const more = Math.min(Math.max(late, VERDICT_LATE_TIMER_MORE_MS), most);
      if (times > 0 && late > VERDICT_LATE_TIMER_MS) this.#timer = this.#started(more, times - 1, most);
      else this.clock.turn(() => this.clock.turn(() => !this.#isOver && this.run()));
    });
  }
}

/** A connection for the check, and the check in flight on it. */
class QuestionLine {
  link: QuestionLink | undefined;
  isOpen = false;
  hasAnswered = false;
  isSilent = false;
  question: { readonly sent: number } | undefined;
  timer: PatientTimer | undefined;

  constructor(readonly begun: number) {}
}

/** A refusal: by the server, unless nothing listens (`isUnreachable`) or the client lost the check (`isLost`). */
interface Refusal {
  readonly error: unknown;
  readonly isWrong: boolean;
  /** The server cannot accept another connection. */
  readonly isFull: boolean;
  readonly isUnreachable: boolean;
  readonly isLost: boolean;
}

/** The verdict on one node. Calls report to it their start, the passing of half their time, their lateness and their answers. */
export class NodeVerdict {
  #current: QuestionLine | undefined;
  /** A second connection that is being opened, beside one that is silent. */
  #attempt: QuestionLine | undefined;
  #planned: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #hasConnected = false;
  #triedAt = -Infinity;
  #cutAt = -Infinity;
  #lastCall = -Infinity;
  #nextLook = -Infinity;
  /** The time at which the most recently answered command was sent, and the answer's error if it means an outage. */
  #sent = -Infinity;
  #unavailable: unknown;
  #callRead = -Infinity;
  #read = -Infinity;
  /** The times at which the most recently answered check was answered and sent. */
  #questionRead = -Infinity;
  #questionSent = -Infinity;
  #fastest = Infinity;
  #isSilent = false;
  #refusal: Refusal | undefined;
  #refusedAt = -Infinity;
  #healedAt = -Infinity;
  /** The start of the last late call that had been written. */
  #lastWritten = Infinity;
  #watches = false;
  /** Late calls that wait for the answer to a check, in order of lateness. */
  readonly #late = new Set<JudgedCall>();
  #ends: PatientTimer | undefined;
  #verdict: VerdictChange["verdict"] = "up";
  #since: number;

  /** `heal` replaces the connection that carries the node's calls. */
  constructor(
    private readonly open: LinkOpener,
    private readonly heal: () => void = () => {},
    private readonly changed: (change: VerdictChange) => void = () => {},
    private readonly clock = CLOCK,
    private readonly delays = DELAYS,
  ) {
    this.#since = clock.now();
  }

  /** Records that a call starts. */
  begin(now: number): void {
    if (now - this.#lastCall >= VERDICT_IDLE_MS && (this.#isSilent || this.#refusal)) this.#forget();
    this.#lastCall = now;
    if (!this.#again && !this.#planned && (this.#isSilent || this.#refusal)) this.#connectAgain();
    if (now >= this.#nextLook) this.#look(now);
  }

  /** Records that half of a call's time has passed. */
  half(call: JudgedCall): void {
    const line = this.#current;
    if (line?.isOpen && !line.question && !this.#isSilent && !this.#isFresh(call, this.clock.now())) this.#ask(line);
  }

  /** Records that a call is late: it ends at once, or when the server has answered a check or stayed silent for long enough. */
  late(call: JudgedCall): void {
    const now = (call.lateAt = this.clock.now());
    const judgement = this.#judgement(call, now);
    if (judgement) return this.#end(call, judgement);
    if (now >= this.#nextLook) this.#look(now);
    this.#late.add(call);
    this.#current?.timer?.ref();
    if (this.#refusal?.isFull) this.#settleLater();
    else this.#askFor(call);
  }

  /** Records a call that exceeds the maximum number in flight: it ends at once if the last thing heard was an answer, or is late. */
  crowded(call: JudgedCall): void {
    const isRecent = !this.#isSilent && !this.#refusal?.isUnreachable && this.clock.now() - this.#read < RECENT_MS;
    if (isRecent) call.judged(this.#said());
    else this.late(call);
  }

  /** Returns the verdict for a call that its caller cancelled. */
  cancelled(call?: JudgedCall): Judgement {
    if (call) this.ended(call);
    return this.#isSilent || this.#refusal?.isUnreachable ? OUTAGE : UNKNOWN;
  }

  /** Records that a late call ended for another reason. */
  ended(call: JudgedCall): void {
    this.#late.delete(call);
    if (this.#late.size > 0) return;
    this.#ends?.cancel();
    this.#ends = undefined;
  }

  /** Returns whether `heal` closed the connection on which a call was lost. */
  hasHealed(call: JudgedCall): boolean {
    return call.begun <= this.#healedAt;
  }

  /** Records that the server answered a call sent at this time, and the error if it was one. */
  heard(sent: number, error?: unknown): void {
    this.#note((this.#callRead = this.clock.now()), sent, error);
    for (const call of this.#late) {
      if (!this.#isFresh(call, this.#callRead)) break;
      this.#end(call, this.#judgement(call, this.#callRead)!);
    }
    this.#endPast();
  }

  close(): void {
    for (const timer of [this.#planned, this.#again, this.#idle]) this.clock.cancel(timer);
    this.#planned = this.#again = this.#idle = undefined;
    this.#drop(this.#attempt);
    this.#drop(this.#current);
    this.#nextLook = -Infinity;
    for (const call of this.#late) {
      this.ended(call);
      call.judged(UNKNOWN);
    }
  }

  #forget(): void {
    this.#isSilent = false;
    this.#refusal = undefined;
    this.close();
  }

  #note(now: number, sent: number, error: unknown): void {
    this.#read = now;
    if (sent >= this.#sent) {
      this.#sent = sent;
      this.#unavailable = error !== undefined && classifyError(error).kind === "unavailable" ? error : undefined;
    }
    this.#isSilent = false;
    // Something listens again.
    if (this.#refusal?.isUnreachable && sent > this.#triedAt) {
      this.#refusal = undefined;
      this.clock.cancel(this.#again);
      this.#again = undefined;
      this.#connectSoon();
    }
    // What was sent before nothing listened may be answered late.
    if (!this.#refusal?.isUnreachable) this.#tell("up", this.#refusal?.isLost ? undefined : this.#refusal?.error);
  }

  /** Returns whether a command that was sent recently enough for this call has been answered. */
  #isFresh(call: JudgedCall, now: number): boolean {
    return this.#sent >= Math.min(call.half, now - VERDICT_FRESH_MS);
  }

  /** Returns whether the unanswered check on a connection that has answered was sent late enough to count for this call. */
  #isAsked(call: JudgedCall): boolean {
    const line = this.#attempt ?? this.#current;
    return line?.hasAnswered === true && line.question !== undefined && line.question.sent >= call.half;
  }

  #said(): Judgement {
    return this.#unavailable === undefined ? ANSWERED : { outcome: "outage", error: this.#unavailable };
  }

  #judgement(call: JudgedCall, now: number, hasTurned = false): Judgement | undefined {
    if (this.#isFresh(call, now)) return this.#said();
    if (this.#isSilent) return OUTAGE;
    if (this.#refusal) {
      const { error, isWrong, isFull, isUnreachable } = this.#refusal;
      if (!isUnreachable && this.#callRead >= Math.min(call.begun, now - RECENT_MS)) return ANSWERED;
      // This process may be too busy to have read the answers to its calls.
      if (isFull && !hasTurned) return undefined;
      return { outcome: isWrong ? "refused" : "outage", error };
    }
    const line = this.#current;
    if (line?.isSilent && line.question && line.question.sent >= Math.min(call.half, now - VERDICT_FRESH_MS)) return OUTAGE;
    return line || this.#attempt ? undefined : UNKNOWN;
  }

  #end(call: JudgedCall, judgement: Judgement): void {
    this.ended(call);
    call.judged(judgement);
    if (!call.written) return;
    this.#lastWritten = call.begun;
    if (!judgement.answered || this.#watches) return;
    this.#watches = true;
    const { begun } = call;
    const look = () => {
      this.#watches = false;
      this.#healFrom(begun);
    };
    this.clock.after(VERDICT_SILENCE_MS, look).unref();
  }

  /** Replaces the calls' connection if nothing was read from it since this time although a later check was answered. */
  #healFrom(written: number): void {
    if (this.#callRead >= written || this.#questionSent <= written) return;
    this.#healedAt = this.clock.now();
    this.heal();
  }

  /** Sends the check for a call, or lets the call wait for the one in flight. */
  #askFor(call: JudgedCall): void {
    const line = this.#current;
    if (line?.isOpen && !line.question) this.#ask(line);
    this.#endLater(call);
  }

  #look(now: number): void {
    const line = this.#current;
    if (this.#planned || this.#attempt || this.#again || this.#isSilent) return;
    if (!line) {
      // A process that calls rarely has connected before, and need not wait.
      if (!this.#hasConnected) this.#connectSoon();
      else this.#connect();
    } else if (line.hasAnswered && now - this.#questionRead >= VERDICT_STALE_MS) {
      this.#renew(line);
    } else if (line.isOpen && !line.question) {
      this.#ask(line);
    }
  }

  #connectSoon(): void {
    const connect = () => {
      this.#planned = undefined;
      this.#connect();
    };
    (this.#planned = this.clock.after(this.delays.first(), connect)).unref();
  }

  /** Replaces the connection by a new one; from then on only the silence of the new one counts. */
  #renew(line: QuestionLine): void {
    this.#drop(line);
    this.#connect();
  }

  #connect(): void {
    const line = new QuestionLine(this.clock.now());
    this.#hasConnected = true;
    this.#triedAt = this.clock.now();
    if (this.#current) this.#attempt = line;
    else this.#current = line;
    this.#guard(line, VERDICT_CONNECTING_MS);
    const isOld = () => line !== this.#current && line !== this.#attempt;
    line.link = this.open(
      () => {
        if (isOld()) return;
        line.isOpen = true;
        // However long connecting took, the check has its own time.
        line.isSilent = false;
        this.#ask(line);
      },
      (error, byClient = false) => {
        if (!isOld()) this.#lost(line, error, byClient);
      },
    );
    if (!line.link) return this.#drop(line);
    this.#idle ??= this.#closeWhenIdle(VERDICT_IDLE_MS);
  }

  #closeWhenIdle(ms: number): NodeJS.Timeout {
    return this.clock.after(ms, () => {
      const left = this.#lastCall + VERDICT_IDLE_MS - this.clock.now();
      if (left > 0) this.#idle = this.#closeWhenIdle(left);
      else this.#forget();
    }).unref();
  }

  #ask(line: QuestionLine): void {
    const question = (line.question = { sent: this.clock.now() });
    let writtenAt = question.sent;
    // In case it is never written.
    this.#guard(line, this.#silenceMs() + VERDICT_CONNECTING_MS);
    const written = () => {
      writtenAt = this.clock.now();
      if (line.question !== question) return;
      this.#guard(line, Math.max(this.#silenceMs(), line.hasAnswered ? 0 : line.begun + VERDICT_CONNECTING_MS - writtenAt));
    };
    line.link!.ask(written, (error) => {
      if (line.question === question) this.#answered(line, question.sent, writtenAt, error);
    });
  }

  /** P. */
  #silenceMs(): number {
    return VERDICT_SILENCE_MS + (this.#fastest === Infinity ? 0 : VERDICT_SILENCE_TRIPS * this.#fastest);
  }

  #guard(line: QuestionLine, ms: number): void {
    line.timer?.cancel();
    line.timer = new PatientTimer(this.clock, ms, () => this.#silent(line), !line.hasAnswered);
    if (this.#late.size === 0) line.timer.unref();
  }

  #answered(line: QuestionLine, sent: number, writtenAt: number, error: unknown): void {
    const now = this.clock.now();
    line.question = undefined;
    line.timer?.cancel();
    this.#fastest = Math.min(this.#fastest, now - writtenAt);
    line.hasAnswered = true;
    line.isSilent = false;
    // A new connection ends the silence: the old one of the calls may stay silent.
    const written = this.#lastWritten;
    if (line === this.#attempt) this.clock.turn(() => this.clock.turn(() => this.#healFrom(written)));
    this.#drop(line === this.#current ? this.#attempt : this.#current);
    this.#current = line;
    this.#attempt = undefined;
    this.clock.cancel(this.#again);
    this.#again = undefined;
    this.#questionRead = now;
    this.#questionSent = sent;
    this.#nextLook = now + VERDICT_EVERY_MS;
    if (NO_ENTRY.test(textOf(error))) {
      this.#refused(error, true, false);
    } else {
      this.#refusal = undefined;
      this.#note(now, sent, error);
    }
    this.#settle();
  }

  /** Records that a connection was refused or lost. */
  #lost(line: QuestionLine, error: unknown, byClient: boolean): void {
    const now = this.clock.now();
    this.#drop(line);
    const isRare = now - this.#cutAt >= VERDICT_AGAIN_MS && now - this.#lastCall < VERDICT_IDLE_MS;
    if (line.hasAnswered) this.#cutAt = now;
    else this.#refused(error, isRefusal(error), byClient);
    if (line.hasAnswered && isRare && !this.#attempt && !this.#again) this.#connect();
    else this.#tryAgain();
    if (this.#refusal?.isFull) this.#settleLater();
    else this.#settle();
  }

  #refused(error: unknown, isWrong: boolean, byClient: boolean): void {
    const now = this.clock.now();
    const stands = this.#refusal && !this.#refusal.isUnreachable;
    const isBeside = this.#callRead >= Math.min(now - RECENT_MS, stands ? this.#refusedAt : Infinity);
    const isFull = classifyError(error).kind === "unavailable";
    const isLost = byClient && !isWrong;
    const isNew = !isLost && (!stands || this.#refusal!.isLost);
    this.#refusal = { error, isWrong, isFull, isUnreachable: isUnreachable(error), isLost };
    this.#refusedAt = now;
    this.#isSilent = false;
    if (this.#refusal.isUnreachable) this.#tell("silent", error);
    else if (isBeside) this.#tell("up", isLost ? undefined : error, isNew);
    else this.#tell(isLost ? "silent" : "refused", error);
  }

  #silent(line: QuestionLine): void {
    const now = this.clock.now();
    if (line.hasAnswered && now - this.#questionRead >= VERDICT_STALE_MS) return this.#renew(line);
    line.isSilent = true;
    this.#tryAgain();
    if (this.#sent < (line.question?.sent ?? line.begun)) this.#beSilent();
    this.#settle();
  }

  #beSilent(): void {
    this.#isSilent = true;
    this.#refusal = undefined;
    this.#tell("silent");
  }

  /** Ends the late calls whose verdict is known; the others wait for the next check until their `endsAt`. */
  #settle(hasTurned = false): void {
    const now = this.clock.now();
    for (const call of this.#late) {
      const judgement = this.#judgement(call, now, hasTurned);
      if (judgement) this.#end(call, judgement);
    }
    this.#endPast();
    for (const call of this.#late) this.#endLater(call);
    const line = this.#current;
    if (this.#late.size > 0 && line?.isOpen && !line.question) this.#ask(line);
  }

  #settleLater(): void {
    this.clock.turn(() => this.clock.turn(() => this.#settle(true)));
  }

  #endLater(call: JudgedCall): void {
    if (call.endsAt === PAST) return;
    if (call.endsAt === Infinity) call.endsAt = call.lateAt + this.#silenceMs();
    this.#ends ??= new PatientTimer(this.clock, Math.max(0, call.endsAt - this.clock.now()), () => {
      this.#ends = undefined;
      const now = this.clock.now();
      for (const late of this.#late) {
        if (late.endsAt > now) {
          if (late.endsAt < Infinity) this.#endLater(late);
          break;
        }
        late.endsAt = PAST;
        this.#endsPast(late);
      }
    });
  }

  /** Ends the calls whose time to end has passed, up to the first for which too little is known. */
  #endPast(): void {
    for (const call of this.#late) if (call.endsAt > PAST || !this.#endsPast(call)) return;
  }

  /** Ends a call by the answers since it began, or by a silent connection; otherwise a new connection still has time to answer. */
  #endsPast(call: JudgedCall): boolean {
    const isHeard = (this.#sent >= call.begun && !this.#isAsked(call)) || this.#questionRead > call.lateAt;
    if (!isHeard && !this.#current?.isSilent && !this.#attempt?.isSilent) return false;
    if (!isHeard) this.#beSilent();
    this.#end(call, isHeard ? this.#said() : OUTAGE);
    return true;
  }

  /** Retries the connection, one attempt at a time, while calls are made. */
  #tryAgain(): void {
    this.#again ??= this.clock.after(this.delays.again(), () => {
      this.#again = undefined;
      if (this.#lastCall > this.#triedAt) this.#connectAgain();
    }).unref();
  }

  #connectAgain(): void {
    this.#drop(this.#attempt);
    this.#connect();
    this.#tryAgain();
  }

  #drop(line: QuestionLine | undefined): void {
    if (!line) return;
    if (line === this.#current) this.#current = undefined;
    if (line === this.#attempt) this.#attempt = undefined;
    line.timer?.cancel();
    line.link?.close();
  }

  /** Reports a change of the verdict, or, if `isNew`, a refusal beside answered calls. */
  #tell(verdict: VerdictChange["verdict"], error?: unknown, isNew = false): void {
    if (verdict === this.#verdict && !isNew) return;
    const now = this.clock.now();
    this.changed({ verdict, lastedMs: now - this.#since, ...(error !== undefined && { error }) });
    if (verdict !== this.#verdict) this.#since = now;
    this.#verdict = verdict;
  }
}
