// How a call goes through a client once. The clients are known by their shape, so that none is a dependency.
import { NotSentError } from "./protocol.js";

/** Sends one command to the node of a key, once; a redirect is followed. */
export interface Sender {
  /** Once the signal is aborted nothing is sent any more. What is known as never sent ends with a NotSentError. */
  send(key: string, command: string[], signal: AbortSignal): Promise<unknown>;
  sendToMasters(command: string[]): Promise<void>;
  /** Closes what the sender opened itself; the application's client stays open. */
  close(): void;
}

interface NodeRedisOptions {
  abortSignal: AbortSignal;
}

interface NodeRedisClient {
  readonly isOpen: boolean;
  sendCommand(command: string[], options?: NodeRedisOptions): Promise<unknown>;
}

interface NodeRedisCluster {
  readonly isOpen: boolean;
  sendCommand(key: string, isReadonly: boolean, command: string[], options?: NodeRedisOptions): Promise<unknown>;
  readonly masters: readonly unknown[];
  nodeClient(node: never): unknown;
}

/** A client, pool or cluster of node-redis (`redis`), connected. */
export type NodeRedis = NodeRedisClient | NodeRedisCluster;

/** Sends through a client of node-redis, which sends a command once by itself. */
export function nodeRedis(client: NodeRedis): Sender {
  if (typeof client?.sendCommand !== "function" || typeof client.isOpen !== "boolean") {
    throw new TypeError("client must be a client, pool or cluster of node-redis 5.1 or newer; one of ioredis goes to ioredis(client)");
  }
  // The client keeps what it cannot write, and takes it back from its queue when the signal is aborted.
  const written = async (sent: (options: NodeRedisOptions) => Promise<unknown>, abortSignal: AbortSignal) => {
    if (!client.isOpen) {
      throw new NotSentError("the client is not connected, or closed: await client.connect() first");
    }
    return sent({ abortSignal }).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : "";
      if (abortSignal.aborted && text === "The command was aborted") throw abortSignal.reason;
      throw /^The client is (closed|offline)$/.test(text) ? new NotSentError(text, { cause: error }) : error;
    });
  };
  if (!("masters" in client)) {
    return {
      send: (_key, command, signal) => written((options) => client.sendCommand(command, options), signal),
      sendToMasters: async (command) => void (await client.sendCommand(command)),
      close() {},
    };
  }
  const onMaster = async (node: unknown, command: string[]) =>
    ((await client.nodeClient(node as never)) as NodeRedisClient).sendCommand(command);
  return {
    send: (key, command, signal) => written((options) => client.sendCommand(key, false, command, options), signal),
    sendToMasters: async (command) => void (await Promise.all(client.masters.map((node) => onMaster(node, command)))),
    close() {},
  };
}

interface IoRedisClient {
  readonly isCluster: boolean;
  readonly status: string;
  connect(): Promise<unknown>;
  call(command: string, ...args: string[]): Promise<unknown>;
  on(event: string, listener: (error?: unknown) => void): unknown;
  disconnect(): void;
}

interface IoRedisCluster extends IoRedisClient {
  nodes(role: "master"): IoRedisClient[];
}

/** A client or cluster of ioredis. */
export interface IoRedis {
  readonly isCluster: boolean;
  duplicate(...options: any[]): unknown;
}

/** Sends through a duplicate of an ioredis client, which sends a command again without bound; the duplicate sends it once. */
export function ioredis(client: IoRedis): Sender {
  if (typeof client?.duplicate !== "function" || typeof client.isCluster !== "boolean") {
    throw new TypeError("client must be a client or cluster of ioredis; one of node-redis goes to nodeRedis(client)");
  }
  const own = (
    client.isCluster
      ? client.duplicate([], { retryDelayOnFailover: 0, enableOfflineQueue: true })
      : client.duplicate({ maxRetriesPerRequest: 0, enableOfflineQueue: false })
  ) as IoRedisClient;
  const connected = connectionOf(own);
  return {
    async send(_key, [command, ...args], signal) {
      await connected(signal);
      signal.throwIfAborted();
      // ioredis 5.0 finds the key of a command only if its name is in lower case.
      return own.call(command!.toLowerCase(), ...args).catch((error: unknown) => {
        const unwritten = error instanceof Error && error.message.includes("enableOfflineQueue options is false");
        throw unwritten ? new NotSentError("the connection was closed", { cause: error }) : error;
      });
    },
    async sendToMasters([command, ...args]) {
      await connected();
      // An answer means that the cluster's nodes are known.
      await own.call("PING");
      const masters = own.isCluster ? (own as IoRedisCluster).nodes("master") : [own];
      await Promise.all(masters.map((master) => master.call(command!, ...args)));
    },
    close: () => own.disconnect(),
  };
}

/** Lets calls wait for the connection outside of ioredis's queue, which gives nothing back. */
function connectionOf(client: IoRedisClient): (signal?: AbortSignal) => Promise<void> {
  const waiting = new Set<() => void>();
  const changed = () => waiting.forEach((go) => go());
  let failure: unknown;
  // A call that fails says so by itself.
  client.on("error", (error) => (failure = error));
  client.on("ready", changed);
  client.on("end", changed);
  return async (signal) => {
    if (client.status === "wait") client.connect().catch(() => {});
    while (client.status !== "ready") {
      if (client.status === "end") throw new NotSentError("the client is closed", { cause: failure });
      let go = () => {};
      try {
        await new Promise<void>((resolve) => {
          waiting.add((go = resolve));
          signal?.addEventListener("abort", go);
        });
      } finally {
        waiting.delete(go);
        signal?.removeEventListener("abort", go);
      }
      signal?.throwIfAborted();
    }
  };
}
