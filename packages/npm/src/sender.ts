import type { PendingCall } from "./pending.js";
import type { NodeVerdicts } from "./questions.js";

/** Sends each command once to the node of its key, following redirects. */
export interface Sender {
  /** The prefix that the client adds to keys; the sender must add it to commands of this kind. */
  readonly keyPrefix?: string | undefined;
  /** Sends a command. After the call is aborted, nothing more is sent. The call is notified when it has been written. */
  send(key: string, command: string[], call: PendingCall): Promise<unknown>;
  sendToMasters(command: string[]): Promise<void>;
  /** The object with the state that all senders of a client share; by default the sender itself. */
  readonly connection?: object;
  /** Whether all commands go to one server, so that a circuit breaker applies to all calls. */
  readonly isOneServer?: boolean;
  /**
   * Whether two commands of one key that are sent one after the other are executed in this order, on one connection, unless a cluster
   * redirects one of them: calls can then share trips.
   */
  readonly isOrdered?: boolean;
  /** Sends commands of one key in this order on one connection; needed if `send` may use a connection for each. */
  sendInOrder?(key: string, commands: readonly string[][], calls: readonly PendingCall[]): Promise<unknown>[];
  /** Returns the cluster's server that stores a key, as far as the client knows. */
  serverOf?(key: string): unknown;
  /** The last connection error; a limiter clears it after an answer. */
  trouble?: unknown;
  /** The verdicts on the client's nodes; if undefined, the check goes through the sender. */
  readonly verdicts?: NodeVerdicts;
  /** Closes the resources that the sender opened; the application's client stays open. */
  close(): void;
}

export interface SenderOptions {
  /**
   * Whether a separate connection to each node is used to check, when a call is late, that the server answers; true by default. If false,
   * the check waits behind the client's own calls, so a long queue looks like an unresponsive server.
   */
  verdictConnection?: boolean;
}
