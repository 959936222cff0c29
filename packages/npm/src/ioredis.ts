// Sends a call through ioredis once. The clients are recognised by their shape, so that none is a dependency.
import { Connection, checkPlaces } from "./connection.js";
import { MisconfiguredError, NotSentError, closedError, isReply } from "./failures.js";
import type { PendingCall } from "./pending.js";
import { NodeVerdicts, ownPath, type NodeQuestion, type QuestionChannel } from "./questions.js";
import type { Sender, SenderOptions } from "./sender.js";
import { slotOf } from "./slots.js";
import type { LinkOpener, QuestionLink } from "./verdict.js";

// The verdict ends attempts earlier, because the timer of a client counts time during which the process was paused.
const LONGEST_CONNECTING_MS = 30_000;
const DISCONNECT_MS = 100;

interface IoRedisClient {
  readonly isCluster: boolean;
  readonly status: string;
  readonly options: { readonly host?: string; readonly port?: number };
  /** The socket, once it exists. */
  readonly stream?: { unref(): void };
  connect(): Promise<unknown>;
  call(command: string, ...args: string[]): Promise<unknown>;
  on(event: string, listener: (error?: unknown) => void): unknown;
  duplicate(...options: any[]): unknown;
  disconnect(): void;
}

interface IoRedisCluster extends IoRedisClient {
  nodes(role: "master"): IoRedisClient[];
  readonly slots: readonly (readonly string[] | undefined)[];
}

/** A client or cluster of ioredis. */
export interface IoRedis {
  readonly isCluster: boolean;
  readonly status: string;
  readonly options: object;
  duplicate(...options: any[]): unknown;
  on(event: "end", listener: () => void): unknown;
}

/** The connection that a client's limiters share, and the number of its senders. */
interface Shared {
  readonly own: IoRedisClient;
  readonly line: Connection;
  readonly verdicts: NodeVerdicts;
  readonly asks: boolean;
  uses: number;
  isClosed: boolean;
  isHealing: boolean;
}

const duplicates = new WeakMap<IoRedis, Shared>();

/**
 * Creates a sender for an ioredis client. It sends commands through a duplicate of the client, because the client itself resends them
 * without limit, whereas the duplicate sends each command once. All senders of a client share one duplicate. The duplicate closes when the
 * last of these senders or the client closes, and does not keep the process alive.
 */
export function ioredis(client: IoRedis, { verdictConnection = true }: SenderOptions = {}): Sender {
  if (typeof client?.duplicate !== "function" || typeof client.isCluster !== "boolean") {
    throw new TypeError("client must be a client or cluster of ioredis; one of node-redis goes to nodeRedis(client)");
  }
  const shared = duplicates.get(client) ?? duplicate(client, verdictConnection);
  if (shared.asks !== verdictConnection) throw new TypeError("verdictConnection must be the same for all senders of a client");
  const { own, line, verdicts } = shared;
  shared.uses++;
  let open = true;
  return {
    connection: shared,
    isOneServer: !client.isCluster,
    isOrdered: true,
    verdicts,
    ...(own.isCluster && { serverOf: (key: string) => (own as IoRedisCluster).slots[slotOf(key)]?.[0] }),
    get trouble() {
      return line.trouble;
    },
    set trouble(trouble) {
      line.trouble = trouble;
    },
    send(_key, command, call) {
      if (!open) return Promise.reject(new MisconfiguredError("the sender is closed"));
      return sent(shared, command, call);
    },
    async sendToMasters([command, ...args]) {
      await line.ready();
      // An answer means that the cluster's nodes are known.
      await own.call("PING");
      const masters = own.isCluster ? (own as IoRedisCluster).nodes("master") : [own];
      await Promise.all(masters.map((master) => master.call(command!, ...args)));
    },
    close() {
      if (open && --shared.uses === 0) closed(client, shared);
      open = false;
    },
  };
}

function duplicate(client: IoRedis, asks: boolean): Shared {
  checkPlaces("ioredis", client, { status: "string", ...(client.isCluster && { slots: "object", nodes: "function" }) });
  type Retry = (times: number) => unknown;
  const { redisOptions, retryStrategy, clusterRetryStrategy } = client.options as Record<"redisOptions", object> & Record<string, Retry>;
  const retries = (client.isCluster ? clusterRetryStrategy : retryStrategy) as Retry | undefined;
  let times = 0;
  // ioredis emits nothing when a client disconnects while it waits to reconnect. A timer that does not keep the process alive therefore
  // reconnects the duplicate.
  const again = () => {
    if (shared.isClosed) return;
    line.trouble ??= new Error("Connection is closed");
    const delay = shared.isHealing ? 0 : retries?.(++times);
    shared.isHealing = false;
    if (typeof delay !== "number") shared.isClosed = true;
    else setTimeout(() => !shared.isClosed && connect(own), delay).unref();
  };
  const once = { retryDelayOnFailover: 0, retryDelayOnTryAgain: 0, enableOfflineQueue: true };
  const single = { lazyConnect: true, stringNumbers: false, disconnectTimeout: DISCONNECT_MS, commandTimeout: undefined };
  // Decisions consist of numbers, and calls have the limiter's timeout. ioredis 5 uses these options instead of the cluster's.
  const own = (
    client.isCluster
      ? client.duplicate([], { ...once, lazyConnect: true, clusterRetryStrategy: null, redisOptions: { ...redisOptions, ...single } })
      : client.duplicate({ ...single, maxRetriesPerRequest: 0, enableOfflineQueue: false, retryStrategy: null })
  ) as IoRedisClient;
  // ioredis continues in database 0 if it may not select the client's, and a cluster is ready while its nodes refuse every login.
  const isReady = () => own.status === "ready" && !line.refused;
  let probe: Promise<unknown> | undefined;
  const refusal = () => {
    if (own.status === "wait") connect(own);
    if (line.refused && own.isCluster && own.status === "ready") {
      // No event reports that a node accepts logins again: its answer does.
      const healed = () => (line.trouble = undefined);
      probe ??= own.call("ping").then(healed, () => {}).finally(() => (probe = undefined));
    }
    if (line.refused) return line.trouble;
    return shared.isClosed ? closedError(line.trouble) : undefined;
  };
  const line = new Connection(own, "error", isReady, refusal);
  const channel = ownPath({ send: (_key, command, call) => sent(shared, command, call) });
  const nodeOf = (name: unknown) =>
    client.isCluster ? (own as IoRedisCluster).nodes("master").find(({ options: { host, port } }) => `${host}:${port}` === name) : own;
  const open: QuestionChannel["open"] = (name, question, ...events) => {
    const node = nodeOf(name);
    return node ? linkOf(node, question, ...events) : channel.open(name, question, ...events);
  };
  const heal = (name: unknown) => {
    shared.isHealing = !client.isCluster;
    nodeOf(name)?.disconnect();
  };
  const verdicts = new NodeVerdicts({ open: asks ? open : channel.open, heal });
  const shared = { own, line, verdicts, asks, uses: 0, isClosed: false, isHealing: false };
  duplicates.set(client, shared);
  own.on("ready", () => (times = 0));
  own.on("end", again);
  client.on("end", () => closed(client, shared));
  if (client.status !== "wait") connect(own);
  return shared;
}

/** Connects with a socket that does not keep the process alive. */
function connect(own: IoRedisClient): void {
  own.connect().catch(() => {});
  setImmediate(() => own.stream?.unref());
}

function closed(client: IoRedis, shared: Shared): void {
  if (duplicates.get(client) === shared) duplicates.delete(client);
  shared.isClosed = true;
  shared.verdicts.close();
  shared.own.disconnect();
}

function sent({ own, line }: Shared, command: string[], call: PendingCall): Promise<unknown> {
  return line.isReady() ? written(own, command, call) : line.ready(call).then(() => written(own, command, call));
}

function written(own: IoRedisClient, [command, ...args]: string[], call: PendingCall): Promise<unknown> {
  if (call.aborted) return Promise.reject(new NotSentError("the call was abandoned"));
  call.wrote();
  // Older versions find the key of a command only if its name is in lower case.
  return own.call(command!.toLowerCase(), ...args);
}

/** Returns a duplicate of a client that connects once. */
function linkOf(node: IoRedisClient, question: NodeQuestion, ...[connected, ended]: Parameters<LinkOpener>): QuestionLink {
  const own = node.duplicate({
    lazyConnect: true, retryStrategy: null, reconnectOnError: null, maxRetriesPerRequest: 0, enableOfflineQueue: false, stringNumbers: false,
    enableReadyCheck: false, connectTimeout: LONGEST_CONNECTING_MS, disconnectTimeout: DISCONNECT_MS, commandTimeout: undefined,
  }) as IoRedisClient;
  let trouble: unknown;
  let isOver = false;
  const end = (error: unknown) => {
    if (!isOver) ended(error);
    isOver = true;
    own.disconnect();
  };
  own.on("error", (error) => (trouble ??= error));
  own.on("end", () => isOver || end(trouble ?? new Error("Connection is closed")));
  // A part of its handshake may have been refused.
  own.on("ready", () => (trouble === undefined ? connected() : end(trouble)));
  connect(own);
  return {
    ask(written, answered) {
      const [command, ...args] = question.words();
      const failed = (error: unknown) => (isReply(error) ? answered(error) : end(error));
      own.call(command!.toLowerCase(), ...args).then(() => answered(), failed);
      queueMicrotask(written);
    },
    close() {
      isOver = true;
      own.disconnect();
    },
  };
}
