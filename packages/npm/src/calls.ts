// How limiters and reservations send a command once, and what they make of its failure.
import { inspect } from "node:util";
import type { BatchPart } from "./batches.js";
import { Deadlines } from "./deadlines.js";
import {
  LOST, MisconfiguredError, NoDecisionError, NotSentError, OverloadedError, classifyError, isRefusal, textOf, thrown, type Meaning, type PenstockError,
} from "./failures.js";
import { PendingCall } from "./pending.js";
import type { Sender } from "./sender.js";

// A node that answers READONLY for so long, with no decision between, is no primary that moves but a replica.
const REPLICA_MS = 10_000;
// More calls of one limiter are not under way at a time.
const MOST_PENDING = 10_000;
const FULL = `${MOST_PENDING} calls are under way`;
// A call may be late only because there are so many others.
const MANY_OWED = 1_000;
const CHOICES = ["throw", "allow", "deny"];

/** What a call for units comes to that the server did not decide. */
export type Choice = "throw" | "allow" | "deny";

export interface CallOptions {
  /** Ends the call as its time-out does: with a NotSentError or MaybeChargedError, whose cause is the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface SendOptions extends CallOptions {
  part?: BatchPart | undefined;
}

/** What calls come to in an outage, or when something is full. */
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

  /** The one place where a failure opens a limit. */
  of(failure: PenstockError): Choice {
    return failure instanceof NoDecisionError ? this.#onUnavailable : failure instanceof OverloadedError ? this.#onOverload : "throw";
  }
}

/** A time-out. In less than 1 ms, such as in seconds, there would be no answer, and nobody would be limited. */
export function checkedTimeout(timeoutMs: number): number {
  if (typeof timeoutMs === "number" && timeoutMs >= 1) return timeoutMs;
  throw new RangeError(`timeoutMs must be a number of at least 1: ${inspect(timeoutMs)}`);
}

/** What is known of one server. */
class ServerState {
  /** Calls whose answers have not come, given up or not. */
  owed = 0;
  answeredAt = -Infinity;
  /** Ends the calls that found too many under way when it was not known whether the server answers. */
  readonly full = new Set<() => void>();
}

/** The commands of one limiter. Each is sent once, and again only after NOSCRIPT, MOVED or ASK, and ends within `ms`. */
export class Calls {
  readonly #deadlines: Deadlines;
  #readOnlySince: number | undefined;
  #pending = 0;
  // By what the sender calls them.
  readonly #servers = new Map<unknown, ServerState>();

  constructor(
    readonly sender: Sender,
    readonly ms: number,
  ) {
    if (typeof sender?.send !== "function" || typeof sender.sendToMasters !== "function") {
      throw new TypeError("sender must be nodeRedis(client) or ioredis(client)");
    }
    this.#deadlines = new Deadlines(ms);
  }

  /** `answered` takes the reply, and throws if it cannot be read; or `failed` the error, and whether the signal ended the call. */
  send(
    key: string,
    command: string[],
    source: string,
    charges: boolean,
    { signal, part }: SendOptions,
    answered: (reply: unknown) => void,
    failed: (failure: PenstockError, cancelled: boolean) => void,
  ): void {
    const server = this.#serverOf(key);
    const deadlines = part?.deadlines ?? this.#deadlines;
    const before = server.owed;
    let crowded: (() => void) | undefined;
    const done = () => {
      if (crowded) server.full.delete(crowded);
      else this.#pending--;
      deadlines.remove(call);
      if (aborted) signal!.removeEventListener("abort", aborted);
    };
    const end = (error: unknown, meaning?: Meaning, cancelled = false) => {
      done();
      failed(thrown(error, call.written, charges, meaning), cancelled);
    };
    const giveUp = (why: unknown, cancelled?: boolean) => {
      end(why, LOST, cancelled);
      call.giveUp();
    };
    const aborted = signal && (() => giveUp(signal.reason, true));
    const late = () => {
      const answers = server.answeredAt >= (part?.since ?? call.begun);
      if (!call.written) return giveUp(this.#unsent(answers, crowded && FULL));
      const why = `no answer within ${this.ms} ms`;
      const owed = server.owed >= MANY_OWED ? server.owed : before;
      const many = part ? `the batch has ${part.calls} calls` : owed >= MANY_OWED && `${owed} answers are owed`;
      giveUp(answers && many ? new OverloadedError(`${why}: ${many}, and others came`, undefined, charges) : new Error(why));
    };
    const call = new PendingCall(late);
    const heard = (reply: unknown) => {
      server.owed--;
      if (call.aborted) return;
      try {
        answered(reply);
      } catch (error) {
        return end(error);
      }
      this.#readOnlySince = this.sender.trouble = undefined;
      server.answeredAt = performance.now();
      done();
      server.full.forEach((end) => end());
    };
    const refused = (error: unknown) => {
      server.owed--;
      if (call.aborted) return;
      if (command[0] !== "EVALSHA" || !textOf(error).startsWith("NOSCRIPT")) return end(this.#named(error));
      command[0] = "EVAL";
      command[1] = source;
      server.owed++;
      this.sender.send(key, command, call).then(heard, refused);
    };
    this.#pending++;
    deadlines.add(call, part?.due);
    if (signal?.aborted) return giveUp(signal.reason, true);
    signal?.addEventListener("abort", aborted!);
    if (part && deadlines.now() >= part.due) return late();
    if (this.#pending > MOST_PENDING) {
      if (performance.now() < server.answeredAt + this.ms) return end(new OverloadedError(FULL));
      this.#pending--;
      server.full.add((crowded = () => end(new OverloadedError(FULL))));
      return;
    }
    server.owed++;
    this.sender.send(key, command, call).then(heard, refused);
  }

  #serverOf(key: string): ServerState {
    const name = this.sender.serverOf?.(key);
    let server = this.#servers.get(name);
    if (!server) this.#servers.set(name, (server = new ServerState()));
    return server;
  }

  /** Why a call that is late was never sent: what is full while the server answers is overloaded, and an outage if it answers nobody. */
  #unsent(answers: boolean, why = `there was no connection within ${this.ms} ms`): unknown {
    const cause = this.sender.trouble;
    if (isRefusal(cause)) return thrown(cause, false, false);
    if (cause === undefined) return answers ? new OverloadedError(why) : new NotSentError(why);
    return new NotSentError(`${why}: ${textOf(cause)}`, { cause });
  }

  /** The error, but a replica's for good is set up wrong. */
  #named(error: unknown): unknown {
    if (classifyError(error).rule !== "READONLY") return error;
    this.#readOnlySince ??= performance.now();
    if (performance.now() - this.#readOnlySince < REPLICA_MS) return error;
    return new MisconfiguredError(`this address is a replica's: ${textOf(error)}`, { cause: error });
  }
}
