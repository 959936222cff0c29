// The servers that packages/testbed.py started, their faults, and the clients that are tested. Without servers, a file that needs one is
// skipped.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { after } from "node:test";
import IoRedis from "ioredis";
import { ioredis, nodeRedis } from "penstock-redis";
import { RESP_TYPES, createClient, createClientPool, createCluster } from "redis";
import { inside } from "./vectors.mjs";

export { inside, vectors } from "./vectors.mjs";

const { env } = process;
if (env.PENSTOCK_SKIP) {
  console.log(`${basename(process.argv[1])} is skipped: ${env.PENSTOCK_SKIP}`);
  process.exit();
}
export const REDIS = Number(env.PENSTOCK_REDIS);
export const PROXY = Number(env.PENSTOCK_PROXY);
export const CLUSTER = Number(env.PENSTOCK_CLUSTER);
/** The cluster's nodes, not behind their proxies. */
export const NODES = env.PENSTOCK_NODES.split(" ").map(Number);
export const FORMS = env.PENSTOCK_FUNCTIONS === "yes" ? ["EVALSHA", "FCALL"] : ["EVALSHA"];
export const PREFIX = `t${randomBytes(6).toString("hex")}`;

// The connection for the question is made with the first call, not within 3 s.
(await inside("verdict.js")).DELAYS.first = () => 0;

export const subject = () => randomBytes(12).toString("hex");
export const versionOf = (name) => createRequire(import.meta.url)(`${name}/package.json`).version;

/** Runs packages/testbed.py and returns what it printed. */
export function serversDo(command, { key = [], said = "" } = {}) {
  return execFileSync("python3", [env.PENSTOCK_TESTBED, command, ...[key].flat()], { input: said, encoding: "utf8" });
}

export const MEASURES = "PENSTOCK_RESULTS" in env;

/** A row of docs/languages.md. */
export function measured(client, version, fault, byDefault, then) {
  appendFileSync(env.PENSTOCK_RESULTS, JSON.stringify({ client, version, fault, default: byDefault, then }) + "\n");
}

/**
 * What a burst comes to, which must open nothing. A machine on which the server does not run for P makes an outage; another burst shows
 * whether it was that.
 */
export async function opensNothing(burst, tries = 3) {
  for (;;) {
    const counts = await burst();
    if (counts.opened === 0) return counts;
    if (--tries === 0) throw new Error(`each burst opened: ${JSON.stringify(counts)}`);
  }
}

export const POOL = "node-redis pool";
const CLIENTS = {
  "node-redis": {
    connect: (port, { username, password, db } = {}) => createClient({ socket: { port }, username, password, database: db }),
    sender: nodeRedis,
    raw: (client, command) => client.sendCommand(command),
  },
  "node-redis cluster": {
    cluster: true,
    connect: (_port, { username, password, cluster = CLUSTER } = {}) =>
      createCluster({ rootNodes: [{ socket: { port: cluster } }], defaults: { username, password } }),
    sender: nodeRedis,
    raw: (client, command) => client.sendCommand(command[3] ?? command[1], false, command),
  },
  ioredis: {
    connect: (port, { username, password, db } = {}) => new IoRedis({ port, username, password, db, lazyConnect: true }),
    sender: ioredis,
    raw: (client, [name, ...rest]) => client.call(name, ...rest),
  },
  "ioredis Cluster": {
    cluster: true,
    connect: (_port, { username, password, cluster = CLUSTER } = {}) =>
      new IoRedis.Cluster([{ host: "127.0.0.1", port: cluster }], { redisOptions: { username, password }, lazyConnect: true }),
    sender: ioredis,
    raw: (client, [name, ...rest]) => client.call(name, ...rest),
  },
  [POOL]: {
    connect: (port) => createClientPool({ socket: { port }, commandOptions: { typeMapping: { [RESP_TYPES.NUMBER]: String } } }),
    sender: nodeRedis,
    raw: (client, command) => client.sendCommand(command),
  },
};

// A cluster of node-redis 5 that is destroyed while it discovers its nodes connects to them afterwards: each is destroyed again.
const destroyed = [];
after(() => destroyed.forEach((client) => client.destroy()));

export const NAMES = Object.keys(CLIENTS).filter((name) => name !== POOL);
export const isCluster = (name) => CLIENTS[name].cluster ?? false;

/** A connected client, with what the tests do with each of them alike; `body` is run and everything closed. */
export async function withClient(name, body, { port = REDIS, awaited = true, ...credentials } = {}) {
  const { connect, sender, raw } = CLIENTS[name];
  const client = connect(port, credentials);
  client.on("error", () => {});
  const connecting = client.connect();
  awaited ? await connecting : connecting.catch(() => {});
  const own = sender(client);
  try {
    return await body({ client, sender: own, raw: (...command) => raw(client, command) });
  } finally {
    own.close();
    // A pool of node-redis 5.1 that is destroyed while it connects another client ends the process.
    while (client.clientsInUse) await new Promise((resolve) => setTimeout(resolve, 5));
    client.destroy ? client.destroy() : client.disconnect();
    if (client.destroy && isCluster(name)) destroyed.push(client);
  }
}
