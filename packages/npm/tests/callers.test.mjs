// What a request says about its caller: requests.json, which all languages replay.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLimit } from "penstock-redis";
import { Networks, addressOf, addressSubject, costOf, headerSubject, statusesOf, strictest, subjectOf } from "penstock-redis/requests";
import { vectors } from "./vectors.mjs";

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

test("subjects", () => {
  for (const { given, subject } of vectors("requests", "subjects")) assert.equal(subjectOf(given), subject ?? undefined, String(given));
  const hex = (name) => ({ _bsontype: name, toHexString: () => "65a1b2c3d4e5f60718293a4b" });
  for (const id of ["ObjectId", "ObjectID", "Binary"].map(hex)) assert.equal(subjectOf(id), "65a1b2c3d4e5f60718293a4b");
  assert.equal(subjectOf(2n ** 70n), String(2n ** 70n));
  assert.deepEqual(subjectOf(Buffer.from("user")), Buffer.from("user"));
  const fails = () => {
    throw new Error("no id");
  };
  const broken = { _bsontype: "ObjectId", toHexString: fails };
  const wrong = [1.5, 2 ** 53, NaN, Symbol("user"), "\ud83d", Buffer.from([255]), new Date(), { toHexString: () => "a" }, broken];
  for (const each of wrong) assert.equal(subjectOf(each), undefined);
});

test("costs", () => {
  for (const { given, charged } of vectors("requests", "costs")) assert.equal(costOf(given), charged, String(given));
});

test("the responses that are charged", () => {
  for (const { text, charged, free } of vectors("requests", "charge_when")) {
    if (charged === null) {
      assert.throws(() => statusesOf(text), { name: "RangeError", message: /^chargeWhen must be "status"/ }, text);
    } else {
      const statuses = statusesOf(text);
      assert.deepEqual([...charged, ...free].filter((status) => statuses.test(String(status))), charged, text);
    }
  }
});

test("the strictest plan", () => {
  for (const { name, plans: limits, strictest: expected } of vectors("requests", "plans")) {
    const entries = Object.entries(limits).map(([plan, limit]) => [plan, parseLimit(limit)]);
    for (const order of [entries, [...entries].reverse()]) assert.equal(strictest(new Map(order)), expected, name);
  }
});
