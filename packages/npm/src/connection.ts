import { classifyError, isRefusal } from "./failures.js";
import type { PendingCall } from "./pending.js";

interface Events {
  on(event: string | symbol, listener: (error?: unknown) => void): unknown;
}

/**
 * The state of a client's connection, derived from the client's events. Calls wait here for the connection, because clients write their
 * queues before a handshake has succeeded.
 */
export class Connection {
  /** Whether the last error is a refusal by the server or a configuration error. */
  refused = false;
  #trouble: unknown;
  /** The last error since the connection was made, which means that a part of its handshake was refused. */
  #refusal: unknown;
  readonly #waiting = new Set<() => void>();

  /** `refusal` is the reason, if known, why no connection can be made. */
  constructor(
    client: Events,
    error: string | symbol,
    readonly isReady: () => boolean,
    readonly refusal: () => unknown,
  ) {
    for (const event of [error, "node-error", "node error"]) {
      client.on(event, (failure) => {
        // A peer that refuses a connection also closes it, so the close is not a new error.
        if (this.refused && classifyError(failure).kind === "not_answered") return;
        this.#changed((this.#refusal = failure));
      });
    }
    client.on("connect", () => {
      this.#refusal = undefined;
      // A cluster of node-redis reports nothing else.
      if (this.isReady()) this.#changed(undefined);
    });
    client.on("ready", () => this.#changed(this.#refusal));
    // A connection may be closed without an error.
    client.on("reconnecting", () => (this.trouble ??= new Error("Connection is closed")));
    client.on("end", () => this.#changed(this.#trouble));
  }

  /** The last error, until there is a connection or an answer. */
  get trouble(): unknown {
    return this.#trouble;
  }

  set trouble(trouble: unknown) {
    this.#trouble = trouble;
    this.refused = trouble !== undefined && isRefusal(trouble);
  }

  /** Waits for the connection; returns early if the call is abandoned. */
  async ready(call?: PendingCall): Promise<void> {
    while (!this.isReady() && !call?.aborted) {
      const refusal = this.refusal();
      if (refusal) {
        // A caller that repeats its call at once must give the client time to connect.
        await new Promise((resolve) => setImmediate(resolve));
        throw refusal;
      }
      await new Promise<void>((resolve) => {
        const go = () => {
          this.#waiting.delete(go);
          resolve();
        };
        this.#waiting.add(go);
        call?.addEventListener("abort", go);
      });
    }
  }

  #changed(trouble: unknown): void {
    this.trouble = trouble;
    this.#waiting.forEach((go) => go());
  }
}

/**
 * Checks for members of a client that its types do not declare, or that not all versions have; they are found by name and type, never by
 * version.
 */
export function checkPlaces(name: string, client: object, places: Readonly<Record<string, string>>): void {
  for (const [place, type] of Object.entries(places)) {
    const found = typeof (client as Record<string, unknown>)[place];
    if (found !== type) throw new TypeError(`this version of ${name} is not known to work: ${place} must be of type ${type}: ${found}`);
  }
}
