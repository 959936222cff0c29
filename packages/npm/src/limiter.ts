import type { Sender } from "./clients.js";
import { Decision, Limit, MOST_UNITS, MaybeChargedError, charge, decision, key, provesNotRun, several, textOf } from "./protocol.js";
import { FUNCTIONS_LIBRARY } from "./scripts.js";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface RateLimiterOptions {
  /** The first part of every key; `penstock` by default. */
  prefix?: string;
  /** Call the Functions library (Redis 7.0, Valkey), which was loaded with `loadFunctions`. */
  functions?: boolean;
  /** How long a call waits for its answer, for clients that wait without end; by default as long as the client does. */
  timeoutMs?: number;
}

/** One policy under one limit, for each subject. Each call is sent once, and again only after NOSCRIPT, MOVED or ASK. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;

  constructor(
    readonly sender: Sender,
    readonly policy: string,
    readonly limit: Limit,
    options: RateLimiterOptions = {},
  ) {
    this.#options = options;
    this.#key("any");
  }

  /** Takes `cost` units if every tier has them. A denial is a decision, not an error. */
  async acquire(subject: string | Uint8Array, cost = 1): Promise<Decision> {
    return this.#call(subject, charge(cost));
  }

  /** As many calls of this cost as there is room for, at most `calls`: `granted` of the decision says how many. */
  async acquireUpTo(subject: string | Uint8Array, calls: number, cost = 1): Promise<Decision> {
    return this.#call(subject, several(calls, cost), calls);
  }

  /** One unit for each subject, all at once; the clients send them in one trip per node. */
  acquireAll(subjects: Iterable<string | Uint8Array>): Promise<PromiseSettledResult<Decision>[]> {
    return Promise.allSettled(Array.from(subjects, (subject) => this.acquire(subject)));
  }

  /** How much is left, without taking anything. */
  async peek(subject: string | Uint8Array): Promise<Decision> {
    return this.#call(subject, 0);
  }

  /** Gives units back, at most as many as are used. */
  async refund(subject: string | Uint8Array, units: number): Promise<Decision> {
    return this.#call(subject, -charge(units));
  }

  /** Gives everything back. */
  reset(subject: string | Uint8Array): Promise<Decision> {
    return this.refund(subject, MOST_UNITS);
  }

  /** Loads the Functions library on every master. */
  async loadFunctions(): Promise<void> {
    await this.sender.sendToMasters(["FUNCTION", "LOAD", "REPLACE", FUNCTIONS_LIBRARY]);
  }

  #key(subject: string | Uint8Array): string {
    return key(this.policy, subject, this.limit, this.#options.prefix);
  }

  async #call(subject: string | Uint8Array, cost: number | string, calls = 1): Promise<Decision> {
    const name = this.#key(subject);
    const { script, args } = this.limit;
    const rest = ["1", name, String(cost), ...args];
    try {
      if (this.#options.functions) {
        return decision(await this.#answer(this.sender.send(name, ["FCALL", script.function, ...rest])), calls);
      }
      const sent = this.sender.send(name, ["EVALSHA", script.sha1, ...rest]);
      return decision(await this.#answer(sent.catch((error) => this.#unknown(error, name, ["EVAL", script.source, ...rest]))), calls);
    } catch (error) {
      throw cost === 0 || provesNotRun(error) ? error : new MaybeChargedError(error);
    }
  }

  async #answer(sent: Promise<unknown>): Promise<unknown> {
    const { timeoutMs } = this.#options;
    if (timeoutMs === undefined) {
      return sent;
    }
    const ended = new AbortController();
    const late = wait(timeoutMs, ended.signal).then(() => {
      throw new Error(`no answer within ${timeoutMs} ms`);
    });
    try {
      return await Promise.race([sent, late]);
    } finally {
      late.catch(() => {});
      ended.abort();
    }
  }

  #unknown(error: unknown, name: string, command: string[]): Promise<unknown> {
    if (!textOf(error).startsWith("NOSCRIPT")) {
      throw error;
    }
    return this.sender.send(name, command);
  }
}

/** Waits for as long as a decision says, also beyond the 2^31 ms that a timer takes, and for ever if `ms` is Infinity. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) {
    await timer(Math.min(left, LONGEST_TIMER_MS), signal);
  }
}

function timer(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const aborted = () => {
      clearTimeout(running);
      reject(signal?.reason);
    };
    const running = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, ms);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}
