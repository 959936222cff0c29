// What a request says about its caller: requests.json, which all languages replay.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLimit } from "penstock-redis";
import { Networks, addressOf, addressSubject, costOf, headerSubject, strictest } from "penstock-redis/requests";
import { vectors } from "./servers.mjs";

test("addresses", () => {
  for (const { name, connection, forwarded, proxies, subject } of vectors("requests", "addresses")) {
    const found = addressOf(connection, forwarded, new Networks("trustedProxies", proxies));
    assert.equal(addressSubject(found), subject, name);
  }
});

test("wrong networks", () => {
  for (const text of vectors("requests", "wrong_networks")) {
    const must = { name: "RangeError", message: /^trustedProxies must be addresses/ };
    assert.throws(() => new Networks("trustedProxies", ["192.0.2.1", text]), must, text);
  }
});

test("headers", () => {
  for (const { value, subject } of vectors("requests", "headers")) assert.equal(headerSubject(value), subject);
  for (const nothing of ["", undefined]) assert.equal(headerSubject(nothing), undefined);
});

test("costs", () => {
  for (const { given, charged } of vectors("requests", "costs")) assert.equal(costOf(given), charged, String(given));
});

test("the strictest plan", () => {
  for (const { name, plans: limits, strictest: expected } of vectors("requests", "plans")) {
    const entries = Object.entries(limits).map(([plan, limit]) => [plan, parseLimit(limit)]);
    for (const order of [entries, [...entries].reverse()]) assert.equal(strictest(new Map(order)), expected, name);
  }
});
