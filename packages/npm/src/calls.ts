// Sends the commands of limiters and reservations once, and converts their failures.
import { inspect } from "node:util";
import type { BatchPart } from "./batches.js";
import { Deadlines } from "./deadlines.js";
import {
  LOST, MisconfiguredError, NoDecisionError, NotSentError, OverloadedError, classifyError, isRefusal, isReply, textOf, thrown, type PenstockError,
} from "./failures.js";
import { CALLS_IN_FLIGHT } from "./numbers.js";
import { PendingCall } from "./pending.js";
import { verdictsOf, type NodeVerdicts, type QuestionForm, type VerdictListener } from "./questions.js";
import type { Sender } from "./sender.js";
import type { Judgement } from "./verdict.js";

// A node that answers READONLY for this long, without a decision in between, is a replica and not a primary that moved.
const REPLICA_MS = 10_000;
const CHOICES = ["throw", "allow", "deny"];

/** The result of a call for units if the server does not make a decision. */
export type Choice = "throw" | "allow" | "deny";

export interface CallOptions {
  /**
   * Aborts the call. The call then fails with an OverloadedError or, while the server is known to be silent, with a NotSentError or
   * MaybeChargedError. The error's cause is the signal's reason.
   */
  signal?: AbortSignal | undefined;
}

export interface SendOptions extends CallOptions {
  part?: BatchPart | undefined;
}

/** How calls end during an outage, or if a resource is exhausted. */
export class FailureChoices {
  readonly #onUnavailable: Choice;
  readonly #onOverload: Choice;

  constructor({ onUnavailable = "throw", onOverload = "deny" }: { onUnavailable?: Choice; onOverload?: Choice }) {
    for (const [name, choice] of Object.entries({ onUnavailable, onOverload })) {
      if (!CHOICES.includes(choice)) throw new RangeError(`${name} must be "throw", "allow" or "deny": ${choice}`);
    }
    this.#onUnavailable = onUnavailable;
    this.#onOverload = onOverload;
  }

  /** The only code that lets a failed call through. */
  of(failure: PenstockError): Choice {
    return failure instanceof NoDecisionError ? this.#onUnavailable : failure instanceof OverloadedError ? this.#onOverload : "throw";
  }
}

/**
 * Checks a timeout. Less than 1 ms, for example because it was given in seconds, is rejected: no call would be answered in time, so no
 * caller would be limited.
 */
export function checkedTimeout(timeoutMs: number): number {
  if (typeof timeoutMs === "number" && timeoutMs >= 1) return timeoutMs;
  throw new RangeError(`timeoutMs must be a number of at least 1: ${inspect(timeoutMs)}`);
}

/** Sends the commands of one limiter. Each is sent once; it is sent again only after NOSCRIPT, MOVED or ASK. */
export class Calls {
  readonly #deadlines: Deadlines;
  readonly #verdicts: NodeVerdicts;
  #readOnlySince: number | undefined;

  /** `question` is a peek with the limiter's script, without the key. */
  constructor(
    readonly sender: Sender,
    readonly ms: number,
    private readonly question: QuestionForm,
    onVerdict?: VerdictListener,
  ) {
    if (typeof sender?.send !== "function" || typeof sender.sendToMasters !== "function") {
      throw new TypeError("sender must be nodeRedis(client) or ioredis(client)");
    }
    this.#deadlines = new Deadlines(ms);
    this.#verdicts = verdictsOf(sender);
    if (onVerdict) this.#verdicts.listeners.add(onVerdict);
  }

  /**
   * Sends a call. `answered` receives the reply, and throws if it cannot be decoded; `failed` receives the error, and whether the signal
   * ended the call. `start` sends it, and by default does so on its own; `done` ends it without either.
   */
  send(
    key: string,
    command: string[],
    source: string,
    charges: boolean,
    { signal, part }: SendOptions,
    answered: (reply: unknown) => void,
    failed: (failure: PenstockError, cancelled: boolean) => void,
    start?: (call: PendingCall, heard: (reply: unknown) => void, refused: (error: unknown) => void, done: () => void) => void,
  ): void {
    const verdicts = this.#verdicts;
    const server = this.sender.serverOf?.(key);
    const node = verdicts.of(server, this.question, key);
    const deadlines = part?.deadlines ?? this.#deadlines;
    let why: string | undefined;
    const done = () => {
      verdicts.pending--;
      deadlines.remove(call);
      if (call.lateAt < Infinity) node.ended(call);
      if (aborted) signal!.removeEventListener("abort", aborted);
    };
    const end = (error: unknown, cancelled = false) => {
      done();
      failed(thrown(error, call.written, charges), cancelled);
    };
    const judged = (judgement: Judgement) => {
      end(this.#late(call.written, charges, judgement, why));
      call.giveUp();
    };
    const late = () => {
      const trouble = call.written ? undefined : this.sender.trouble;
      if (trouble === undefined) node.late(call);
      else judged({ outcome: isRefusal(trouble) ? "refused" : "outage", error: trouble });
    };
    const call = new PendingCall(node, late, judged);
    const aborted = signal && (() => {
      end(cancelled(signal.reason, node.cancelled(call), call.written, charges), true);
      call.giveUp();
    });
    const heard = (reply: unknown) => {
      node.heard(call.begun);
      // The node of this key is known by now, and has its own connection for the check.
      if (server === undefined && this.sender.serverOf) verdicts.of(this.sender.serverOf(key), this.question, key).begin(performance.now());
      if (call.aborted) return;
      try {
        answered(reply);
      } catch (error) {
        return end(error);
      }
      this.#readOnlySince = this.sender.trouble = undefined;
      done();
    };
    const refused = (error: unknown) => {
      const isAnswer = isReply(error);
      const named = this.#named(error);
      if (isAnswer) node.heard(call.begun, named);
      if (call.aborted) return;
      if (!isAnswer && node.hasHealed(call)) return judged({ outcome: "overloaded", answered: true });
      if (command[0] !== "EVALSHA" || !textOf(error).startsWith("NOSCRIPT")) return end(named);
      command[0] = "EVAL";
      command[1] = source;
      this.sender.send(key, command, call).then(heard, refused);
    };
    verdicts.pending++;
    node.begin(call.begun);
    deadlines.add(call, part?.due);
    if (signal?.aborted) return aborted!();
    signal?.addEventListener("abort", aborted!);
    if (part && call.begun >= part.due) return late();
    if (verdicts.pending > CALLS_IN_FLIGHT) {
      why = `${CALLS_IN_FLIGHT} calls are in flight`;
      deadlines.remove(call);
      return node.crowded(call);
    }
    if (start) start(call, heard, refused, done);
    else this.sender.send(key, command, call).then(heard, refused);
  }

  /** Returns the error of a call with an id that its caller cancelled. */
  cancelled(key: string, reason: unknown, written: boolean): PenstockError {
    const node = this.#verdicts.of(this.sender.serverOf?.(key), this.question, key);
    return cancelled(reason, node.cancelled(), written, true);
  }

  /** Returns the error of a call that is late. */
  #late(written: boolean, charges: boolean, { outcome, answered, error }: Judgement, why?: string): PenstockError {
    const what = why ?? `${written ? "no answer" : "there was no connection"} within ${this.ms} ms`;
    const text = error === undefined ? what : `${what}: ${textOf(error)}`;
    const maybe = written && charges;
    if (outcome === "overloaded") {
      const verdict = answered ? "the server answers" : "it is not known yet whether the server answers";
      return new OverloadedError(`${what}, and ${verdict}`, undefined, maybe, answered);
    }
    const options = error === undefined ? undefined : { cause: error };
    if (outcome === "outage") return written ? thrown(new Error(text, options), true, charges, LOST) : new NotSentError(text, options);
    return classifyError(error).kind === "misconfigured" ? new MisconfiguredError(text, options, maybe) : thrown(error, false, false);
  }

  /** Returns the error to throw; an address that remains a replica is a configuration error. */
  #named(error: unknown): unknown {
    if (classifyError(error).rule !== "READONLY") return error;
    this.#readOnlySince ??= performance.now();
    if (performance.now() - this.#readOnlySince < REPLICA_MS) return error;
    return new MisconfiguredError(`this address is a replica's: ${textOf(error)}`, { cause: error });
  }
}

function cancelled(reason: unknown, { outcome }: Judgement, written: boolean, charges: boolean): PenstockError {
  if (outcome === "outage") return thrown(reason, written, charges, LOST);
  return new OverloadedError(`the caller cancelled it: ${textOf(reason)}`, { cause: reason }, written && charges, false);
}
