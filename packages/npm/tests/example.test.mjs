// The README's example, over HTTP: it serves in an outage, and only then.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { PREFIX, PROXY, REDIS, serversDo } from "./servers.mjs";

const example = readFileSync("examples/app.mjs", "utf8");

/** The example on this connection; `heard` are the client's errors. */
async function running(t, name, options, ...listens) {
  const heard = `const heard = [];\n${example}export { app, heard, redis };\n`
    .replace("createClient()", `createClient(${JSON.stringify(options)})`)
    .replaceAll("console.error", "(error) => void heard.push(error)")
    .replace('"api"', `"${PREFIX}-${name}"`);
  // Tests on several servers run in one folder.
  const file = `examples/${name}-${process.pid}.mjs`;
  writeFileSync(file, heard);
  t.after(() => rmSync(file));
  const { app, heard: errors, redis } = await import(`../${file}`);
  const server = listens.length ? app.listen(...listens) : app.listen(0, "127.0.0.1");
  // A machine that stalls would end connections that fetch uses again.
  server.keepAliveTimeout = 0;
  t.after(() => (server.closeAllConnections(), server.close(), redis.destroy()));
  await once(server, "listening");
  return { heard: errors, request: () => fetch(`http://127.0.0.1:${server.address().port}/`) };
}

test("it is the README's", () => assert.ok(readFileSync("README.md", "utf8").includes("```js\n" + example + "```")));

test("it limits, and serves while the server is down or stopped", async (t) => {
  const { request } = await running(t, "limits", { socket: { port: PROXY } });
  const answers = [];
  const denied = () => answers.filter(({ status }) => status === 429);
  while (denied().length === 0 && answers.length < 10_000) {
    answers.push(...(await Promise.all(Array.from({ length: 40 }, request))));
  }
  assert.equal(denied()[0].headers.get("retry-after"), "1");
  for (const [fault, end] of [["down", "up"], ["stop", "cont"]]) {
    serversDo(fault);
    try {
      // Nobody is refused, though the bucket is empty.
      assert.deepEqual((await Promise.all(Array.from({ length: 20 }, request))).map(({ status }) => status), Array(20).fill(404));
    } finally {
      serversDo(end);
    }
  }
  while ((await Promise.all(Array.from({ length: 200 }, request))).every(({ status }) => status !== 429));
});

test("it starts and serves without a server", async (t) => {
  const { heard, request } = await running(t, "alone", { socket: { port: 1 } });
  assert.equal((await request()).status, 404);
  assert.match(String(heard[0]), /ECONNREFUSED/);
});

test("it limits at a Unix socket, whose callers are one", async (t) => {
  const socketPath = join(mkdtempSync(join(tmpdir(), "penstock-")), "web");
  t.after(() => rmSync(dirname(socketPath), { recursive: true }));
  await running(t, "socket", { socket: { port: REDIS } }, socketPath);
  const status = async () => {
    const [response] = await once(request({ socketPath, agent: false }).end(), "response");
    return response.resume().statusCode;
  };
  const found = new Set();
  for (let requests = 0; requests < 10_000 && !found.has(429); requests++) found.add(await status());
  assert.deepEqual([...found], [404, 429]);
});

test("it serves nobody with a wrong password", async (t) => {
  const { request } = await running(t, "wrong", { socket: { port: REDIS }, username: "nobody", password: "wrong" });
  // Until the server has refused the password, there is no connection yet.
  while ((await request()).status === 404);
  assert.deepEqual((await Promise.all(Array.from({ length: 20 }, request))).map(({ status }) => status), Array(20).fill(503));
});
