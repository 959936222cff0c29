// The middlewares, each in its framework, over HTTP.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as send } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import fastifyCors from "@fastify/cors";
import { Controller, Get, HttpException, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import cors from "cors";
import express from "express";
import { rateLimit as expressRateLimit } from "express-rate-limit";
import fastify from "fastify";
import { EntryLimit, RateLimiter, Reservations, fixedWindow, tokenBucket } from "penstock-redis";
import * as ofExpress from "penstock-redis/express";
import { WindowStore } from "penstock-redis/express-rate-limit";
import * as ofFastify from "penstock-redis/fastify";
import { RateLimit, RateLimitGuard, SkipRateLimit } from "penstock-redis/nest";
import { RequestLimit, header, headerSubject } from "penstock-redis/requests";
import { memorySender } from "penstock-redis/testing";
import { PREFIX, PROXY, REDIS, serversDo, subject, vectors, withClient } from "./servers.mjs";

const PATIENT = { timeoutMs: 60_000, prefix: PREFIX };
const SHORT = { timeoutMs: 300, prefix: PREFIX };
const TWO = "fixed-window:2/1h";
const TYPES = "https://iana.org/assignments/http-problem-types#";
const throwing = () => {
  throw new Error("a mistake of the application");
};

/** What a handler answers. */
const statusOf = ({ headers }) => Number(headers["x-answer"] ?? 200);
const hello = (request, response) => response.status(statusOf(request)).send("Hello");
const helloAwaited = async (request, reply) => reply.code(statusOf(request)).send("Hello");
const answered = {
  intercept(context, next) {
    const status = statusOf(context.switchToHttp().getRequest());
    if (status !== 200) throw new HttpException("Hello", status);
    return next.handle();
  },
};

/** Each listens, and returns its port and what closes it. Limits are those of one request, the outermost first. */
const WEBS = {
  express: (...limits) => listening(express().get("/", ...limits.map((limit) => ofExpress.rateLimit(...limit)), hello)),
  "express, everywhere": (...limits) => listening(everywhere(limits).get("/", hello)),
  fastify: async (...limits) => {
    const app = fastify();
    app.get("/", { onRequest: limits.map((limit) => ofFastify.rateLimit(...limit)) }, helloAwaited);
    return fastifyListening(app);
  },
  "fastify, everywhere": async (...limits) => fastifyListening((await plugged(limits)).get("/", helloAwaited)),
  nest: (...limits) => nest(limits),
  "nest on fastify": (...limits) => nest(limits, new FastifyAdapter()),
};

/** Two kinds of limits of a framework. */
const MIXED = {
  "express, both kinds": (first, ...others) =>
    listening(everywhere([first]).get("/", ...others.map((limit) => ofExpress.rateLimit(...limit)), hello)),
  "fastify, both kinds": async (first, ...others) => {
    const app = await plugged([first]);
    app.get("/", { preHandler: others.map((limit) => ofFastify.rateLimit(...limit)) }, helloAwaited);
    return fastifyListening(app);
  },
};

function everywhere(limits) {
  return limits.reduce((app, limit) => app.use(ofExpress.rateLimit(...limit)), express());
}

async function plugged(limits) {
  const app = fastify();
  for (const [sender, policy, limit, options] of limits) {
    await app.register(ofFastify.rateLimitPlugin, { sender, policy, limit, ...options });
  }
  return app;
}

/** What decorators do, in a language without. */
function decorated(kind, routes) {
  class Routes {}
  for (const [name, decorators] of Object.entries(routes)) {
    Routes.prototype[name] = () => "Hello";
    for (const decorate of decorators) decorate(Routes.prototype, name, Object.getOwnPropertyDescriptor(Routes.prototype, name));
  }
  kind(Routes);
  return Routes;
}

async function nest(limits, adapter, routes = { hello: [Get()] }, set = () => {}) {
  class Application {}
  Module({ controllers: [decorated(Controller(), routes)] })(Application);
  const app = await NestFactory.create(Application, ...(adapter ? [adapter] : []), { logger: false });
  set(app);
  app.useGlobalInterceptors(answered);
  app.useGlobalGuards(...limits.map((limit) => new RateLimitGuard(...limit)));
  await app.listen(0, "127.0.0.1");
  return [app.getHttpServer().address().port, () => app.close()];
}

async function listening(app) {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return [server.address().port, () => server.close()];
}

async function fastifyListening(app) {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return [app.server.address().port, () => app.close()];
}

const CLIENTS = ["node-redis", "ioredis"];

// What the server does then, until when, and whose connection through which port sees it.
const FAULTS = [
  ["down", "up", "ioredis", PROXY], ["stop", "cont", "node-redis", PROXY],
  ["crash", "revive", "node-redis", REDIS], ["crash", "revive", "ioredis", REDIS],
];

/** What sends a request to the application. */
async function withWeb(name, limit, { port, username, password, client = CLIENTS[0], policy = subject(), ...options }, body) {
  await withClient(client, async ({ sender }) => {
    const [own, close] = await WEBS[name]([sender, policy, limit, options]);
    try {
      await body((headers = {}) => get(own, headers), policy, sender);
    } finally {
      await close();
    }
  }, { port, username, password, awaited: username === undefined });
}

async function get(port, headers, path = "/", method = "GET") {
  const request = send({ host: "127.0.0.1", port, path, method, headers, agent: false }).end();
  const [response] = await once(request, "response");
  return { status: response.statusCode, fields: response.headers, body: await text(response) };
}

async function statuses(request, count, headers) {
  const found = [];
  while (found.length < count) found.push((await request(headers)).status);
  return found;
}

/** What answers a denial in each framework. */
const ANSWERS = {
  express: (response) => response.status(402).send("Enough"),
  fastify: (reply) => reply.code(402).send("Enough"),
  nest: () => new HttpException("Enough", 402),
};

/** The package's warnings about a policy while `body` runs. */
async function warningsOf(policy, body) {
  const told = [];
  const hear = ({ name, message }) => name === "PenstockWarning" && message.includes(policy) && told.push(message);
  process.on("warning", hear);
  await body();
  // They are emitted in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", hear);
  return told;
}

for (const name of Object.keys(WEBS)) {
  for (const client of CLIENTS) {
    test(`${name} on ${client} limits and says so`, () => withWeb(name, TWO, { ...PATIENT, client }, async (request, policy) => {
      const first = await request();
      assert.equal(first.body, "Hello");
      assert.equal(first.fields["ratelimit-policy"], `"${policy}";q=2;w=3600`);
      assert.equal(first.fields.ratelimit, `"${policy}";r=1;t=3600`);
      await request();
      const { status, fields, body } = await request();
      assert.equal(status, 429);
      assert.match(fields.ratelimit, /";r=0;t=3/);
      assert.ok(fields["retry-after"] > 3500 && fields["retry-after"] <= 3600);
      assert.match(fields["content-type"], /^application\/problem\+json/);
      assert.deepEqual(JSON.parse(body), {
        type: `${TYPES}quota-exceeded`, title: "Quota exceeded", status: 429, "violated-policies": [policy],
      });
    }));
  }

  test(`${name}: a call that is never allowed has no Retry-After`, () => withWeb(name, TWO, { cost: 3, ...PATIENT }, async (request) => {
    const { status, fields } = await request();
    assert.deepEqual([status, fields["retry-after"]], [429, undefined]);
  }));

  test(`${name}: the fields' form`, async () => {
    await withWeb(name, TWO, { standardHeaders: "draft-06", ...PATIENT }, async (request) => {
      assert.equal((await request()).fields["ratelimit-remaining"], "1");
    });
    await withWeb(name, TWO, { standardHeaders: false, ...PATIENT }, async (request) => {
      await request();
      assert.equal((await request()).fields["ratelimit-policy"], undefined);
      assert.notEqual((await request()).fields["retry-after"], undefined);
    });
  });

  test(`${name}: all at once are counted`, () => withWeb(name, "fixed-window:30/1h", PATIENT, async (request) => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => request()));
    assert.deepEqual([200, 429].map((each) => answers.filter(({ status }) => status === each).length), [30, 30]);
  }));

  test(`${name}: a proxy that is listed is believed`, async () => {
    await withWeb(name, TWO, { trustedProxies: ["127.0.0.1", "10.0.0.0/8"], ...PATIENT }, async (request) => {
      const behind = (...forwarded) => ({ "x-forwarded-for": forwarded });
      assert.deepEqual(await statuses(request, 3, behind("198.51.100.1, 10.0.0.1")), [200, 200, 429]);
      // What stands to the left was written by the caller.
      assert.deepEqual(await statuses(request, 1, behind("192.0.2.7, 198.51.100.1")), [429]);
      assert.deepEqual(await statuses(request, 1, behind("192.0.2.7", "198.51.100.1")), [429]);
      assert.deepEqual(await statuses(request, 2, behind("198.51.100.2")), [200, 200]);
      assert.deepEqual(await statuses(request, 3, behind("2001:db8::1")), [200, 200, 429]);
      assert.deepEqual(await statuses(request, 1, behind("2001:db8::2")), [429]);
    });
    await withWeb(name, TWO, PATIENT, async (request) => {
      const answers = await Promise.all([1, 2, 3].map((at) => request({ "x-forwarded-for": `198.51.100.${at}` })));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 429]);
    });
  });

  test(`${name}: without a key it is the address`, async () => {
    const nothing = [throwing, () => undefined, () => "", () => 4.2, async () => null, async () => throwing(), header("X-Api-Key")];
    for (const keyGenerator of nothing) {
      await withWeb(name, TWO, { keyGenerator, ...PATIENT }, async (request, policy, sender) => {
        assert.deepEqual(await statuses(request, 3), [200, 200, 429]);
        const limiter = new RateLimiter(sender, policy, fixedWindow(2, 3_600_000), PATIENT);
        assert.equal((await limiter.peek("address:127.0.0.1")).remaining, 0);
      });
    }
  });

  test(`${name}: an id is a subject, and one warning names what cannot be one`, async () => {
    const ids = [[42, "42"], [-7n, "-7"], [{ _bsontype: "ObjectId", toHexString: () => "65a1b2c3d4e5f60718293a4b" }, "65a1b2c3d4e5f60718293a4b"]];
    for (const [id, known] of ids) {
      await withWeb(name, TWO, { keyGenerator: () => id, ...PATIENT }, async (request, policy, sender) => {
        assert.deepEqual(await statuses(request, 3), [200, 200, 429]);
        const limiter = new RateLimiter(sender, policy, fixedWindow(2, 3_600_000), PATIENT);
        assert.deepEqual([(await limiter.peek(known)).remaining, (await limiter.peek("address:127.0.0.1")).remaining], [0, 2]);
      });
    }
    for (const wrong of [new Date(), 2 ** 60, Symbol("user"), true, Object.create(null)]) {
      await withWeb(name, TWO, { keyGenerator: () => wrong, ...PATIENT }, async (request, policy) => {
        const told = await warningsOf(policy, async () => assert.deepEqual(await statuses(request, 3), [200, 200, 429]));
        assert.equal(told.length, 1);
        assert.match(told[0], /keyGenerator returned a \w+, so the address stands in/);
      });
    }
  });

  test(`${name}: a plan without a limit`, () => {
    const plans = { free: TWO, internal: "unlimited" };
    return withWeb(name, plans, { plan: ({ headers }) => headers["x-plan"], ...PATIENT }, async (request) => {
      assert.deepEqual(await statuses(request, 3, { "x-plan": "internal" }), [200, 200, 200]);
      assert.equal((await request({ "x-plan": "internal" })).fields["ratelimit-policy"], undefined);
      for (const [plan, status] of [["unlimited", 200], ["Internal", 200], ["gold", 429]]) {
        assert.deepEqual(await statuses(request, 1, { "x-plan": plan }), [status]);
      }
    });
  });

  test(`${name}: a limit of the request`, async () => {
    const limits = { text: "fixed-window:1/2h", made: fixedWindow(3, 10_800_000) };
    const limitOf = async ({ headers }) => limits[headers["x-limit"]] ?? throwing();
    await withWeb(name, TWO, { limitOf, ...PATIENT }, async (request) => {
      assert.deepEqual(await statuses(request, 2, { "x-limit": "text" }), [200, 429]);
      assert.deepEqual(await statuses(request, 4, { "x-limit": "made" }), [200, 200, 200, 429]);
      assert.deepEqual(await statuses(request, 3, { "x-limit": "unknown" }), [200, 200, 429]);
    });
    for (const wrong of ["fixed-window:9", "unlimited", "none", "leaky-bucket:9/1s", 9, {}, [], ""]) {
      await withWeb(name, TWO, { limitOf: () => wrong, ...PATIENT }, async (request) => {
        assert.deepEqual(await statuses(request, 3), [200, 200, 429]);
      });
    }
  });

  test(`${name}: an answer of one's own`, async () => {
    const told = [];
    const onDenied = (request, decision, response) => {
      told.push(decision.enforced);
      return ANSWERS[name.split(/,| on/)[0]](response);
    };
    await withWeb(name, TWO, { onDenied, ...PATIENT }, async (request) => {
      assert.deepEqual(await statuses(request, 2), [200, 200]);
      const { status, fields, body } = await request();
      assert.deepEqual([status, body.includes("Enough"), told], [402, true, [true]]);
      assert.match(fields.ratelimit, /;r=0;/);
      assert.ok(fields["retry-after"] > 3500);
      assert.doesNotMatch(String(fields["content-type"]), /problem/);
    });
    // What is undecided is no denial.
    await withWeb(name, TWO, { onDenied, ...PATIENT, username: "nobody", password: "wrong" }, async (request) => {
      assert.deepEqual([await statuses(request, 1), told], [[503], [true]]);
    });
    for (const nothing of [throwing, () => undefined, async () => throwing()]) {
      await withWeb(name, "fixed-window:1/1h", { onDenied: nothing, ...PATIENT }, async (request) => {
        assert.equal((await request()).status, 200);
        const { status, fields } = await request();
        assert.equal(status, 429);
        assert.match(fields["content-type"], /^application\/problem\+json/);
      });
    }
  });

  test(`${name}: one warning about a limit that is mounted twice`, () => withClient(CLIENTS[0], async ({ sender }) => {
    const policy = subject();
    const limit = (options) => [sender, policy, "fixed-window:4/1h", { ...PATIENT, ...options }];
    const served = async (limits, expected) => {
      const [port, close] = await WEBS[name](...limits);
      const told = await warningsOf(policy, async () => assert.deepEqual(await statuses(() => get(port, {}), expected.length), expected));
      await close();
      return told;
    };
    const told = await served([limit(), limit()], [200, 200, 429]);
    assert.equal(told.length, 1);
    assert.match(told[0], /counted twice/);
    // Two subjects are not one.
    assert.deepEqual(await served([limit({ keyGenerator: () => "user" }), limit({ keyGenerator: () => "tenant" })], [200]), []);
  }));

  test(`${name}: a header is hashed`, async () => {
    await withWeb(name, TWO, { keyGenerator: header("X-Api-Key"), ...PATIENT }, async (request, policy, sender) => {
      assert.deepEqual(await statuses(request, 3, { "x-api-key": "s3cret\xe9" }), [200, 200, 429]);
      assert.deepEqual(await statuses(request, 1, { "x-api-key": "another" }), [200]);
      assert.deepEqual(await statuses(request, 3, { "x-api-key": ["another", "s3cret\xe9"] }), [200, 200, 429]);
      const limiter = new RateLimiter(sender, policy, fixedWindow(2, 3_600_000), PATIENT);
      assert.equal((await limiter.peek(headerSubject("s3cret\xe9"))).remaining, 0);
    });
  });

  test(`${name}: costs`, async () => {
    for (const cost of [throwing, () => 0, () => -5, () => 1.5, () => undefined, () => "two", async () => NaN, async () => throwing()]) {
      await withWeb(name, TWO, { cost, ...PATIENT }, async (request) => assert.deepEqual(await statuses(request, 3), [200, 200, 429]));
    }
    await withWeb(name, "fixed-window:10/1h", { cost: ({ headers }) => Number(headers["x-cost"]), ...PATIENT }, async (request) => {
      const answers = [];
      for (const cost of ["7", "4", "3", "1"]) answers.push((await request({ "x-cost": cost })).status);
      assert.deepEqual(answers, [200, 429, 200, 429]);
    });
  });

  test(`${name}: an unknown plan is the strictest`, async () => {
    const found = { paid: 4, free: 2, gold: 2, constructor: 2 };
    const plans = { paid: "fixed-window:4/1h", free: TWO };
    const named = Object.entries(found).map(([name, allowed]) => [() => name, allowed]);
    for (const [plan, allowed] of [...named, [throwing, 2], [() => null, 2]]) {
      await withWeb(name, plans, { plan, ...PATIENT }, async (request) => {
        assert.deepEqual(await statuses(request, 5), Array.from({ length: 5 }, (_, at) => (at < allowed ? 200 : 429)));
      });
    }
  });

  test(`${name}: who is not limited`, async () => {
    await withWeb(name, TWO, { exempt: ["127.0.0.0/8"], ...PATIENT }, async (request) => {
      assert.deepEqual(await statuses(request, 3), [200, 200, 200]);
    });
    await withWeb(name, TWO, { skip: async ({ headers }) => headers["x-job"] === "yes", ...PATIENT }, async (request) => {
      assert.deepEqual(await statuses(request, 3, { "x-job": "yes" }), [200, 200, 200]);
      assert.deepEqual(await statuses(request, 3), [200, 200, 429]);
    });
    for (const skip of [throwing, () => "yes", () => 1]) {
      await withWeb(name, TWO, { skip, ...PATIENT }, async (request) => assert.deepEqual(await statuses(request, 3), [200, 200, 429]));
    }
  });

  test(`${name}: a dry run refuses nobody`, async () => {
    const told = [];
    const options = { dryRun: true, onDecision: (_, { allowed }) => told.push(allowed) };
    await withWeb(name, TWO, { ...options, ...PATIENT }, async (request) => {
      assert.deepEqual(await statuses(request, 3), [200, 200, 200]);
      assert.equal((await request()).fields["ratelimit-policy"], undefined);
      assert.deepEqual(told, [true, true, false, false]);
    });
    await withWeb(name, TWO, { ...options, ...SHORT, username: "nobody", password: "wrong" }, async (request) => {
      assert.deepEqual(await statuses(request, 2), [200, 200]);
    });
  });

  for (const [onUnavailable, status] of [["allow", 200], ["deny", 503], ["throw", 503]]) {
    // How a server is lost concerns the client only.
    for (const [fault, end, client, port] of name === "express" ? FAULTS : FAULTS.slice(0, 1)) {
      test(`${name} on ${client}: ${onUnavailable}, and the server is ${fault}`, () =>
        withWeb(name, TWO, { ...SHORT, port, onUnavailable, client }, async (request) => {
          serversDo(fault);
          try {
            for (const { status: found, fields, body } of await Promise.all(Array.from({ length: 5 }, () => request()))) {
              assert.equal(found, status);
              assert.equal(fields.ratelimit, undefined);
              assert.equal(fields["retry-after"], onUnavailable === "deny" ? "1" : undefined);
              if (status === 503) assert.equal(JSON.parse(body).type, `${TYPES}temporary-reduced-capacity`);
            }
          } finally {
            serversDo(end);
          }
          // It limits again.
          while ((await request()).status !== 429);
        }));
    }

    test(`${name}: ${onUnavailable}, and a wrong password`, async () => {
      for (const client of CLIENTS) {
        const wrong = { ...PATIENT, port: REDIS, username: "nobody", password: "wrong", onUnavailable, onOverload: "allow", client };
        await withWeb(name, TWO, wrong, async (request) => assert.deepEqual(await statuses(request, 3), [503, 503, 503]));
      }
    });
  }
}

test("the fields of several limits", () => withClient(CLIENTS[0], async ({ sender }) => {
  for (const { name, limits, cost, form = "draft-11", status, fields } of vectors("requests", "several")) {
    for (const [web, serve] of Object.entries({ ...WEBS, ...MIXED })) {
      const options = { ...PATIENT, prefix: `t${subject()}`, cost, standardHeaders: form };
      const [port, close] = await serve(...limits.map(({ policy, limit }) => [sender, policy, limit, options]));
      const answer = await get(port, {});
      await close();
      const written = Object.entries(answer.fields).filter(([field]) => field.includes("ratelimit")).sort();
      const expected = fields.map(([field, text]) => [field.toLowerCase(), text]).sort();
      assert.deepEqual([answer.status, written], [status, expected], `${name}: ${web}`);
    }
  }
}));

const named = (header) => ({ headers }) => headers[header];

test("two policies, and charges by the response", () => withClient(CLIENTS[0], async ({ sender }) => {
  for (const { name, policy, limit, cost = 1, also, charge_when: chargeWhen, requests } of vectors("requests", "joint")) {
    for (const [web, serve] of Object.entries(WEBS)) {
      const settled = settlements();
      const options = {
        ...PATIENT, prefix: `t${subject()}`, cost, keyGenerator: named("x-subject"), onEvent: settled.hear,
        ...(chargeWhen && { chargeWhen }), ...(also && { also: { ...also, keyGenerator: named("x-also") } }),
      };
      const [port, close] = await serve([sender, policy, limit, options]);
      for (const each of requests) {
        const given = { "x-subject": each.subject, "x-also": each.also, "x-answer": each.answer };
        const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        const { status, fields, body } = await get(port, headers);
        const units = [...fields.ratelimit.matchAll(/"([^"]+)";r=(\d+)/g)].map(([, of, remaining]) => [of, Number(remaining)]);
        const left = Object.fromEntries(units);
        assert.deepEqual([status, left], [each.status, each.left ?? left], `${name}: ${web}: ${JSON.stringify(each)}`);
        if (each.violated) assert.deepEqual(JSON.parse(body)["violated-policies"], each.violated, `${name}: ${web}`);
        if (chargeWhen) await settled.all();
      }
      await close();
    }
  }
}));

/** Hears what is reserved and what is settled; a response is settled after it was sent. */
function settlements() {
  let held = 0;
  let told = () => {};
  return {
    hear({ kind }) {
      held += { reserved: 1, settled: -1, cancelled: -1 }[kind] ?? 0;
      told();
    },
    async all() {
      while (held > 0) await new Promise((resolve) => (told = resolve));
    },
  };
}

const LOGINS = { chargeWhen: "status 401, 403", keyGenerator: () => "alice" };

/** Six at once under 5; five are the test's own. */
async function withFiveHeld(name, options, body) {
  await withClient(CLIENTS[0], async ({ sender }) => {
    const policy = subject();
    const held = new Reservations(sender, policy, 600_000, PATIENT);
    const five = await held.reserve("alice", [EntryLimit.of(policy, fixedWindow(5, 3_600_000)).reserve(5)]);
    const [port, close] = await WEBS[name]([sender, policy, "fixed-window:5/1h", { ...LOGINS, ...options }]);
    try {
      await body(() => get(port, {}), five, policy);
    } finally {
      await close();
    }
  });
}

for (const name of Object.keys(WEBS)) {
  for (const [end, status] of [["cancel", 200], ["close", 429]]) {
    test(`${name}: a request that only holds deny waits for them: ${end}`, async () => {
      let told;
      const denied = new Promise((resolve) => (told = resolve));
      await withFiveHeld(name, { ...PATIENT, onEvent: ({ kind }) => kind === "denied" && told() }, async (request, five) => {
        const sixth = request();
        await denied;
        await five[end]();
        assert.equal((await sixth).status, status);
      });
    });
  }

  test(`${name}: a request that holds deny is denied at its deadline`, () => withFiveHeld(name, { ...SHORT, timeoutMs: 3_000 }, async (request, _, policy) => {
    const { status, fields, body } = await request();
    assert.deepEqual([status, JSON.parse(body)["violated-policies"]], [429, [policy]]);
    assert.ok(fields["retry-after"] > 0);
  }));

  test(`${name}: failures at once are counted`, () => withWeb(name, "fixed-window:5/1h", { ...LOGINS, ...PATIENT }, async (request) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => request({ "x-answer": "401" })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(5).fill(401), ...Array(15).fill(429)]);
  }));

  for (const [onUnavailable, status] of [["allow", 200], ["deny", 503], ["throw", 503]]) {
    test(`${name}: charges by the response in an outage: ${onUnavailable}`, () => withClient(CLIENTS[0], async ({ sender }) => {
      const also = { policy: "others", limit: TWO, keyGenerator: throwing };
      const [port, close] = await WEBS[name]([sender, subject(), TWO, { ...LOGINS, ...SHORT, also, onUnavailable }]);
      try {
        const { status: found, fields } = await get(port, {});
        assert.deepEqual([found, fields.ratelimit], [status, undefined]);
      } finally {
        await close();
      }
    }, { port: 1, awaited: false }));
  }

  test(`${name}: a dry run holds and refuses nobody`, async () => {
    const told = [];
    const settled = settlements();
    const options = { dryRun: true, onDecision: (_, { allowed }) => told.push(allowed), onEvent: settled.hear, ...LOGINS, ...PATIENT };
    await withWeb(name, TWO, options, async (request) => {
      for (const status of [200, 200, 401, 401, 401, 200]) {
        assert.equal((await request({ "x-answer": String(status) })).status, status);
        await settled.all();
      }
      assert.deepEqual(told, [true, true, true, true, false, false]);
    });
  });
}

test("nest: several limits in one call, and routes with limits of their own", () => withClient(CLIENTS[0], async ({ sender }) => {
  const told = [];
  const policies = [subject(), subject()];
  const named = { short: "token-bucket:2/1h", long: "token-bucket:100/1d" };
  const onDecision = (_, { remaining }) => told.push(remaining);
  const [port, close] = await nest([[sender, policies[0], named, { ...PATIENT, onDecision }]], undefined, {
    hello: [Get()],
    own: [Get("own"), RateLimit(policies[1], "fixed-window:1/1h", { cost: 1 })],
    free: [Get("free"), SkipRateLimit()],
  });
  try {
    const { fields } = await get(port, {});
    assert.equal(fields["ratelimit-policy"], '"short";q=2;w=3600, "long";q=100;w=86400');
    assert.equal(fields.ratelimit, '"short";r=1;t=1800');
    await get(port, {});
    const { status, body } = await get(port, {});
    assert.deepEqual([status, JSON.parse(body)["violated-policies"]], [429, ["short"]]);
    assert.deepEqual(told, [1, 0, 0]);
    assert.equal((await get(port, {}, "/own")).fields["ratelimit-policy"], `"${policies[1]}";q=1;w=3600`);
    assert.equal((await get(port, {}, "/own")).status, 429);
    assert.equal((await get(port, {}, "/free")).fields["ratelimit-policy"], undefined);
    assert.equal(told.length, 5);
  } finally {
    await close();
  }
  for (const limits of [{}, { short: named.short, other: "fixed-window:1/1s" }, { both: "token-bucket:2/1h+3/1d" }]) {
    assert.throws(() => new RateLimitGuard(sender, "api", limits), RangeError);
  }
}));

test("nest: contexts that are not HTTP's", () => withClient(CLIENTS[0], async ({ sender }) => {
  const context = (type, of = decorated(Controller(), { hello: [Get()] })) => ({
    getType: () => type, getHandler: () => of.prototype.hello, getClass: () => of, getArgs: () => [],
  });
  const free = decorated(Controller(), { hello: [SkipRateLimit()] });
  const written = {};
  const request = { headers: {}, socket: { remoteAddress: "198.51.100.7" } };
  const response = { setHeader: (name, value) => void (written[name] = value) };
  for (const type of ["graphql", "ws", "rpc"]) {
    const policy = subject();
    // The decorator is asked first.
    assert.equal(await new RateLimitGuard(sender, policy, TWO, PATIENT).canActivate(context(type, free)), true);
    const lost = { name: "TypeError", message: `requestOf must find the request of a context that is not HTTP's: ${type}` };
    await assert.rejects(new RateLimitGuard(sender, policy, TWO, PATIENT).canActivate(context(type)), lost);
    await assert.rejects(new RateLimitGuard(sender, policy, TWO, { ...PATIENT, requestOf: () => undefined }).canActivate(context(type)), lost);
    const guard = new RateLimitGuard(sender, policy, TWO, { ...PATIENT, requestOf: () => ({ request: { ...request }, response }) });
    assert.equal(await guard.canActivate(context(type)), true);
    assert.match(written.RateLimit, /;r=1;/);
    const quiet = new RateLimitGuard(sender, policy, TWO, { ...PATIENT, requestOf: () => ({ request: { ...request } }) });
    assert.equal(await quiet.canActivate(context(type)), true);
    await assert.rejects(quiet.canActivate(context(type)), (error) => error instanceof HttpException && error.getStatus() === 429);
  }
  assert.throws(() => new RateLimitGuard(sender, "api", TWO, { requestOf: "req" }), /^TypeError: requestOf must be a function/);
}));

test("nest: the guard's plan, and routes with a limit or with plans of their own", () => withClient(CLIENTS[0], async ({ sender }) => {
  const policies = [subject(), subject(), subject()];
  const heard = [];
  const options = { ...PATIENT, plan: ({ headers }) => headers["x-plan"], onOutcome: ({ policy }) => heard.push(policy) };
  const [port, close] = await nest([[sender, policies[0], { free: "fixed-window:1/1h", paid: "token-bucket:5/1h" }, options]], undefined, {
    hello: [Get()],
    one: [Get("one"), RateLimit(policies[1], "fixed-window:3/1h")],
    plans: [Get("plans"), RateLimit(policies[2], { free: "fixed-window:2/1h", paid: "token-bucket:7/1h" })],
  });
  try {
    for (const [path, plan, quota] of [["/", "free", 1], ["/", "paid", 5], ["/one", "paid", 3], ["/plans", "free", 2], ["/plans", "paid", 7]]) {
      const { status, fields } = await get(port, { "X-Plan": plan }, path);
      assert.equal(status, 200);
      assert.match(fields["ratelimit-policy"], new RegExp(`;q=${quota};`));
    }
    assert.deepEqual(heard, [0, 0, 1, 2, 2].map((at) => policies[at]));
  } finally {
    await close();
  }
  const wrong = [
    ["fixed-window:0/1h"], ["leaky-bucket:1/1s"], [{ free: TWO, paid: "token" }], [TWO, { plan: () => "free" }], [TWO, { onUnavailable: "alow" }],
  ];
  for (const each of wrong) assert.throws(() => RateLimit("api", ...each), /must/);
}));

/** An application behind express-rate-limit. */
async function withStore({ port, username, password, client = CLIENTS[0], ...stored }, options, body) {
  await withClient(client, async ({ sender }) => {
    const store = new WindowStore(sender, subject(), { ...PATIENT, ...stored });
    const told = { windowMs: 3_600_000, limit: 2, standardHeaders: "draft-7", logger: QUIET, ...options, store };
    const app = express().use(expressRateLimit(told));
    app.get("/", (request, response) => response.status(Number(request.headers["x-status"] ?? 200)).end());
    const [own, close] = await listening(app.use((error, _request, response, _next) => response.status(error.status ?? 500).end()));
    try {
      await body((headers = {}) => get(own, headers), store);
    } finally {
      await close();
    }
  }, { port, username, password, awaited: username === undefined });
}

const QUIET = { error() {}, warn() {} };

for (const window of ["fixed", "sliding"]) {
  test(`express-rate-limit: a ${window} window`, () => withStore({ window }, {}, async (request, store) => {
    const first = await request();
    assert.match(first.fields.ratelimit, window === "fixed" ? /^limit=2, remaining=1, reset=3600$/ : /^limit=2, remaining=1, reset=7200$/);
    assert.deepEqual(await statuses(request, 2), [200, 429]);
    assert.equal((await store.get("127.0.0.1")).totalHits, 3);
    await store.resetKey("127.0.0.1");
    assert.deepEqual(await statuses(request, 3), [200, 200, 429]);
  }));
}

test("express-rate-limit: what failed is taken back, also a denial, and a limit that is a function", () =>
  withStore({}, { skipFailedRequests: true, limit: ({ headers }) => Number(headers["x-limit"] ?? 2) }, async (request, store) => {
    const used = async (hits) => {
      // Taken back after the answer.
      while ((await store.get("127.0.0.1")).totalHits !== hits);
    };
    assert.equal((await request({ "x-status": "500" })).status, 500);
    await used(0);
    assert.deepEqual(await statuses(request, 2), [200, 200]);
    for (let time = 0; time < 3; time++) {
      assert.equal((await request()).status, 429);
      await used(2);
    }
    assert.equal((await request({ "x-limit": "3" })).status, 200);
  }));

test("express-rate-limit: in an outage", async () => {
  for (const [onUnavailable, status] of [["allow", 200], ["deny", 503], ["throw", 503]]) {
    for (const [fault, end, client, port] of FAULTS.slice(0, 1)) {
      await withStore({ ...SHORT, port, onUnavailable, client }, {}, async (request) => {
        serversDo(fault);
        try {
          assert.deepEqual(await statuses(request, 3), [status, status, status]);
        } finally {
          serversDo(end);
        }
        while ((await request()).status !== 429);
      });
    }
    for (const client of CLIENTS) {
      await withStore({ client, port: REDIS, username: "nobody", password: "wrong", onUnavailable }, {}, async (request) => {
        assert.deepEqual(await statuses(request, 2), [503, 503]);
      });
    }
  }
});

test("express-rate-limit: what is set up wrong lets nobody through", async () => {
  for (const wrong of [{ passOnStoreError: true }, { windowMs: 0.0001 }, { windowMs: Infinity, passOnStoreError: true }]) {
    await withStore({}, wrong, async (request) => assert.deepEqual(await statuses(request, 2), [429, 429]));
  }
  await withClient(CLIENTS[0], async ({ sender }) => {
    assert.throws(() => new WindowStore(sender, "api", { window: "tumbling" }), RangeError);
    assert.throws(() => new WindowStore(sender, "GET /"), RangeError);
  });
});

test("a CORS layer outside of a limit", () => withClient(CLIENTS[0], async ({ sender }) => {
  const options = { origin: "https://app.example", exposedHeaders: ["RateLimit", "RateLimit-Policy", "Retry-After"] };
  const origin = { Origin: "https://app.example" };
  const preflight = { ...origin, "Access-Control-Request-Method": "GET" };
  const webs = {
    express: (limit) => listening(express().use(cors(options), ofExpress.rateLimit(...limit)).get("/", hello)),
    fastify: async ([sender, policy, limit, others]) => {
      const app = fastify();
      await app.register(fastifyCors, options);
      await app.register(ofFastify.rateLimitPlugin, { sender, policy, limit, ...others });
      return fastifyListening(app.get("/", async () => "Hello"));
    },
    nest: (limit) => nest([limit], undefined, undefined, (app) => app.enableCors(options)),
  };
  for (const [name, serve] of Object.entries(webs)) {
    const [port, close] = await serve([sender, subject(), TWO, PATIENT]);
    try {
      const asked = () => get(port, preflight, "/", "OPTIONS");
      assert.deepEqual(await statuses(asked, 3), [204, 204, 204], name);
      assert.deepEqual(await statuses(() => get(port, origin), 2), [200, 200], name);
      const { status, fields } = await get(port, origin);
      assert.deepEqual([status, fields["access-control-allow-origin"]], [429, "https://app.example"], name);
      assert.match(fields["access-control-expose-headers"], /Retry-After/);
      assert.ok(fields["retry-after"]);
      assert.deepEqual(await statuses(asked, 1), [204], name);
    } finally {
      await close();
    }
  }
}));

test("the README's", async (t) => {
  const [example, ofFastify] = readFileSync("README.md", "utf8").split("## Limits of requests")[1].split("```js\n").slice(1)
    .map((part) => part.split("```")[0]);
  const file = pathToFileURL(`${process.cwd()}/examples/${PREFIX}.mjs`);
  const policies = (text) => text.replaceAll('"address"', `"${PREFIX}-address"`).replaceAll('"exports"', `"${PREFIX}-exports"`);
  const onServer = example.replace("createClient()", `createClient({ socket: { port: ${REDIS} } })`);
  const onFastify = ofFastify.replace("{ rateLimit, rateLimitPlugin }", "{ rateLimit as hook, rateLimitPlugin }")
    .replaceAll(" rateLimit(", " hook(").replaceAll("app.", "other.");
  const begins = 'import fastify from "fastify";\nconst other = fastify();\n';
  writeFileSync(file, policies(`${begins}${onServer}${onFastify}export { app, other, redis };\n`));
  const { app, other, redis } = await import(file);
  t.after(() => (rmSync(file), redis.destroy()));
  const [port, close] = await listening(app);
  assert.match((await get(port, {}, "/")).fields.ratelimit, /^"t.*-address";r=/);
  assert.deepEqual(await statuses(() => get(port, { "x-api-key": "one" }, "/export"), 11), [...Array(10).fill(200), 429]);
  close();
  const [another, end] = await fastifyListening(other);
  const answers = await statuses(() => get(another, {}, "/export"), 11);
  assert.deepEqual(answers, [...Array(10).fill(200), 429]);
  await end();
});

test("behind a Unix socket", () => withClient(CLIENTS[0], async ({ sender }) => {
  const decided = async (exempt, connection, ...forwarded) => {
    const limit = new RequestLimit(sender, subject(), TWO, { ...PATIENT, trustedProxies: ["unix"], exempt });
    return (await limit.decide({}, connection, forwarded)).decision?.allowed;
  };
  assert.equal(await decided(["unix"], undefined), undefined);
  assert.equal(await decided(["10.0.0.0/8"], undefined, "10.0.0.1"), undefined);
  assert.equal(await decided(["unix"], undefined, "198.51.100.1"), true);
  assert.equal(await decided(["unix"], "unix"), true);
  assert.equal(await decided(["10.0.0.0/8"], undefined), true);
}));

const OTHER = { policy: "tenants", limit: TWO, keyGenerator: () => "acme" };

test("plans as they are written", async () => {
  const made = (limit, options) => new RequestLimit(memorySender(), "api", limit, options);
  const policyOf = async (limit) => (await limit.decide({}, "192.0.2.1")).fields["RateLimit-Policy"];
  for (const { name, plans, limits, says = "limit" } of vectors("requests", "plans_as_written")) {
    if (limits === null) {
      const right = (error) => (error instanceof RangeError || error instanceof TypeError) && error.message.includes(says);
      assert.throws(() => made(plans, { plan: () => "free" }), right, name);
      continue;
    }
    for (const [plan, limit] of Object.entries(limits)) {
      const found = await policyOf(made(plans, { plan: () => plan || undefined }));
      assert.equal(found, limit === null ? undefined : await policyOf(made(limit)), `${name}: ${plan}`);
    }
  }
});

test("mistakes are told at the start", () => withClient("node-redis", async ({ sender }) => {
  const mistakes = [
    ["leaky-bucket:1/1s", {}, /^limit must not make callers wait/],
    [{ free: TWO }, {}, /^plan must be given/],
    [TWO, { plan: throwing }, /^plan must be given/],
    [{}, { plan: throwing }, /^plan must be given/],
    [{ free: "none" }, { plan: throwing }, /^the plan "free" must not be "none"/],
    ["none", {}, /^limit must not be "none"/],
    ["unlimited", {}, /a limit must begin with/],
    [TWO, { limitOf: TWO }, /^limitOf must be a function/],
    [TWO, { also: "tenants" }, /^also's keyGenerator must be a function/],
    [TWO, { also: { ...OTHER, policy: "api" } }, /^also must be another policy/],
    [TWO, { also: { ...OTHER, policy: "a b" } }, /^policy must/],
    [TWO, { also: { ...OTHER, limit: "leaky-bucket:1/1s" } }, /^limit must not make callers wait/],
    [TWO, { also: { ...OTHER, cost: 0 } }, /^cost must be an integer/],
    [TWO, { also: { ...OTHER, plan: throwing } }, /^plan must be given/],
    [TWO, { chargeWhen: "401" }, /^chargeWhen must be "status"/],
    [TWO, { chargeWhen: 401 }, /^chargeWhen must be "status"/],
    ["interval-bucket:1/1s", { chargeWhen: "status 401" }, /^limit does not support reserve/],
    [TWO, { chargeWhen: "status 401", onOutcome() {} }, /^onOutcome must not be given with also or chargeWhen/],
    [TWO, { also: OTHER, rememberDenialsMs: 1 }, /^rememberDenialsMs must not be given with also or chargeWhen/],
    [TWO, { onEvent() {} }, /^onEvent must only be given with also or chargeWhen/],
    [TWO, { onDenied: 402 }, /^onDenied must be a function/],
    [TWO, { cost: 0 }, /^cost must be an integer/],
    [TWO, { keyGenerator: "ip" }, /^keyGenerator must be a function/],
    [TWO, { skip: true }, /^skip must be a function/],
    [TWO, { exempt: ["all"] }, /^exempt must be/],
    [TWO, { trustedProxies: "10.0.0.1" }, /^trustedProxies must be an array/],
    [TWO, { trustedProxies: ["0.0.0.0/0"] }, /^trustedProxies must be/],
    [TWO, { dryRun: "false" }, /^dryRun must be true or false/],
    [TWO, { onUnavailable: "alow" }, /^onUnavailable must be/],
    [TWO, { standardHeaders: "draft-8" }, /^form must be/],
    ["fixed-window:2", {}, /./],
    [undefined, {}, /./],
  ];
  for (const [limit, options, message] of mistakes) {
    assert.throws(() => new RequestLimit(sender, "api", limit, options), { message }, JSON.stringify([limit, options]));
  }
  assert.ok(new RequestLimit(sender, "api", tokenBucket(1, 1, 1000)));
}));
