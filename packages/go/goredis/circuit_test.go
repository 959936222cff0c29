package goredis_test

import (
	"context"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
)

func TestF1AServerThatDoesNotAnswerIsLeftAlone(t *testing.T) {
	client := connect(t, "Client", "REDIS")
	asked(t, client)
	breaker := func(length time.Duration) *penstock.CircuitBreaker {
		made, err := penstock.NewCircuitBreaker(length)
		must(t, err)
		return made
	}
	long, short := breaker(time.Hour), breaker(10*time.Millisecond)
	var last error
	tell := penstock.OnOutcome(func(_, _ string, outcome penstock.Outcome) { last = outcome.Err })
	made := limiterOf(client, hours(1), penstock.WithCircuitBreaker(long), penstock.OnUnavailable(penstock.Allow), tell)
	healing := limiterOf(client, hours(1), penstock.WithCircuitBreaker(short), penstock.OnUnavailable(penstock.Allow))
	func() {
		serversDo(t, "", "stop")
		defer serversDo(t, "", "cont")
		for range 5 {
			check(t, "closed", long.Open(), false)
			must(t, acquire(made, 100*time.Millisecond))
			is(t, last, "outage", "deadline exceeded")
			must(t, acquire(healing, 100*time.Millisecond))
		}
		check(t, "open", long.Open() && short.Open(), true)
		// Without a deadline that could end it.
		decision, err := made.Acquire(context.Background(), random())
		must(t, err)
		check(t, "by itself", decision.Allowed() && decision.Undecided, true)
		is(t, last, "outage", "nothing was charged: the call was not sent: the circuit is open")
		check(t, "a batch", made.AcquireAll(context.Background(), []string{random()})[0].Decision.Undecided, true)
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_, err = made.Peek(ctx, random())
		is(t, err, "outage", "deadline exceeded")
	}()
	for short.Open() {
		must(t, acquire(healing, time.Minute))
	}
	who := random()
	for _, want := range []bool{true, false} {
		decision, err := healing.Acquire(context.Background(), who)
		must(t, err)
		check(t, "decided", decision.Allowed() == want && !decision.Undecided, true)
	}
	fails := limiterOf(client, hours(1), penstock.WithCircuitBreaker(long))
	is(t, acquire(fails, time.Minute), "outage", "the circuit is open")
	for _, refused := range []struct {
		name    string
		breaker *penstock.CircuitBreaker
		words   string
	}{
		{"Client", nil, "breaker must not be nil"},
		{"ClusterClient", long, "breaker must be for the client of a single server, whose Sender has OneServer() bool"},
	} {
		_, err := goredis.New(connect(t, refused.name, "REDIS"), "api", window, penstock.WithCircuitBreaker(refused.breaker))
		check(t, refused.name, err != nil && err.Error() == refused.words, true)
	}
}

func TestF1ReservationsOfAServerThatDoesNotAnswer(t *testing.T) {
	client := connect(t, "Client", "REDIS")
	breaker, err := penstock.NewCircuitBreaker(time.Hour)
	must(t, err)
	var last error
	tell := penstock.OnReservation(func(event penstock.ReservationEvent) { last = event.Err })
	fails := reservations(t, client, time.Hour, penstock.WithCircuitBreaker(breaker), tell)
	allows := reservations(t, client, time.Hour, penstock.WithCircuitBreaker(breaker), penstock.OnUnavailable(penstock.Allow), tell)
	held := reserve(t, fails, random(), budget.Reserve(1))
	asked(t, client)
	serversDo(t, "", "stop")
	defer serversDo(t, "", "cont")
	within := func(ms time.Duration, body func(context.Context)) {
		ctx, cancel := context.WithTimeout(context.Background(), ms*time.Millisecond)
		defer cancel()
		body(ctx)
	}
	for !breaker.Open() {
		within(100, func(ctx context.Context) {
			_, err = fails.Reserve(ctx, random(), budget.Reserve(1))
			is(t, err, "outage", "")
		})
	}
	// Without a deadline that could end it.
	call, err := allows.Reserve(context.Background(), random(), budget.Reserve(1))
	must(t, err)
	check(t, "by itself", call.Allowed() && call.Undecided, true)
	is(t, last, "outage", "nothing was charged: the call was not sent: the circuit is open")
	_, err = fails.Reserve(context.Background(), random(), budget.Reserve(1))
	is(t, err, "outage", "the circuit is open")
	within(300, func(ctx context.Context) {
		_, err = held.Settle(ctx, 1)
		is(t, err, "outage", "deadline exceeded")
	})
	serversDo(t, "", "cont")
	settled(t, penstock.Settled)(held.Settle(context.Background(), 1))
}
