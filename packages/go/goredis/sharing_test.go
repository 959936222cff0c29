package goredis_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/redis/go-redis/v9"
)

// Returns what so many callers get who make their calls one after the other.
func together(made *penstock.RateLimiter, patience time.Duration, subject string, callers, calls int, cost int64) []penstock.Outcome {
	outcomes := make([]penstock.Outcome, callers*calls)
	var all sync.WaitGroup
	for caller := range callers {
		all.Add(1)
		go func() {
			defer all.Done()
			for call := range calls {
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				decision, err := made.AcquireN(ctx, subject, cost)
				cancel()
				outcomes[caller*calls+call] = penstock.Outcome{Decision: decision, Err: err}
			}
		}()
	}
	all.Wait()
	return outcomes
}

// Checks that each number of remaining units was told once, from most down.
func eachOnce(t *testing.T, outcomes []penstock.Outcome, most, cost int64) (granted int) {
	t.Helper()
	var told []int64
	for _, outcome := range outcomes {
		must(t, outcome.Err)
		if outcome.Decision.Allowed() {
			check(t, "granted", outcome.Decision.Granted, 1)
			check(t, "wait", outcome.Decision.WaitMicros, 0)
			told = append(told, outcome.Decision.Remaining)
		}
	}
	slices.Sort(told)
	for at, remaining := range told {
		check(t, fmt.Sprint("remaining units, as number ", at), remaining, most-cost*int64(len(told)-at))
	}
	return len(told)
}

func TestC3EachCallGetsWhatItWouldGetAlone(t *testing.T) {
	for _, name := range names {
		for _, form := range forms() {
			client := connect(t, name, "REDIS")
			limit := penstock.TokenBucket(400, 1, 30*24*time.Hour).And(penstock.TokenBucket(10_000, 10_000, 30*24*time.Hour))
			made := limiter(t, client, "api", limit, form == "FCALL")
			if form == "FCALL" {
				must(t, made.LoadFunctions(context.Background()))
			}
			outcomes := together(made, time.Minute, random(), 40, 15, 3)
			check(t, name+" granted", eachOnce(t, outcomes, 400, 3), 133)
			for _, outcome := range outcomes {
				if decision := outcome.Decision; !decision.Allowed() {
					check(t, "remaining", decision.Remaining, 1)
					check(t, "tier", decision.Tier, 1)
					if wait := decision.RetryAfter(); wait <= 59*24*time.Hour || wait > 60*24*time.Hour {
						t.Fatal(wait)
					}
				}
			}
		}
	}
}

func TestC1TripsAreFewerAndCanBeSwitchedOff(t *testing.T) {
	client := connect(t, "Client", "REDIS")
	connected(t, client, random())
	var counts []int
	for _, shared := range []bool{true, false} {
		made := limiterOf(client, window, penstock.WithSharedTrips(shared))
		before := scriptsRun(t, client)
		check(t, "granted", eachOnce(t, together(made, time.Minute, random(), 64, 15, 1), 1000, 1), 960)
		counts = append(counts, scriptsRun(t, client)-before)
	}
	check(t, fmt.Sprint("commands ", counts), counts[0] < 700 && counts[1] >= 960, true)
}

func TestC4AServerThatForgetsTheScript(t *testing.T) {
	client, subject := connect(t, "Client", "REDIS"), random()
	done, flushed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(flushed)
		for {
			select {
			case <-done:
				return
			default:
				client.ScriptFlush(context.Background())
			}
		}
	}()
	outcomes := together(limiterOf(client, window), time.Minute, subject, 32, 20, 1)
	close(done)
	<-flushed
	check(t, "granted", eachOnce(t, outcomes, 1000, 1), 640)
}

func TestC4AnswersThatAreCutOffAreChargedAtMostOnce(t *testing.T) {
	proxy := newForgetful(t)
	client := redis.NewClient(&redis.Options{Addr: proxy.Addr().String(), ContextTimeoutEnabled: true})
	defer client.Close()
	var mayBe atomic.Int64
	made := limiterOf(client, window, penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Allow),
		penstock.OnOutcome(func(_, _ string, outcome penstock.Outcome) {
			if outcome.Err != nil && !penstock.ProvesNotRun(outcome.Err) {
				mayBe.Add(1)
			}
		}))
	subject, enforced, open := random(), 0, 0
	for range 5 {
		proxy.forget()
		cut := time.AfterFunc(2*time.Millisecond, proxy.end)
		for _, outcome := range together(made, time.Second, subject, 25, 4, 1) {
			must(t, outcome.Err)
			if outcome.Decision.Undecided {
				open++
			} else {
				enforced++
			}
		}
		cut.Stop()
	}
	for _, outcome := range together(made, time.Second, subject, 25, 4, 1) {
		if !outcome.Decision.Undecided {
			enforced++
		}
	}
	decision, err := limiterOf(connect(t, "Client", "REDIS"), window).Peek(context.Background(), subject)
	must(t, err)
	charged := int(decision.Limit - decision.Remaining)
	check(t, fmt.Sprint("enforced, charged, may be charged, open ", enforced, charged, mayBe.Load(), open),
		enforced <= charged && charged <= enforced+int(mayBe.Load()) && enforced >= 100 && open > 0, true)
}

func TestC5ACallThatIsCancelledLeavesItsUnitToTheNext(t *testing.T) {
	client, subject := connect(t, "Client", "REDIS"), random()
	made := limiterOf(client, penstock.TokenBucket(100, 1, 24*time.Hour))
	connected(t, client, random())
	var all sync.WaitGroup
	var allowed, cancelled atomic.Int64
	for at := range 200 {
		ctx, cancel := context.WithCancel(context.Background())
		all.Add(1)
		go func() {
			defer all.Done()
			defer cancel()
			switch decision, err := made.Acquire(ctx, subject); {
			case errors.Is(err, context.Canceled):
				cancelled.Add(1)
			case err != nil:
				t.Error(err)
			case decision.Allowed():
				allowed.Add(1)
			}
		}()
		if at%2 == 1 {
			cancel()
		}
	}
	all.Wait()
	decision, err := made.Peek(context.Background(), subject)
	must(t, err)
	// A cancelled call that was sent may have been charged, if none came after it.
	check(t, fmt.Sprint("remaining ", decision.Remaining, " allowed ", allowed.Load(), " cancelled ", cancelled.Load()),
		decision.Remaining <= 100-allowed.Load() && allowed.Load() >= 98, true)
}

func TestC4AnErrorIsThatOfEachCall(t *testing.T) {
	ctx, client, subject := context.Background(), connect(t, "Client", "REDIS"), random()
	must(t, client.LPush(ctx, key(t, "api", subject), "of another type").Err())
	for _, outcome := range together(limiter(t, client, "api", window, false), time.Minute, subject, 30, 1, 1) {
		check(t, fmt.Sprint(outcome.Err), strings.Contains(fmt.Sprint(outcome.Err), "WRONGTYPE"), true)
	}
}

func TestC4ATripCountsOnceForTheCircuitBreaker(t *testing.T) {
	client := connect(t, "Client", "REDIS")
	asked(t, client)
	breaker, err := penstock.NewCircuitBreaker(time.Hour)
	must(t, err)
	made := limiterOf(client, window, penstock.WithCircuitBreaker(breaker), penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Allow))
	bursts, subject := 0, random()
	serversDo(t, "", "stop")
	defer serversDo(t, "", "cont")
	for ; bursts < 8 && !breaker.Open(); bursts++ {
		together(made, 100*time.Millisecond, subject, 20, 1, 1)
	}
	check(t, fmt.Sprint("bursts ", bursts), breaker.Open() && bursts > 1, true)
	for _, outcome := range together(made, time.Minute, subject, 20, 1, 1) {
		must(t, outcome.Err)
		check(t, "undecided", outcome.Decision.Undecided && outcome.Decision.Allowed(), true)
	}
}
