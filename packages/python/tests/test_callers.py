"""What a request says about its caller: requests.json, which all languages replay."""

import uuid
from enum import IntEnum

import pytest
from penstock_redis import parse_limit
from penstock_redis._callers import Networks, address_of, address_subject, cost_of, header_subject, statuses_of, strictest, subject_of
from servers import vectors


def requests(cases):
    return pytest.mark.parametrize("example", vectors("requests", cases))


@requests("addresses")
def test_addresses(example):
    address = address_of(example["connection"], example["forwarded"], Networks("trusted_proxies", example["proxies"]))
    assert address_subject(address) == example["subject"]


@requests("wrong_networks")
def test_wrong_networks(example):
    with pytest.raises(ValueError, match="^trusted_proxies must be addresses"):
        Networks("trusted_proxies", ["192.0.2.1", example])


@requests("headers")
def test_headers(example):
    assert header_subject(example["value"]) == example["subject"]


@requests("subjects")
def test_subjects(example):
    assert subject_of(example["given"]) == example["subject"]


def test_ids_are_subjects():
    class ObjectId:
        def __str__(self):
            return "65a1b2c3d4e5f60718293a4b"

    class Number(IntEnum):
        FIRST = 1

    ids = [uuid.UUID(int=1), ObjectId(), Number.FIRST, b"user", 2**70]
    assert list(map(subject_of, ids)) == [str(uuid.UUID(int=1)), "65a1b2c3d4e5f60718293a4b", "1", b"user", str(2**70)]
    for wrong in (1.0, b"\xff", "\ud83d", object(), 10**5000, (), 1j):
        assert subject_of(wrong) is None


@requests("charge_when")
def test_the_responses_that_are_charged(example):
    if example["charged"] is None:
        with pytest.raises(ValueError, match="^charge_when must be"):
            statuses_of(example["text"])
        return
    charged = statuses_of(example["text"])
    statuses = example["charged"] + example["free"]
    assert [status for status in statuses if charged.fullmatch(str(status))] == example["charged"]


def test_no_header():
    assert header_subject("") is header_subject(None) is None


@requests("costs")
def test_costs(example):
    assert cost_of(example["given"]) == example["charged"]


@requests("plans")
def test_the_strictest_plan(example):
    plans = {name: parse_limit(limit) for name, limit in example["plans"].items()}
    assert strictest(plans) == strictest(dict(reversed(plans.items()))) == example["strictest"]
