"""The circuit breaker: circuit.json with a clock of the test's own, and the limiters on a real server."""

from datetime import timedelta

import penstock_redis._circuit as circuit
import pytest
from penstock_redis import CircuitBreaker, EntryLimit, ErrorMeaning, FailureKind, NoDecisionError, SettleResult
from penstock_redis._failure import Failure
from servers import vectors
from test_failures import SHORT, faulty
from test_limiter import CLUSTERS, HOUR, PATIENT, SINGLE, WINDOW, client_of, limiter_of, run, settled, subject
from test_reservations import reservations_of

LOST = [Failure(OSError(), meaning=ErrorMeaning(kind, charged=True)) for kind in (FailureKind.NOT_SENT, FailureKind.NOT_ANSWERED)]
BUDGET = EntryLimit("tpm", WINDOW)
ANSWERS = [[1, 1, 1, 0, 0, 1], Failure(OSError(), meaning=ErrorMeaning(FailureKind.OVERLOADED, charged=False))]


@pytest.mark.parametrize("sequence", vectors("circuit", "sequences"))
def test_circuit_json(sequence, monkeypatch):
    now = 0.0
    monkeypatch.setattr(circuit, "monotonic", lambda: now)
    breaker = CircuitBreaker(timedelta(microseconds=sequence["length_us"]))
    for step in sequence["steps"]:
        now = step["at_us"] / 1_000_000
        for at in range(step.get("lost", 0)):
            breaker._note(LOST[at % 2])
        for at in range(step.get("answered", 0)):
            breaker._note(ANSWERS[at % 2])
        assert [breaker._may_send() for _ in step.get("sends", ())] == step.get("sends", []), step
        assert breaker.open == step.get("open", breaker.open), step


@pytest.mark.parametrize("name", SINGLE)
def test_f1_a_server_that_does_not_answer_is_left_alone(name):
    async def body():
        client, length = client_of(name), timedelta(milliseconds=10)
        long, short = CircuitBreaker(HOUR), CircuitBreaker(length)
        assert await settled(limiter_of(client).acquire(subject()))
        hasty = limiter_of(client, timeout=SHORT, circuit_breaker=long, on_unavailable="allow")
        healing = limiter_of(client, timeout=SHORT, circuit_breaker=short, on_unavailable="allow")
        # It would wait for as long as the test may take.
        patient = limiter_of(client, timeout=PATIENT * 10, circuit_breaker=long, on_unavailable="deny")
        with faulty("stop", "cont"):
            for _ in range(5):
                assert not long.open
                for limiter in (hasty, healing):
                    assert not (await settled(limiter.acquire(subject()))).enforced
            assert long.open and short.open
            denied = await settled(patient.acquire(subject(), 5))
            assert (denied.allowed, denied.enforced, denied.limit) == (False, False, 1000)
            assert (await settled(hasty.acquire_up_to(subject(), 3, 2))).granted == 3
            batch = await settled(patient.acquire_all([subject(), "", subject()]))
            assert [type(outcome).__name__ for outcome in batch] == ["Decision", "ValueError", "Decision"] and not batch[2].enforced
            with pytest.raises(NoDecisionError, match="there is no connection: the circuit is open, since the server did not") as raised:
                await settled(limiter_of(client, circuit_breaker=long).acquire(subject()))
            assert (raised.value.kind, raised.value.charged) == (FailureKind.NOT_SENT, False)
            # Peeks and refunds are sent.
            for call in (lambda: hasty.peek(subject()), lambda: hasty.refund(subject(), 1)):
                with pytest.raises(NoDecisionError, match="^(?!.*circuit)"):
                    await settled(call())
        healing = limiter_of(client, circuit_breaker=short, on_unavailable="allow")
        while short.open:
            await settled(healing.acquire(subject()))
        assert (await settled(healing.acquire(subject()))).enforced
        # A peek's answer is one, too.
        assert long.open
        for _ in range(3):
            await settled(limiter_of(client, circuit_breaker=long).peek(subject()))
        assert not long.open

    run(body())


@pytest.mark.parametrize("name", SINGLE)
def test_f1_reservations(name):
    async def body():
        client, breaker, events = client_of(name), CircuitBreaker(HOUR), []
        hasty = reservations_of(client, timeout=SHORT, circuit_breaker=breaker, on_unavailable="allow")
        tell = {"on_event": lambda event: events.append(event.kind.value)}
        patient = reservations_of(client, timeout=PATIENT * 10, circuit_breaker=breaker, **tell)
        held = await settled(patient.reserve(subject(), BUDGET.reserve(1)))
        with faulty("stop", "cont"):
            while not breaker.open:
                assert not (await settled(hasty.reserve(subject(), BUDGET.reserve(1)))).enforced
            assert not (await settled(hasty.reserve(subject(), BUDGET.reserve(1)))).enforced
            with pytest.raises(NoDecisionError, match="the circuit is open"):
                await settled(patient.reserve(subject(), BUDGET.reserve(1)))
        # Settlements are sent, and the answers of three close it.
        for _ in range(3):
            assert breaker.open
            assert await settled(held.renew()) is SettleResult.SETTLED
        assert events == ["reserved", "undecided", "renewed", "renewed", "renewed"]
        assert not breaker.open

    run(body())


def test_what_is_no_circuit_breaker():
    for length in (timedelta(0), timedelta(milliseconds=9), timedelta(hours=2)):
        with pytest.raises(ValueError, match="^length must be from 10 milliseconds to 1 hour: "):
            CircuitBreaker(length)
    with pytest.raises(TypeError, match="^length must be a timedelta: 1"):
        CircuitBreaker(1)
    with pytest.raises(TypeError, match="^circuit_breaker must be a CircuitBreaker: datetime"):
        limiter_of(client_of("Redis"), circuit_breaker=HOUR)


@pytest.mark.parametrize("name", CLUSTERS)
def test_a_cluster_has_none(name):
    async def body():
        with pytest.raises(TypeError, match="^circuit_breaker must be for the client of a single server"):
            limiter_of(client_of(name), circuit_breaker=CircuitBreaker(HOUR))
        with pytest.raises(TypeError, match="^circuit_breaker must be for the client of a single server"):
            reservations_of(client_of(name), circuit_breaker=CircuitBreaker(HOUR))

    run(body())
