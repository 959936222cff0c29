// Sends a call through node-redis once. The clients are recognised by their shape, so that none is a dependency.
import { errorMonitor } from "node:events";
import { Connection, checkPlaces } from "./connection.js";
import { MisconfiguredError, NotSentError, classifyError, closedError, isReply } from "./failures.js";
import { NodeVerdicts, QuestionCall, ownPath, type NodeQuestion, type QuestionChannel } from "./questions.js";
import type { Sender, SenderOptions } from "./sender.js";
import { slotOf } from "./slots.js";
import type { LinkOpener, QuestionLink } from "./verdict.js";

// The verdict ends attempts earlier, because the timer of a client counts time during which the process was paused.
const LONGEST_CONNECTING_MS = 30_000;

interface NodeRedisOptions {
  abortSignal?: AbortSignal;
}

// The client's own timeout, which costs a signal for each command, is replaced by the limiter's, and its type mapping by the numbers
// of which decisions consist.
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
  readonly masters: readonly NodeRedisNode[];
  readonly slots: readonly ({ readonly master?: NodeRedisNode } | undefined)[];
  nodeClient(node: never): unknown;
}

interface NodeRedisPool extends NodeRedisClient {
  readonly idleClients: number;
  readonly totalClients: number;
  execute<Outcome>(run: (client: NodeRedisClient) => Promise<Outcome>): Promise<Outcome>;
}

/** A connected client, pool or cluster of node-redis (`redis`). */
export type NodeRedis = NodeRedisClient | NodeRedisCluster;

type Send = (key: string, command: string[], options: NodeRedisOptions) => Promise<unknown>;

/** A single client, from which connections for the check are created. */
interface NodeRedisSingle extends NodeRedisClient {
  readonly options?: { readonly socket?: object };
  duplicate(overrides?: object): NodeRedisSingle;
  connect(): Promise<unknown>;
  unref(): void;
  destroy(): void;
}

interface NodeRedisNode {
  readonly address: string;
  client?: NodeRedisSingle | undefined;
}

const senders = new WeakMap<NodeRedis, { readonly sender: Sender; readonly asks: boolean }>();

/** Creates a sender for a node-redis client; all senders of a client share one object. */
export function nodeRedis(client: NodeRedis, { verdictConnection = true }: SenderOptions = {}): Sender {
  if (typeof client?.sendCommand !== "function" || typeof client.isOpen !== "boolean" || typeof client.withCommandOptions !== "function") {
    throw new TypeError("client must be a client, pool or cluster of node-redis 5.1 or newer; one of ioredis goes to ioredis(client)");
  }
  // It resends a call whose connection was lost, and does not report a refused password.
  if ("getSentinelNode" in client) {
    throw new TypeError("client must not be a Sentinel of node-redis: use ioredis(new Redis({ sentinels, name }))");
  }
  let known = senders.get(client);
  if (!known) senders.set(client, (known = { sender: senderOf(client, verdictConnection), asks: verdictConnection }));
  if (known.asks !== verdictConnection) throw new TypeError("verdictConnection must be the same for all senders of a client");
  return known.sender;
}

function senderOf(client: NodeRedis, asks: boolean): Sender {
  const isCluster = "masters" in client;
  const isSingle = !isCluster && "isReady" in client;
  const isPool = !isCluster && !isSingle;
  checkPlaces("node-redis", client, isCluster ? { slots: "object", nodeClient: "function" } : isSingle ? { duplicate: "function", unref: "function" } : { execute: "function" });
  const { send, sendToMasters } = waysOf(client, client.withCommandOptions(PLAIN) as any);
  let opened = false;
  let standIn: NodeRedisSingle | undefined;
  const refusal = () => {
    opened ||= client.isOpen || line.trouble !== undefined;
    if (line.refused) return line.trouble;
    if (client.isOpen) return "isReady" in client ? undefined : new NotSentError("the cluster is not known yet", { cause: line.trouble });
    return opened ? closedError(line.trouble) : new MisconfiguredError("call client.connect() first");
  };
  // A pool lacks this and waits on its own; a cluster of node-redis 5 fails until it knows its nodes.
  const isKnown = () => client.isOpen && (!isCluster || client.masters.length > 0);
  const isConnected = "isReady" in client ? () => (client as { isReady: unknown }).isReady === true : isKnown;
  const line = new Connection(client, errorMonitor, isConnected, refusal);
  // A client of the pool, from which the connection for the check is made: an idle one, or one that a call got. None is waited for.
  let member: NodeRedisClient | undefined;
  if (isPool && (client as NodeRedisPool).idleClients > 0) void (client as NodeRedisPool).execute(async (one) => (member = one));
  // In a pool of node-redis 5.1, an error ends the process: so no function that it executes fails.
  const sendInOrder: NonNullable<Sender["sendInOrder"]> = (_key, commands, calls) => {
    const options = (at: number) => ({ ...PLAIN, abortSignal: calls[at] as unknown as AbortSignal });
    const all = (one: NodeRedisClient) => {
      member = one;
      return Promise.allSettled(commands.map((command, at) => one.sendCommand(command, options(at))));
    };
    // A call waits for a client of the pool until its own deadline, even if the pool would wait for less.
    const send = (): ReturnType<typeof all> =>
      (client as NodeRedisPool).execute(all).catch((error) => {
        const { isOpen, totalClients } = client as NodeRedisPool;
        const waits = error?.constructor.name === "TimeoutError" && calls.some((call) => !call.aborted);
        // A pool that was closed would connect again.
        if (waits && isOpen && totalClients > 0) return send();
        throw error;
      });
    const sent = line.isReady() ? send() : line.ready(calls[0]).then(send);
    return commands.map((_, at) => sent.then((outcomes) => settled(outcomes[at]!)));
  };
  const sent: Sender["send"] = (key, command, call) => {
    if (isPool) return sendInOrder(key, [command], [call])[0]!;
    // The client removes a call from its queue when it is aborted, and stops listening when it is written.
    const options = { abortSignal: call as unknown as AbortSignal, ...(standIn && PLAIN) };
    if (standIn) return standIn.sendCommand(command, options);
    return line.isReady() ? send(key, command, options) : line.ready(call).then(() => send(key, command, options));
  };
  const nodeOf = (name: unknown) => (client as NodeRedisCluster).masters.find(({ address }) => address === name);
  const over = () => {
    if (standIn?.isOpen) standIn.destroy();
    standIn = undefined;
  };
  const heal = (name: unknown) => {
    if (isSingle) {
      // The application's connection is left alone: calls use another one until it answers or is reopened.
      over();
      standIn = quiet((client as unknown as NodeRedisSingle).duplicate());
      standIn.unref();
      standIn.connect().catch(() => {});
      const heard = (error?: unknown) => (isReply(error) || error === undefined) && over();
      (client as NodeRedisClient).sendCommand(["PING"]).then(() => heard(), heard);
    } else if (isCluster) {
      const node = nodeOf(name);
      node?.client?.destroy();
      if (node) node.client = undefined;
    }
  };
  const open: QuestionChannel["open"] = (name, question, ...events) => {
    // The program has closed it, which a cluster does not report.
    if (!client.isOpen) return void verdicts.close();
    if (isPool && !member) return failedLink(line.trouble, ...events);
    const node = isCluster ? nodeOf(name) : undefined;
    if (isCluster && !node) return ownPath({ send: sent }).open(name, question, ...events);
    const original = node ? (node.client ?? (client as NodeRedisCluster).nodeClient(node as never)) : isSingle ? client : member;
    return linkOf(original as NodeRedisSingle, question, ...events);
  };
  const verdicts = new NodeVerdicts(asks ? { open, heal } : { ...ownPath({ send: sent }), heal });
  client.on("ready", over);
  client.on("end", () => (over(), verdicts.close()));
  return {
    isOneServer: !isCluster,
    isOrdered: true,
    ...(isPool && { sendInOrder }),
    verdicts,
    ...(isCluster && { serverOf: (key: string) => client.slots[slotOf(key)]?.master?.address }),
    keyPrefix: (client as { _keyPrefix?: string })._keyPrefix,
    get trouble() {
      return line.trouble;
    },
    set trouble(trouble) {
      line.trouble = trouble;
    },
    send: sent,
    sendToMasters,
    close() {},
  };
}

function settled(outcome: PromiseSettledResult<unknown>): unknown {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

function quiet(client: NodeRedisSingle): NodeRedisSingle {
  client.on("error", () => {});
  return client;
}

/** Returns the link of a pool of which no client is known: one that fails if the pool cannot connect, or none; all may be in use. */
function failedLink(trouble: unknown, ...[, ended]: Parameters<LinkOpener>): QuestionLink | undefined {
  // A connection that was lost is made again.
  if (trouble === undefined || classifyError(trouble).kind === "not_answered") return undefined;
  queueMicrotask(() => ended(trouble, !isReply(trouble)));
  return { ask() {}, close() {} };
}

/** Returns a duplicate of a client that connects once and does not keep the process alive. */
function linkOf(original: NodeRedisSingle | Promise<NodeRedisSingle>, question: NodeQuestion, ...[connected, ended]: Parameters<LinkOpener>): QuestionLink {
  let own: NodeRedisSingle | undefined;
  let isClosed = false;
  const end = (error: unknown) => {
    if (!isClosed) ended(error);
    isClosed = true;
  };
  const connect = async () => {
    const client = await original;
    if (isClosed) return;
    const socket = { ...client.options?.socket, reconnectStrategy: false, connectTimeout: LONGEST_CONNECTING_MS };
    own = client.duplicate({ socket, clientSideCache: undefined, pingInterval: 0 });
    own.on("error", end);
    own.on("end", () => end(new Error("Connection is closed")));
    own.unref();
    await own.connect();
    if (!isClosed) connected();
  };
  connect().catch(end);
  return {
    ask(written, answered) {
      const failed = (error: unknown) => (isReply(error) ? answered(error) : end(error));
      const abortSignal = new QuestionCall(written) as unknown as AbortSignal;
      own!.sendCommand(question.words(), { ...PLAIN, abortSignal }).then(() => answered(), failed);
    },
    close() {
      isClosed = true;
      if (own?.isOpen) own.destroy();
    },
  };
}

/** Returns the functions that send commands through this kind of client; `plain` is the client with the PLAIN options. */
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
