import type { PendingCall } from "./pending.js";
import type { NodeVerdicts } from "./questions.js";

/** Sends one command to the node of a key, once; a redirect is followed. */
export interface Sender {
  /** The prefix that the client adds to keys, and that a command of this kind leaves to the sender. */
  readonly keyPrefix?: string | undefined;
  /** Once the call is aborted, nothing more is sent. The call is notified when it is written. */
  send(key: string, command: string[], call: PendingCall): Promise<unknown>;
  sendToMasters(command: string[]): Promise<void>;
  /** The state that all senders of a client share; without it, the sender itself. */
  readonly connection?: object;
  /** Whether all commands go to one server, so that its circuit breaker is that of all. */
  readonly isOneServer?: boolean;
  /** The server of a cluster that has a key, as far as the client knows; always undefined without it. */
  serverOf?(key: string): unknown;
  /** The last error of a missing connection; a limiter clears it after an answer. */
  trouble?: unknown;
  /** The verdicts on the client's nodes; without them the check goes through the sender. */
  readonly verdicts?: NodeVerdicts;
  /** Closes the resources that the sender opened; the application's client stays open. */
  close(): void;
}

export interface SenderOptions {
  /**
   * Whether a separate connection to each node checks, when a call is late, whether the server answers; true by default. If it is false,
   * the check waits behind the client's own calls, so that a long queue looks like a silent server.
   */
  verdictConnection?: boolean;
}
