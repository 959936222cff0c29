"""What a request says about its caller: requests.json, which all languages replay."""

import json

import pytest
from penstock_redis import parse_limit
from penstock_redis._callers import Networks, address_of, address_subject, cost_of, header_subject, strictest
from servers import VECTORS

REQUESTS = json.loads((VECTORS / "requests.json").read_text())


def named(examples):
    return pytest.mark.parametrize("example", examples, ids=[example["name"] for example in examples])


@named(REQUESTS["addresses"])
def test_addresses(example):
    address = address_of(example["connection"], example["forwarded"], Networks("trusted_proxies", example["proxies"]))
    assert address_subject(address) == example["subject"]


@pytest.mark.parametrize("text", REQUESTS["wrong_networks"])
def test_wrong_networks(text):
    with pytest.raises(ValueError, match="^trusted_proxies must be addresses"):
        Networks("trusted_proxies", ["192.0.2.1", text])


def test_headers():
    for example in REQUESTS["headers"]:
        assert header_subject(example["value"]) == example["subject"]
    assert header_subject("") is header_subject(None) is None


def test_costs():
    assert [cost_of(example["given"]) for example in REQUESTS["costs"]] == [example["charged"] for example in REQUESTS["costs"]]


@named(REQUESTS["plans"])
def test_the_strictest_plan(example):
    plans = {name: parse_limit(limit) for name, limit in example["plans"].items()}
    assert strictest(plans) == strictest(dict(reversed(plans.items()))) == example["strictest"]
