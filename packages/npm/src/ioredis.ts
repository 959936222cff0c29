// How a call goes through ioredis once. The clients are known by their shape, so that none is a dependency.
import { Connection } from "./connection.js";
import { MisconfiguredError, NotSentError, closedError } from "./failures.js";
import type { PendingCall } from "./pending.js";
import type { Sender } from "./sender.js";
import { slotOf } from "./slots.js";

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
  readonly slots: readonly (readonly string[] | undefined)[];
}

/** A client or cluster of ioredis. */
export interface IoRedis {
  readonly isCluster: boolean;
  readonly options: object;
  duplicate(...options: any[]): unknown;
  on(event: "end", listener: () => void): unknown;
}

/** The connection of a client's limiters, and how many senders use it. */
interface Shared {
  readonly own: IoRedisClient;
  readonly line: Connection;
  uses: number;
}

const duplicates = new WeakMap<IoRedis, Shared>();

/**
 * Sends through a duplicate of an ioredis client, which sends a command again without bound; the duplicate sends it once. All senders of a
 * client share one duplicate. It is closed with the last of them, or with the client.
 */
export function ioredis(client: IoRedis): Sender {
  if (typeof client?.duplicate !== "function" || typeof client.isCluster !== "boolean") {
    throw new TypeError("client must be a client or cluster of ioredis; one of node-redis goes to nodeRedis(client)");
  }
  const shared = duplicates.get(client) ?? duplicate(client);
  const { own, line } = shared;
  shared.uses++;
  let open = true;
  return {
    connection: shared,
    isOneServer: !client.isCluster,
    ...(own.isCluster && { serverOf: (key: string) => (own as IoRedisCluster).slots[slotOf(key)]?.[0] }),
    get trouble() {
      return line.trouble;
    },
    set trouble(trouble) {
      line.trouble = trouble;
    },
    send(_key, command, call) {
      if (!open) return Promise.reject(new MisconfiguredError("the sender is closed"));
      return line.isReady() ? written(own, command, call) : line.ready(call).then(() => written(own, command, call));
    },
    async sendToMasters([command, ...args]) {
      await line.ready();
      // An answer means that the cluster's nodes are known.
      await own.call("PING");
      const masters = own.isCluster ? (own as IoRedisCluster).nodes("master") : [own];
      await Promise.all(masters.map((master) => master.call(command!, ...args)));
    },
    close() {
      if (open && --shared.uses === 0) closed(client, own);
      open = false;
    },
  };
}

function duplicate(client: IoRedis): Shared {
  const { redisOptions } = client.options as { redisOptions?: object };
  const once = { retryDelayOnFailover: 0, retryDelayOnTryAgain: 0, enableOfflineQueue: true };
  // Numbers are what a decision is made of. ioredis 5 takes these options in place of the cluster's.
  const own = (
    client.isCluster
      ? client.duplicate([], { ...once, redisOptions: { ...redisOptions, stringNumbers: false } })
      : client.duplicate({ maxRetriesPerRequest: 0, enableOfflineQueue: false, stringNumbers: false })
  ) as IoRedisClient;
  // ioredis goes on in database 0 if it may not select the client's, and a cluster is ready while its nodes let nobody sign in.
  const isReady = () => own.status === "ready" && !line.refused;
  let probe: Promise<unknown> | undefined;
  const refusal = () => {
    if (own.status === "wait") own.connect().catch(() => {});
    if (line.refused && own.isCluster && own.status === "ready") {
      // No event tells that a node lets it sign in again: its answer does.
      const healed = () => (line.trouble = undefined);
      probe ??= own.call("ping").then(healed, () => {}).finally(() => (probe = undefined));
    }
    if (line.refused) return line.trouble;
    return own.status === "end" ? closedError(line.trouble) : undefined;
  };
  const line = new Connection(own, "error", isReady, refusal);
  const shared = { own, line, uses: 0 };
  duplicates.set(client, shared);
  client.on("end", () => closed(client, own));
  return shared;
}

function closed(client: IoRedis, own: IoRedisClient): void {
  if (duplicates.get(client)?.own === own) duplicates.delete(client);
  own.disconnect();
}

function written(own: IoRedisClient, [command, ...args]: string[], call: PendingCall): Promise<unknown> {
  if (call.aborted) return Promise.reject(new NotSentError("it was given up"));
  call.written = true;
  // Older ones find the key of a command only if its name is in lower case.
  return own.call(command!.toLowerCase(), ...args);
}
