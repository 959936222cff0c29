// What a request says about its caller: requests.json, which all languages replay.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLimit } from "penstock-redis";
import { Networks, addressOf, addressSubject, costOf, headerSubject, strictest } from "penstock-redis/requests";
import { vectors } from "./servers.mjs";

const { addresses, wrong_networks: wrong, headers, costs, plans } = vectors("requests");

test("addresses", () => {
  assert.ok(addresses.length > 50);
  for (const { name, connection, forwarded, proxies, subject } of addresses) {
    const found = addressOf(connection, forwarded, new Networks("trustedProxies", proxies));
    assert.equal(addressSubject(found), subject, name);
  }
});

test("wrong networks", () => {
  for (const text of wrong) {
    const must = { name: "RangeError", message: /^trustedProxies must be addresses/ };
    assert.throws(() => new Networks("trustedProxies", ["192.0.2.1", text]), must, text);
  }
});

test("headers", () => {
  for (const { value, subject } of headers) assert.equal(headerSubject(value), subject);
  for (const nothing of ["", undefined]) assert.equal(headerSubject(nothing), undefined);
});

test("costs", () => costs.forEach(({ given, charged }) => assert.equal(costOf(given), charged, String(given))));

test("the strictest plan", () => {
  for (const { name, plans: limits, strictest: expected } of plans) {
    const entries = Object.entries(limits).map(([plan, limit]) => [plan, parseLimit(limit)]);
    for (const order of [entries, [...entries].reverse()]) assert.equal(strictest(new Map(order)), expected, name);
  }
});
