// How a call goes through node-redis once. The clients are known by their shape, so that none is a dependency.
import { errorMonitor } from "node:events";
import { Connection } from "./connection.js";
import { MisconfiguredError, NotSentError, closedError } from "./failures.js";
import type { PendingCall } from "./pending.js";
import type { Sender } from "./sender.js";
import { slotOf } from "./slots.js";

interface NodeRedisOptions {
  abortSignal?: AbortSignal;
  timeout?: undefined;
  typeMapping?: undefined;
}

// The client's own time-out, which costs a signal for each command, gives way to the limiter's, and its mapping of types to the numbers
// that decisions are made of.
const PLAIN = { timeout: undefined, typeMapping: undefined };

interface NodeRedisEvents {
  readonly isOpen: boolean;
  withCommandOptions(options: any): unknown;
  on(event: string | symbol, listener: (error: unknown) => void): unknown;
}

interface NodeRedisClient extends NodeRedisEvents {
  sendCommand(command: string[], options?: NodeRedisOptions): Promise<unknown>;
}

interface NodeRedisCluster extends NodeRedisEvents {
  sendCommand(key: string, isReadonly: boolean, command: string[], options?: NodeRedisOptions): Promise<unknown>;
  readonly masters: readonly unknown[];
  readonly slots: readonly ({ readonly master?: unknown } | undefined)[];
  nodeClient(node: never): unknown;
}

/** A client, pool or cluster of node-redis (`redis`), connected. */
export type NodeRedis = NodeRedisClient | NodeRedisCluster;

type Send = (key: string, command: string[], options: NodeRedisOptions) => Promise<unknown>;

const senders = new WeakMap<NodeRedis, Sender>();

/** Sends through a client of node-redis; all senders of a client are one. */
export function nodeRedis(client: NodeRedis): Sender {
  if (typeof client?.sendCommand !== "function" || typeof client.isOpen !== "boolean" || typeof client.withCommandOptions !== "function") {
    throw new TypeError("client must be a client, pool or cluster of node-redis 5.1 or newer; one of ioredis goes to ioredis(client)");
  }
  // It sends a call again whose connection was lost, and does not say that a password was refused.
  if ("getSentinelNode" in client) {
    throw new TypeError("client must be no Sentinel of node-redis: ioredis(new Redis({ sentinels, name })) knows Sentinel");
  }
  let sender = senders.get(client);
  if (!sender) senders.set(client, (sender = senderOf(client)));
  return sender;
}

function senderOf(client: NodeRedis): Sender {
  const { send, sendToMasters } = waysOf(client, client.withCommandOptions(PLAIN) as any);
  let opened = false;
  const refusal = () => {
    opened ||= client.isOpen || line.trouble !== undefined;
    if (line.refused) return line.trouble;
    if (client.isOpen) return "isReady" in client ? undefined : new NotSentError("the cluster is not known yet", { cause: line.trouble });
    return opened ? closedError(line.trouble) : new MisconfiguredError("call client.connect() first");
  };
  // A pool has no such thing, and waits by itself; a cluster of node-redis 5 fails until it knows its nodes.
  const isKnown = () => client.isOpen && (!("masters" in client) || client.masters.length > 0);
  const isConnected = "isReady" in client ? () => (client as { isReady: unknown }).isReady === true : isKnown;
  const line = new Connection(client, errorMonitor, isConnected, refusal);
  return {
    isOneServer: !("masters" in client),
    ...("masters" in client && { serverOf: (key: string) => client.slots[slotOf(key)]?.master }),
    keyPrefix: (client as { _keyPrefix?: string })._keyPrefix,
    get trouble() {
      return line.trouble;
    },
    set trouble(trouble) {
      line.trouble = trouble;
    },
    send(key, command, call) {
      // The client takes a call back from its queue when it is aborted, and listens no longer when it is written.
      const options = { abortSignal: call as unknown as AbortSignal };
      return line.isReady() ? send(key, command, options) : line.ready(call).then(() => send(key, command, options));
    },
    sendToMasters,
    close() {},
  };
}

/** How commands go through this kind of client; `plain` is the same with PLAIN options. */
function waysOf(client: NodeRedis, plain: any): { send: Send; sendToMasters: Sender["sendToMasters"] } {
  if ("masters" in client) {
    const onMaster = async (node: unknown, command: string[]) =>
      ((await client.nodeClient(node as never)) as NodeRedisClient).sendCommand(command);
    return {
      send: (key, command, options) => plain.sendCommand(key, false, command, options),
      sendToMasters: async (command) => void (await Promise.all(client.masters.map((node) => onMaster(node, command)))),
    };
  }
  return {
    send: (_key, command, options) => plain.sendCommand(command, options),
    sendToMasters: async (command) => void (await client.sendCommand(command)),
  };
}
