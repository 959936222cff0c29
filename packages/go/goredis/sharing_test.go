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

func TestC6CallsOfLeakyBucketsAreNotShared(t *testing.T) {
	for _, name := range names {
		client, subject := connect(t, name, "REDIS"), random()
		connected(t, client, subject)
		made, node := limiterOf(client, penstock.LeakyBucket(1_000_000, 1_000_000, 24*time.Hour)), nodeOf(t, client, subject)
		before := scriptsRun(t, node)
		for _, outcome := range together(made, time.Minute, subject, 64, 15, 1) {
			check(t, fmt.Sprint(name, " ", outcome.Err), outcome.Decision.Allowed(), true)
		}
		check(t, name+" commands", scriptsRun(t, node)-before >= 960, true)
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
	proxy, client := throughForgetful(t)
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

// Makes calls at the same time, of another subject each time, until a trip of them has met its fault.
func meets(t *testing.T, fault string, calls func(subject string) []penstock.Outcome) (subject, met string, outcomes chan []penstock.Outcome) {
	serversDo(t, "", "trip", fault)
	outcomes = make(chan []penstock.Outcome, 1)
	for {
		subject = random()
		go func() { outcomes <- calls(subject) }()
		for isOver := false; !isOver; {
			isOver = len(outcomes) == 1
			if met = serversDo(t, "", "tripped"); met != "" {
				return subject, met, outcomes
			}
		}
		<-outcomes
	}
}

// Counts the calls that were allowed, those that failed, and those of them that may have been charged. No two were told the same unit.
func counted(t *testing.T, outcomes []penstock.Outcome) (allowed, failed, charged int) {
	t.Helper()
	told := map[int64]bool{}
	for _, outcome := range outcomes {
		switch {
		case outcome.Err != nil && penstock.ProvesNotRun(outcome.Err):
			failed++
		case outcome.Err != nil:
			failed++
			charged++
		case outcome.Decision.Allowed():
			allowed++
			told[outcome.Decision.Remaining] = true
		}
	}
	check(t, fmt.Sprint("told ", all(outcomes)), len(told), allowed)
	return allowed, failed, charged
}

func TestC4ATripThatMeetsAFaultChargesEachCallAtMostOnce(t *testing.T) {
	const callers = 24
	for _, name := range names {
		client := connect(t, name, "REDIS")
		if single, ok := client.(*redis.Client); ok {
			options := *single.Options()
			options.Addr = "127.0.0.1:" + setting("PROXY")
			client = redis.NewClient(&options)
			defer client.Close()
		}
		for _, fault := range strings.Split(serversDo(t, "", "faults"), "\n") {
			if isRedirected := strings.HasSuffix(fault, "MOVED") || strings.HasSuffix(fault, "ASK"); isRedirected && name != "ClusterClient" {
				continue
			}
			for _, units := range []int64{11, 1000} {
				limit := penstock.FixedWindow(units, time.Hour)
				made := limiterOf(client, limit, penstock.OnOverload(penstock.Fail))
				connected(t, client, random())
				patience := time.Minute
				if strings.Contains(fault, "late") {
					patience = time.Second
				}
				subject, met, ended := meets(t, fault, func(subject string) []penstock.Outcome {
					return together(made, patience, subject, callers, 1, 1)
				})
				outcomes := <-ended
				if strings.Contains(fault, "late") {
					serversDo(t, "", "release")
				}
				var trip, maybe, refused int
				_, err := fmt.Sscan(met, &trip, &maybe, &refused)
				must(t, err)
				allowed, failed, charged := counted(t, outcomes)
				what := fmt.Sprint(name, ", ", fault, ", trip of ", trip, ": ", all(outcomes))
				check(t, what, fmt.Sprint(charged, failed), fmt.Sprint(maybe, maybe+refused))
				decision, err := limiterOf(connect(t, name, "REDIS"), limit).Peek(context.Background(), subject)
				must(t, err)
				used := int(units - decision.Remaining)
				check(t, fmt.Sprint(what, " used ", used), allowed <= used && used <= allowed+maybe, true)
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
		// Other tests may have left keys in this slot.
		for _, each := range from.ClusterGetKeysInSlot(ctx, int(slot), 1_000).Val() {
			must(t, from.Migrate(ctx, host, port, each, 0, time.Minute).Err())
		}
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

// A client of the single server's proxy.
func behindProxy(t *testing.T) *redis.Client {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("PROXY"), ReadTimeout: time.Minute})
	t.Cleanup(func() { _ = client.Close() })
	connected(t, client, random())
	return client
}

func TestC5CallsThatAreCancelledAfterTheyWereSentAreChargedAtMostOnce(t *testing.T) {
	made := limiterOf(behindProxy(t), window, penstock.OnOverload(penstock.Fail))
	ctx, cancel := context.WithCancel(context.Background())
	var gone sync.WaitGroup
	subject, _, ended := meets(t, "second late", func(subject string) []penstock.Outcome {
		outcomes := make([]penstock.Outcome, 24)
		var all sync.WaitGroup
		gone.Add(len(outcomes) / 2)
		for at := range outcomes {
			all.Add(1)
			go func() {
				defer all.Done()
				of := context.Background()
				if at%2 == 1 {
					defer gone.Done()
					of = ctx
				}
				decision, err := made.Acquire(of, subject)
				outcomes[at] = penstock.Outcome{Decision: decision, Err: err}
			}()
		}
		all.Wait()
		return outcomes
	})
	cancel()
	gone.Wait()
	serversDo(t, "", "release")
	outcomes := <-ended
	allowed, failed, charged := counted(t, outcomes)
	sent := used(t, "Client", "api", subject)
	what := fmt.Sprint(allowed, " allowed, ", sent, " used, ", failed, " failed, of them ", charged, " may be charged")
	check(t, what, allowed >= 6 && allowed <= sent && sent <= allowed+charged, true)
}

// An older Close waits for the answer that is being read, so calls end by their answers or deadlines; a newer one cuts the connection.
func TestC5AClientThatIsClosedChargesEachCallOfATripAtMostOnce(t *testing.T) {
	const callers = 24
	for _, patience := range []time.Duration{time.Minute, time.Second} {
		client := behindProxy(t)
		made := limiterOf(client, window, penstock.OnOverload(penstock.Fail))
		subject, met, ended := meets(t, "first late", func(subject string) []penstock.Outcome {
			return together(made, patience, subject, callers, 1, 1)
		})
		closed := make(chan error, 1)
		go func() { closed <- client.Close() }()
		for isClosed := false; !isClosed; {
			// An older Close holds a lock while it waits, for which a command may wait with its answer: then Close has begun, too.
			pinged := make(chan error, 1)
			go func() { pinged <- client.Ping(context.Background()).Err() }()
			select {
			case err := <-pinged:
				isClosed = errors.Is(err, redis.ErrClosed)
			case <-time.After(time.Second):
				isClosed = true
			}
		}
		if patience == time.Minute {
			serversDo(t, "", "release")
		}
		outcomes := <-ended
		serversDo(t, "", "release")
		must(t, <-closed)
		var trip int
		_, err := fmt.Sscan(met, &trip)
		must(t, err)
		allowed, _, charged := counted(t, outcomes)
		sent := used(t, "Client", "api", subject)
		what := fmt.Sprint("trip ", trip, ", allowed ", allowed, ", used ", sent, ": ", all(outcomes))
		check(t, what, allowed <= sent && sent <= allowed+charged, true)
		check(t, what, charged >= trip || patience == time.Minute && allowed >= trip, true)
	}
}

func TestC4AnErrorIsThatOfEachCall(t *testing.T) {
	ctx, client, subject := context.Background(), connect(t, "Client", "REDIS"), random()
	must(t, client.LPush(ctx, key(t, "api", subject), "of another type").Err())
	for _, outcome := range together(limiter(t, client, "api", window, false), time.Minute, subject, 30, 1, 1) {
		check(t, fmt.Sprint(outcome.Err), strings.Contains(fmt.Sprint(outcome.Err), "WRONGTYPE"), true)
	}
}

func TestC4ATripCountsOnceForTheCircuitBreaker(t *testing.T) {
	client := connect(t, "Client", "PROXY")
	asked(t, client)
	breaker, err := penstock.NewCircuitBreaker(time.Hour)
	must(t, err)
	made := limiterOf(client, window, penstock.WithCircuitBreaker(breaker), penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Allow))
	for trip := 0; trip < 5; {
		_, met, outcomes := meets(t, "first lost", func(subject string) []penstock.Outcome {
			return together(made, time.Minute, subject, 24, 1, 1)
		})
		<-outcomes
		_, err := fmt.Sscan(met, &trip)
		must(t, err)
		check(t, fmt.Sprint("open after a lost trip of ", trip), breaker.Open(), false)
	}
	serversDo(t, "", "stop")
	defer serversDo(t, "", "cont")
	subject := random()
	// Those that go alone end at the deadline of the first.
	together(made, 100*time.Millisecond, subject, 20, 1, 1)
	check(t, "open", breaker.Open(), true)
	for _, outcome := range together(made, time.Minute, subject, 20, 1, 1) {
		must(t, outcome.Err)
		check(t, "undecided", outcome.Decision.Undecided && outcome.Decision.Allowed(), true)
	}
}
