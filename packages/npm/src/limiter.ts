import type { Sender } from "./clients.js";
import { Decision, Limit, MOST_UNITS, MaybeChargedError, NotSentError, charge, decision, key, provesNotRun, several, textOf } from "./protocol.js";
import { FUNCTIONS_LIBRARY } from "./scripts.js";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface RateLimiterOptions {
  /** The first part of every key; `penstock` by default. */
  prefix?: string;
  /** Call the Functions library (Redis 7.0, Valkey), which was loaded with `loadFunctions`. */
  functions?: boolean;
  /** How long a call may take, 1000 by default; Infinity is as long as the client waits. */
  timeoutMs?: number;
}

/** One policy under one limit, for each subject. Each call is sent once, and again only after NOSCRIPT, MOVED or ASK. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #timeoutMs: number;

  constructor(
    readonly sender: Sender,
    readonly policy: string,
    readonly limit: Limit,
    options: RateLimiterOptions = {},
  ) {
    if (typeof sender?.send !== "function" || typeof sender.sendToMasters !== "function") {
      throw new TypeError("sender must be nodeRedis(client) or ioredis(client)");
    }
    if (typeof limit?.marker !== "string") {
      throw new TypeError("limit must be made by a function of this package, such as tokenBucket(100, 10, 1000)");
    }
    const { timeoutMs = 1_000 } = options;
    if (!(timeoutMs > 0)) {
      throw new RangeError(`timeoutMs must be above 0: ${timeoutMs}`);
    }
    this.#options = options;
    this.#timeoutMs = timeoutMs;
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
  async acquireAll(subjects: Iterable<string | Uint8Array>): Promise<PromiseSettledResult<Decision>[]> {
    if (typeof subjects === "string" || subjects instanceof Uint8Array) {
      throw new TypeError("subjects must be several, such as an array: for one subject there is acquire");
    }
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
    const rest = ["1", name, String(cost), ...this.limit.args];
    try {
      return decision(await this.#within((signal) => this.#answer(name, rest, signal)), calls);
    } catch (error) {
      throw cost === 0 || provesNotRun(error) ? error : new MaybeChargedError(error);
    }
  }

  async #answer(name: string, rest: string[], signal: AbortSignal): Promise<unknown> {
    const { script } = this.limit;
    if (this.#options.functions) {
      return this.sender.send(name, ["FCALL", script.function, ...rest], signal);
    }
    try {
      return await this.sender.send(name, ["EVALSHA", script.sha1, ...rest], signal);
    } catch (error) {
      if (!textOf(error).startsWith("NOSCRIPT")) throw error;
      return this.sender.send(name, ["EVAL", script.source, ...rest], signal);
    }
  }

  /** Gives a call up when its time has passed; what was not written until then is never sent. */
  async #within(call: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
    const [given, ended] = [new AbortController(), new AbortController()];
    const late = wait(this.#timeoutMs, ended.signal).then(async () => {
      given.abort(new NotSentError(`there was no connection within ${this.#timeoutMs} ms`));
      // A call that was never sent fails by that before this is over.
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error(`no answer within ${this.#timeoutMs} ms`);
    });
    try {
      return await Promise.race([call(given.signal), late]);
    } finally {
      late.catch(() => {});
      ended.abort();
    }
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
