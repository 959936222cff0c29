// How a call goes through a client once. The clients are known by their shape, so that none is a dependency.

/** Sends one command to the node of a key, once; a redirect is followed. */
export interface Sender {
  send(key: string, command: string[]): Promise<unknown>;
  sendToMasters(command: string[]): Promise<void>;
  /** Closes what the sender opened itself; the application's client stays open. */
  close(): void;
}

interface NodeRedisClient {
  sendCommand(command: string[]): Promise<unknown>;
}

interface NodeRedisCluster {
  sendCommand(key: string, isReadonly: boolean, command: string[]): Promise<unknown>;
  readonly masters: readonly unknown[];
  nodeClient(node: never): unknown;
}

/** A client, pool or cluster of node-redis (`redis`), connected. */
export type NodeRedis = NodeRedisClient | NodeRedisCluster;

/** Sends through a client of node-redis, which sends a command once by itself. */
export function nodeRedis(client: NodeRedis): Sender {
  if (!("masters" in client)) {
    return {
      send: async (_key, command) => client.sendCommand(command),
      sendToMasters: async (command) => void (await client.sendCommand(command)),
      close() {},
    };
  }
  const onMaster = async (node: unknown, command: string[]) =>
    ((await client.nodeClient(node as never)) as NodeRedisClient).sendCommand(command);
  return {
    send: async (key, command) => client.sendCommand(key, false, command),
    sendToMasters: async (command) => void (await Promise.all(client.masters.map((node) => onMaster(node, command)))),
    close() {},
  };
}

interface IoRedisClient {
  readonly isCluster: boolean;
  call(command: string, ...args: string[]): Promise<unknown>;
  on(event: "error", listener: () => void): unknown;
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
  const own = (
    client.isCluster ? client.duplicate([], { retryDelayOnFailover: 0 }) : client.duplicate({ maxRetriesPerRequest: 0 })
  ) as IoRedisClient;
  // A call that fails says so by itself.
  own.on("error", () => {});
  return {
    // ioredis 5.0 finds the key of a command only if its name is in lower case.
    send: (_key, [command, ...args]) => own.call(command!.toLowerCase(), ...args),
    async sendToMasters([command, ...args]) {
      // An answer means that the cluster's nodes are known.
      await own.call("PING");
      const masters = own.isCluster ? (own as IoRedisCluster).nodes("master") : [own];
      await Promise.all(masters.map((master) => master.call(command!, ...args)));
    },
    close: () => own.disconnect(),
  };
}
