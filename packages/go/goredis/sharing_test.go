package goredis_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

var many = penstock.FixedWindow(1_000_000_000, time.Hour)

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

// Returns what callers get who make calls until the steps are done. Before each step, and after the last, they make 200 calls more.
func meanwhile(made *penstock.RateLimiter, patience time.Duration, subject string, callers int, steps ...func()) (outcomes []penstock.Outcome) {
	var all sync.WaitGroup
	var mutex sync.Mutex
	var done atomic.Bool
	calls := make(chan struct{})
	for range callers {
		all.Add(1)
		go func() {
			defer all.Done()
			for !done.Load() {
				outcome := together(made, patience, subject, 1, 1, 1)[0]
				mutex.Lock()
				outcomes = append(outcomes, outcome)
				mutex.Unlock()
				select {
				case calls <- struct{}{}:
				default:
				}
			}
		}()
	}
	for _, step := range append(steps, func() { done.Store(true) }) {
		for range 200 {
			<-calls
		}
		step()
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

// The server, or the node of the subject.
func nodeOf(t *testing.T, client redis.UniversalClient, subject string) redis.UniversalClient {
	cluster, ok := client.(*redis.ClusterClient)
	if !ok {
		return client
	}
	node, err := cluster.MasterForKey(context.Background(), key(t, "api", subject))
	must(t, err)
	return node
}

func TestC1TripsAreFewerAndCanBeSwitchedOff(t *testing.T) {
	for _, name := range names {
		client := connect(t, name, "REDIS")
		connected(t, client, random())
		var counts []int
		for _, shared := range []bool{true, false} {
			made, subject := limiterOf(client, window, penstock.WithSharedTrips(shared)), random()
			node := nodeOf(t, client, subject)
			before := scriptsRun(t, node)
			check(t, name+" granted", eachOnce(t, together(made, time.Minute, subject, 64, 15, 1), 1000, 1), 960)
			counts = append(counts, scriptsRun(t, node)-before)
			check(t, name+" remaining", remaining(made.Peek(context.Background(), subject)), "40")
		}
		check(t, fmt.Sprint(name, " commands ", counts), counts[0] < 700 && counts[1] >= 960, true)
	}
}

func TestC4AServerThatForgetsTheScript(t *testing.T) {
	for _, name := range names {
		client, subject := connect(t, name, "REDIS"), random()
		node := nodeOf(t, client, subject)
		done, flushed := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(flushed)
			for {
				select {
				case <-done:
					return
				default:
					node.ScriptFlush(context.Background())
				}
			}
		}()
		outcomes := together(limiterOf(client, window), time.Minute, subject, 32, 20, 1)
		close(done)
		<-flushed
		check(t, name+" granted", eachOnce(t, outcomes, 1000, 1), 640)
		check(t, name+" remaining", remaining(limiterOf(client, window).Peek(context.Background(), subject)), "360")
	}
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

func TestC4ATripThatMeetsAFaultChargesEachCallAtMostOnce(t *testing.T) {
	const callers = 12
	for _, name := range names {
		client := connect(t, name, "REDIS")
		if single, ok := client.(*redis.Client); ok {
			options := *single.Options()
			options.Addr = "127.0.0.1:" + setting("PROXY")
			client = redis.NewClient(&options)
			defer client.Close()
		}
		for _, fault := range strings.Split(serversDo(t, "", "faults"), "\n") {
			if strings.Contains(fault, "MOVED") && name != "ClusterClient" {
				continue
			}
			for _, units := range []int64{5, 1000} {
				limit := penstock.FixedWindow(units, time.Hour)
				made := limiterOf(client, limit, penstock.OnOverload(penstock.Fail))
				connected(t, client, random())
				patience := time.Minute
				if strings.Contains(fault, "late") {
					patience = time.Second
				}
				serversDo(t, "", "trip", fault)
				var subject, met string
				var outcomes []penstock.Outcome
				for met == "" {
					subject = random()
					outcomes = together(made, patience, subject, callers, 1, 1)
					met = serversDo(t, "", "tripped")
				}
				if strings.Contains(fault, "late") {
					serversDo(t, "", "release")
				}
				var trip, maybe, refused, charged, failed int
				_, err := fmt.Sscan(met, &trip, &maybe, &refused)
				must(t, err)
				granted := map[int64]bool{}
				allowed := 0
				for _, outcome := range outcomes {
					switch {
					case outcome.Err != nil && penstock.ProvesNotRun(outcome.Err):
						failed++
					case outcome.Err != nil:
						failed++
						charged++
					case outcome.Decision.Allowed():
						allowed++
						granted[outcome.Decision.Remaining] = true
					}
				}
				what := fmt.Sprint(name, ", ", fault, ", trip of ", trip, ": ", all(outcomes))
				check(t, what, fmt.Sprint(charged, failed), fmt.Sprint(maybe, maybe+refused))
				decision, err := limiterOf(connect(t, name, "REDIS"), limit).Peek(context.Background(), subject)
				must(t, err)
				used := int(units - decision.Remaining)
				check(t, fmt.Sprint(what, " used ", used), len(granted) == allowed && allowed <= used && used <= allowed+maybe, true)
				if maybe == 0 {
					check(t, what, allowed, min(int(units), callers-refused))
				}
			}
		}
	}
}

// A limiter that lets calls through where it has no decision, and counts those that may have been charged.
func counting(client goredis.Client, mayBe *atomic.Int64) *penstock.RateLimiter {
	return limiterOf(client, many, penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Allow),
		penstock.OnOutcome(func(_, _ string, outcome penstock.Outcome) {
			if outcome.Err != nil && !penstock.ProvesNotRun(outcome.Err) {
				mayBe.Add(1)
			}
		}))
}

// Checks that a call was charged if the server decided it, and otherwise at most once.
func chargedAtMostOnce(t *testing.T, subject string, outcomes []penstock.Outcome, mayBe int64) {
	t.Helper()
	enforced, open := int64(0), 0
	for _, outcome := range outcomes {
		must(t, outcome.Err)
		if outcome.Decision.Undecided {
			open++
		} else {
			enforced++
		}
	}
	decision, err := limiterOf(connect(t, "ClusterClient", "CLUSTER"), many).Peek(context.Background(), subject)
	must(t, err)
	charged := decision.Limit - decision.Remaining
	check(t, fmt.Sprint("enforced ", enforced, " charged ", charged, " may be charged ", mayBe, " open ", open),
		enforced <= charged && charged <= enforced+mayBe && enforced >= 100 && open > 0, true)
}

func TestC4ANodeThatIsLostChargesAtMostOnce(t *testing.T) {
	subject := random()
	client, loses := losingAnswers(t, key(t, "api", subject))
	var mayBe atomic.Int64
	lose := func() { loses.Store(true) }
	down := func() { serversDo(t, "", "down") }
	up := func() { serversDo(t, "", "up") }
	outcomes := meanwhile(counting(client, &mayBe), time.Minute, subject, 32, lose, lose, lose, lose, lose)
	chargedAtMostOnce(t, subject, outcomes, mayBe.Load())
	outcomes = append(outcomes, meanwhile(counting(client, &mayBe), time.Second, subject, 32, lose, down, up, lose, down, up)...)
	chargedAtMostOnce(t, subject, outcomes, mayBe.Load())
}

func TestC4ASlotThatMovesWhileCallsShareTrips(t *testing.T) {
	ctx, client, subject := context.Background(), connect(t, "ClusterClient", "CLUSTER").(*redis.ClusterClient), random()
	made, name := limiterOf(client, many), key(t, "api", subject)
	from, err := client.MasterForKey(ctx, name)
	must(t, err)
	slot := from.ClusterKeySlot(ctx, name).Val()
	var to *redis.Client
	var others []*redis.Client
	var mutex sync.Mutex
	must(t, client.ForEachMaster(ctx, func(_ context.Context, master *redis.Client) error {
		mutex.Lock()
		defer mutex.Unlock()
		if master != from {
			to, others = master, append(others, master)
		}
		return nil
	}))
	ids := map[*redis.Client]any{}
	for _, node := range []*redis.Client{from, to} {
		ids[node], err = node.Do(ctx, "CLUSTER", "MYID").Result()
		must(t, err)
	}
	ask := func() {
		must(t, to.Do(ctx, "CLUSTER", "SETSLOT", slot, "IMPORTING", ids[from]).Err())
		must(t, from.Do(ctx, "CLUSTER", "SETSLOT", slot, "MIGRATING", ids[to]).Err())
	}
	migrate := func() {
		host, port, _ := net.SplitHostPort(to.Options().Addr)
		must(t, from.Migrate(ctx, host, port, name, 0, time.Minute).Err())
	}
	move := func() {
		for _, node := range append([]*redis.Client{to, from}, others...) {
			must(t, node.Do(ctx, "CLUSTER", "SETSLOT", slot, "NODE", ids[to]).Err())
		}
	}
	before := scriptsRun(t, from) + scriptsRun(t, to)
	outcomes := meanwhile(made, time.Minute, subject, 32, ask, migrate, move)
	commands := scriptsRun(t, from) + scriptsRun(t, to) - before
	check(t, "granted", eachOnce(t, outcomes, 1_000_000_000, 1), len(outcomes))
	check(t, "remaining", remaining(made.Peek(ctx, subject)), strconv.Itoa(1_000_000_000-len(outcomes)))
	check(t, fmt.Sprint("commands ", commands, " for calls ", len(outcomes)), commands < len(outcomes)*3/4, true)
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
