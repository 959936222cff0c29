// A store for express-rate-limit: its windows, counted on the server.
import { NoDecisionError, PenstockError } from "./failures.js";
import { RateLimiter, type RateLimiterOptions } from "./limiter.js";
import { MOST_UNITS, type Decision } from "./protocol.js";
import { fixedWindow, slidingWindow } from "./scripts.js";
import type { Sender } from "./sender.js";

export interface WindowStoreOptions extends RateLimiterOptions {
  /**
   * The kind of window. The default is `fixed`, as in express-rate-limit itself. With a sliding window, twice the limit cannot pass around
   * the end of a window.
   */
  window?: "fixed" | "sliding";
}

/** The usage of a key, in the format of express-rate-limit. */
export interface WindowHits {
  totalHits: number;
  resetTime: Date;
}

/**
 * A store for express-rate-limit, for one policy. It counts each request, and express-rate-limit compares the count with its limit, which
 * can be a function.
 */
export class WindowStore {
  /** The prefix of keys, for express-rate-limit's own checks. */
  readonly prefix: string;
  readonly localKeys = false;
  readonly #limiterOf: (windowMs: number) => RateLimiter;
  #limiter: RateLimiter | undefined;
  #wrong = "the store must be given to rateLimit({ store }), which tells it the window";

  constructor(sender: Sender, policy: string, { window = "fixed", ...options }: WindowStoreOptions = {}) {
    if (window !== "fixed" && window !== "sliding") throw new RangeError(`window must be "fixed" or "sliding": ${window}`);
    this.prefix = `${policy}:`;
    // A limit that is never reached, because denied requests also count, and express-rate-limit may undo the count afterwards.
    const limit = window === "fixed" ? fixedWindow : slidingWindow;
    this.#limiterOf = (windowMs) => new RateLimiter(sender, policy, limit(MOST_UNITS, windowMs), options);
    this.#limiterOf(60_000);
  }

  /** Receives the options of express-rate-limit, which logs errors that this method throws and continues. */
  init({ windowMs, passOnStoreError }: { windowMs: number; passOnStoreError?: boolean }): void {
    this.#limiter = undefined;
    try {
      if (passOnStoreError) throw new RangeError("passOnStoreError must be false; onUnavailable of the store is for outages");
      this.#limiter = this.#limiterOf(windowMs);
    } catch (error) {
      this.#wrong = (error as Error).message;
      throw error;
    }
  }

  async increment(key: string): Promise<WindowHits> {
    // express-rate-limit may be configured to pass requests on errors.
    if (!this.#limiter) return { totalHits: Number.MAX_SAFE_INTEGER, resetTime: new Date() };
    try {
      const decision = await this.#limiter.acquire(subject(key));
      if (decision.allowed) return hits(decision);
      throw new NoDecisionError("no decision could be made, and the store is set to deny", "unavailable", false);
    } catch (error) {
      // The status that Express answers.
      throw error instanceof PenstockError ? Object.assign(error, { status: 503 }) : error;
    }
  }

  async get(key: string): Promise<WindowHits> {
    return hits(await this.#known().peek(subject(key)));
  }

  async decrement(key: string): Promise<void> {
    await this.#known().refund(subject(key), 1);
  }

  async resetKey(key: string): Promise<void> {
    await this.#known().reset(subject(key));
  }

  #known(): RateLimiter {
    if (!this.#limiter) throw new TypeError(this.#wrong);
    return this.#limiter;
  }
}

/** Returns the subject for a key; all invalid keys share one subject. */
function subject(key: unknown): string {
  return typeof key === "string" && key !== "" ? key : "unknown";
}

function hits({ enforced, remaining, resetUs }: Decision): WindowHits {
  return { totalHits: enforced ? MOST_UNITS - remaining : 1, resetTime: new Date(Date.now() + resetUs / 1_000) };
}
