import type { PendingCall } from "./pending.js";
import type { NodeVerdicts } from "./questions.js";

/** Sends one command to the node of a key, once; a redirect is followed. */
export interface Sender {
  /** What the client puts before keys, and leaves to the sender in a command of this kind. */
  readonly keyPrefix?: string | undefined;
  /** Once the call is aborted nothing is sent any more. The call learns when it is written. */
  send(key: string, command: string[], call: PendingCall): Promise<unknown>;
  sendToMasters(command: string[]): Promise<void>;
  /** What all senders of a client have in common; the sender itself without it. */
  readonly connection?: object;
  /** Whether all commands go to one server, so that its circuit breaker is that of all. */
  readonly isOneServer?: boolean;
  /** Which server of a cluster has a key, as far as the client knows; always undefined without it. */
  serverOf?(key: string): unknown;
  /** The last error of a connection that is not there; a limiter clears it when there was an answer. */
  trouble?: unknown;
  /** The verdicts on the client's nodes; without them the question goes through the sender. */
  readonly verdicts?: NodeVerdicts;
  /** Closes what the sender opened itself; the application's client stays open. */
  close(): void;
}

export interface SenderOptions {
  /**
   * Whether a connection beside the client's, one for each node, asks a server that is late whether it answers; true by default. If it is
   * false, the question waits behind the client's own calls, so that a long queue is taken for a silent server.
   */
  verdictConnection?: boolean;
}
