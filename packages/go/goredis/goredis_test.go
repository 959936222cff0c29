// Runs on a server, a cluster, and proxies that lose answers.
package goredis_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

var (
	prefix = "t" + random()
	window = penstock.FixedWindow(1000, time.Hour)
	names  = []string{"Client", "ClusterClient"}
)

// Runs the tests on what packages/test started, or else by packages/testbed.py, which starts the redis-server of the PATH.
func TestMain(m *testing.M) {
	if reason := os.Getenv("PENSTOCK_SKIP"); reason != "" {
		fmt.Println("skipped:", reason)
		return
	}
	if os.Getenv("PENSTOCK_REDIS") != "" {
		leaveClient()
		os.Exit(m.Run())
	}
	tests := exec.Command("python3", append([]string{"../../testbed.py", "run"}, os.Args...)...)
	tests.Stdout, tests.Stderr = os.Stdout, os.Stderr
	if err := tests.Run(); errors.Is(err, exec.ErrNotFound) {
		fmt.Println("skipped: python3, which starts the servers, is not on the PATH")
	} else if err != nil {
		os.Exit(1)
	}
}

func random() string {
	octets := make([]byte, 8)
	_, _ = rand.Read(octets)
	return hex.EncodeToString(octets)
}

func setting(name string) string {
	value := os.Getenv("PENSTOCK_" + name)
	if value == "" {
		panic("PENSTOCK_" + name + " is not set: packages/test and packages/testbed.py set it")
	}
	return value
}

func forms() []string {
	if setting("FUNCTIONS") == "yes" {
		return []string{"EVALSHA", "FCALL"}
	}
	return []string{"EVALSHA"}
}

func connect(t *testing.T, name, port string) redis.UniversalClient {
	addr := "127.0.0.1:" + setting(port)
	timeout := time.Minute
	if port == "PROXY" {
		// Only what a proxy is to lose is given up soon: else a machine that stalls would end a call.
		timeout = time.Second
	}
	var client redis.UniversalClient
	if name == "ClusterClient" {
		client = redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:" + setting("CLUSTER")}, ReadTimeout: timeout})
	} else {
		client = redis.NewClient(&redis.Options{Addr: addr, ReadTimeout: timeout})
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func limiter(t *testing.T, client goredis.Client, policy string, limit penstock.Limit, functions bool) *penstock.RateLimiter {
	options := []penstock.Option{penstock.WithPrefix(prefix)}
	if functions {
		options = append(options, penstock.WithFunctions())
	}
	made, err := goredis.New(client, policy, limit, options...)
	must(t, err)
	return made
}

// Reports a case of the vectors, such as reservation.sequences and 0.
func replayed(t *testing.T, cases string, at int) {
	t.Helper()
	name, ok := os.LookupEnv("PENSTOCK_REPLAYED")
	if !ok {
		return
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	_, err = fmt.Fprintf(file, "%s:%d\n", cases, at)
	must(t, err)
	must(t, file.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: %v, not %v", what, got, want)
	}
}

// The units remaining after a call, or the text of its error.
func remaining(decision penstock.Decision, err error) string {
	if err != nil {
		return err.Error()
	}
	return strconv.FormatInt(decision.Remaining, 10)
}

func all(outcomes []penstock.Outcome) string {
	var texts []string
	for _, outcome := range outcomes {
		texts = append(texts, remaining(outcome.Decision, outcome.Err))
	}
	return strings.Join(texts, " ")
}

func subjects(count int) []string {
	made := make([]string, count)
	for at := range made {
		made[at] = random()
	}
	return made
}

func key(t *testing.T, policy, subject string) string {
	made, err := penstock.Key(prefix, policy, subject, window)
	must(t, err)
	return made
}

// The units in a fixed window, read without a script.
func used(t *testing.T, name, policy, subject string) int {
	client := connect(t, name, "REDIS")
	for range 20 {
		state, err := client.Get(context.Background(), key(t, policy, subject)).Result()
		if errors.Is(err, redis.Nil) {
			return 0
		}
		if err == nil {
			_, units, _ := strings.Cut(state, ":")
			count, err := strconv.Atoi(units)
			must(t, err)
			return count
		}
	}
	t.Fatal("the count cannot be read")
	return 0
}

// Waits until so many units are used: a proxy may be slow to pass on what its client has given up.
func awaitUsed(t *testing.T, what, name, policy, subject string, want int) {
	t.Helper()
	units := used(t, name, policy, subject)
	for range 600 {
		if units == want {
			return
		}
		time.Sleep(100 * time.Millisecond)
		units = used(t, name, policy, subject)
	}
	check(t, what, units, want)
}

// Makes the connections for these subjects: a call that waits for one may end before it is sent.
func connected(t *testing.T, client goredis.Client, subjects ...string) {
	t.Helper()
	var failure error
	for range 60 {
		failure = nil
		for _, outcome := range limiterOf(client, window).AcquireAll(context.Background(), subjects) {
			failure = errors.Join(failure, outcome.Err)
		}
		if failure == nil {
			return
		}
	}
	t.Fatal(failure)
}

// Tells packages/testbed.py to do this, and returns its answer.
func serversDo(t *testing.T, said string, words ...string) string {
	t.Helper()
	control, err := net.Dial("tcp", "127.0.0.1:"+setting("CONTROL"))
	must(t, err)
	defer control.Close()
	_, err = fmt.Fprintf(control, "%s\n%s", strings.Join(words, " "), said)
	must(t, err)
	must(t, control.(*net.TCPConn).CloseWrite())
	answer, err := io.ReadAll(control)
	must(t, err)
	done, ok := strings.CutPrefix(string(answer), "done ")
	check(t, words[0], ok, true)
	return strings.TrimSpace(done)
}

func TestAllThatALimiterDoes(t *testing.T) {
	for _, name := range names {
		for _, form := range forms() {
			t.Run(name+" "+form, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				client := connect(t, name, "REDIS")
				limit := penstock.TokenBucket(10, 1, time.Hour).And(penstock.TokenBucket(20, 1, time.Hour))
				limiter := limiter(t, client, "api", limit, form == "FCALL")
				if form == "FCALL" {
					must(t, limiter.LoadFunctions(ctx))
				}
				who, other := random(), random()
				first, err := limiter.AcquireN(ctx, who, 4)
				must(t, err)
				check(t, "first", first, penstock.Decision{Granted: 1, Limit: 10, Remaining: 6, ResetMicros: 4 * 3_600_000_000, Tier: 1})
				denied, err := limiter.AcquireN(ctx, who, 7)
				must(t, err)
				check(t, "denied", denied.Allowed(), false)
				never, err := limiter.AcquireN(ctx, who, 11)
				must(t, err)
				check(t, "never", never.RetryAfter(), penstock.Never)
				check(t, "peek", remaining(limiter.Peek(ctx, who)), "6")
				check(t, "refund", remaining(limiter.Refund(ctx, who, 3)), "9")
				batch := append([]string{who, other, who, ""}, subjects(20)...)
				check(t, "batch", all(limiter.AcquireAll(ctx, batch)), "8 9 7 subject must not be empty"+strings.Repeat(" 9", 20))
				check(t, "nobody", len(limiter.AcquireAll(ctx, nil)), 0)
				each := []penstock.SubjectCost{
					{Subject: who, Cost: 2}, {Subject: other, Cost: 3}, {Subject: who, Cost: 10}, {Subject: other}, {Cost: 1}, {Subject: random(), Cost: 4},
				}
				check(t, "a cost each", all(limiter.AcquireEach(ctx, each)),
					"5 6 5 cost must be from 1 to 1000000000000: 0 subject must not be empty 6")
				check(t, "reset", remaining(limiter.Reset(ctx, who)), "10")
				some, err := limiter.AcquireUpTo(ctx, who, 64, 3)
				must(t, err)
				check(t, "three fit", some.Granted*10+some.Remaining, 31)
				none, err := limiter.AcquireUpTo(ctx, who, 64, 3)
				must(t, err)
				check(t, "none fits", none.Granted == 0 && none.RetryAfter() > 0, true)
				_, err = limiter.AcquireUpTo(ctx, who, 1e11+1, 10)
				check(t, "calls", err.Error(), "calls must be from 1 to 100000000000: 100000000001")
				check(t, "reset again", remaining(limiter.Reset(ctx, who)), "10")
				_, err = limiter.AcquireN(ctx, who, 0)
				check(t, "cost", err.Error(), "cost must be from 1 to 1000000000000: 0")
				_, err = limiter.Acquire(ctx, "")
				check(t, "subject", err.Error(), "subject must not be empty")
				key, err := penstock.Key(prefix, "api", who, limit)
				must(t, err)
				must(t, client.Set(ctx, key, "x", 0).Err())
				_, err = limiter.Acquire(ctx, who)
				check(t, "state", errors.Is(err, penstock.ErrMisconfigured) && strings.Contains(err.Error(), "ERR penstock token-bucket: state "), true)
			})
		}
	}
}

func limiterOf(client goredis.Client, limit penstock.Limit, options ...penstock.Option) *penstock.RateLimiter {
	made, err := goredis.New(client, "api", limit, append(options, penstock.WithPrefix(prefix))...)
	if err != nil {
		panic(err)
	}
	return made
}

func TestABatchHasAtMost10000Calls(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			client, who, limit := connect(t, name, "REDIS"), random(), penstock.FixedWindow(10_000, time.Hour)
			limiter := limiterOf(client, limit)
			many := slices.Repeat([]string{who}, 10_001)
			each := slices.Repeat([]penstock.SubjectCost{{Subject: who, Cost: 1}}, 10_001)
			refused := map[string][]penstock.Outcome{"subjects": limiter.AcquireAll(ctx, many), "calls": limiter.AcquireEach(ctx, each)}
			for argument, outcomes := range refused {
				check(t, argument, len(outcomes), 10_001)
				for _, outcome := range outcomes {
					check(t, argument, remaining(outcome.Decision, outcome.Err), argument+" must be at most 10000 in a batch: 10001")
				}
			}
			key, err := penstock.Key(prefix, "api", who, limit)
			must(t, err)
			keys, err := client.Exists(ctx, key).Result()
			must(t, err)
			check(t, "keys", keys, 0)
			for at, outcome := range limiter.AcquireAll(ctx, many[:10_000]) {
				must(t, outcome.Err)
				check(t, "remaining", outcome.Decision.Remaining, 9_999-int64(at))
			}
		})
	}
}

func TestFunctionsAreLoadedOnEveryMaster(t *testing.T) {
	if len(forms()) == 1 {
		t.Skip("the server has no Functions")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			limiter := limiter(t, connect(t, name, "REDIS"), "api", window, true)
			serversDo(t, "", "flush")
			_, err := limiter.Acquire(ctx, random())
			var maybe *penstock.MaybeChargedError
			check(t, "not loaded", strings.Contains(err.Error(), "Function not found") && !errors.As(err, &maybe), true)
			must(t, limiter.LoadFunctions(ctx))
			ports := []string{setting("REDIS")}
			if name == "ClusterClient" {
				ports = strings.Fields(serversDo(t, "", "masters"))
				check(t, "masters", len(ports) >= 3, true)
			}
			for _, port := range ports {
				master := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + port})
				libraries, err := master.FunctionList(ctx, redis.FunctionListQuery{LibraryNamePattern: "penstock_1"}).Result()
				must(t, err)
				check(t, "libraries on "+port, len(libraries), 1)
				_ = master.Close()
			}
			check(t, "batch", all(limiter.AcquireAll(ctx, subjects(20))), strings.TrimSpace(strings.Repeat("999 ", 20)))
		})
	}
}

func TestMovedAndAskAreFollowed(t *testing.T) {
	for _, flushed := range []bool{false, true} {
		t.Run(fmt.Sprintf("flushed %v", flushed), func(t *testing.T) {
			ctx := context.Background()
			limiter := limiterOf(connect(t, "ClusterClient", "CLUSTER"), window)
			ask := func(who string) string {
				if flushed {
					serversDo(t, "", "flush")
				}
				return remaining(limiter.Acquire(ctx, who)) + " " + all(limiter.AcquireAll(ctx, append([]string{who}, subjects(9)...)))
			}
			want := "999 998" + strings.Repeat(" 999", 9)
			ask(random())
			moved, asked := random(), random()
			serversDo(t, "", "move", key(t, "api", moved))
			check(t, "moved", ask(moved), want)
			serversDo(t, "", "ask", key(t, "api", asked))
			defer serversDo(t, "", "move", key(t, "api", asked))
			check(t, "asked", ask(asked), want)
		})
	}
}

func TestChargedOnce(t *testing.T) {
	for _, name := range names {
		for _, fault := range []string{"lost", "late"} {
			t.Run(name+" "+fault, func(t *testing.T) {
				ctx := context.Background()
				serversDo(t, window.Script().Source, "load")
				client := connect(t, name, "PROXY")
				limiter, err := goredis.New(client, fault, window, penstock.WithPrefix(prefix), penstock.OnOverload(penstock.Fail))
				must(t, err)
				who, plain := random(), random()
				connected(t, client, who)
				_, err = limiter.Acquire(ctx, who)
				unproven(t, err)
				awaitUsed(t, "charges", name, fault, who, 1)
				connected(t, client, who)
				_, err = limiter.Refund(ctx, who, 1)
				unproven(t, err)
				awaitUsed(t, "after the refund", name, fault, who, 0)
				_, err = limiter.Peek(ctx, who)
				maybe(t, err, false)
				batch := subjects(3)
				connected(t, client, batch...)
				for _, outcome := range limiter.AcquireAll(ctx, batch) {
					unproven(t, outcome.Err)
				}
				for _, each := range batch {
					awaitUsed(t, "of a batch", name, fault, each, 1)
				}
				if os.Getenv("PENSTOCK_RESULTS") == "" {
					return
				}
				command := []any{"EVALSHA", window.Script().SHA1, 1, key(t, fault, plain), 1}
				for _, arg := range window.Args() {
					command = append(command, arg)
				}
				check(t, "by default", client.Do(ctx, command...).Err() != nil, true)
				measured(t, name, fault, used(t, name, fault, plain), 1)
			})
		}
	}
}

// An error of a call that may have been charged.
func unproven(t *testing.T, err error) {
	t.Helper()
	if err == nil || penstock.ProvesNotRun(err) || !strings.Contains(err.Error(), "may have been charged") {
		t.Fatalf("this error says otherwise: %v", err)
	}
}

func maybe(t *testing.T, err error, want bool) {
	t.Helper()
	var maybe *penstock.MaybeChargedError
	if err == nil || errors.As(err, &maybe) != want {
		t.Fatalf("this error says otherwise: %v", err)
	}
}

// A row of docs/languages.md.
func measured(t *testing.T, name, fault string, byDefault, then int) {
	file, err := os.OpenFile(setting("RESULTS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	must(t, err)
	defer file.Close()
	must(t, json.NewEncoder(file).Encode(map[string]any{
		"client": "go-redis `" + name + "`", "version": redis.Version(), "fault": fault, "default": byDefault, "then": then,
	}))
}

func TestAContextEndsACall(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("PROXY"), ReadTimeout: time.Minute})
	defer client.Close()
	// The client's Close waits for its connection's answer.
	defer serversDo(t, "", "release")
	serversDo(t, window.Script().Source, "load")
	limiter, err := goredis.New(client, "late", window, penstock.WithPrefix(prefix), penstock.OnOverload(penstock.Fail))
	must(t, err)
	// The question is of another policy, whose answers no proxy holds back.
	asked(t, client)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		serversDo(t, "", "held")
	}()
	who := random()
	_, err = limiter.Acquire(ctx, who)
	check(t, "charged", penstock.ProvesNotRun(err), false)
	check(t, "the context", errors.Is(err, context.Canceled) && errors.Is(err, penstock.ErrOverloaded), true)
	_, err = limiter.Acquire(ctx, who)
	check(t, "not sent", penstock.ProvesNotRun(err) && !errors.Is(err, penstock.ErrNoDecision), true)
	awaitUsed(t, "charges", "Client", "late", who, 1)
}

func TestTwoSlotsProveThatNothingRan(t *testing.T) {
	crossed := connect(t, "ClusterClient", "CLUSTER").Do(context.Background(), "EVALSHA", window.Script().SHA1, 2, "a", "b", 1).Err()
	check(t, crossed.Error(), strings.HasPrefix(crossed.Error(), "CROSSSLOT") && penstock.ProvesNotRun(crossed), true)
}

func TestTheReadmesExample(t *testing.T) {
	example, err := os.ReadFile("example_test.go")
	must(t, err)
	readme, err := os.ReadFile("../README.md")
	must(t, err)
	_, code, _ := strings.Cut(string(example), "\n\n")
	check(t, "the README has the example", strings.Contains(string(readme), "```go\n"+code+"```"), true)
	handler, err := limited(http.NotFoundHandler(), redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS")}))
	must(t, err)
	codes := map[int]int{}
	var retryAfter string
	for requests := 0; retryAfter == "" && requests < 10_000; requests++ {
		request, answer := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		request.Header.Set("X-User", prefix)
		handler.ServeHTTP(answer, request)
		codes[answer.Code]++
		if answer.Code == http.StatusTooManyRequests {
			retryAfter = answer.Header().Get("Retry-After")
		}
	}
	check(t, "some were served and some refused", codes[404] >= 100 && codes[429] >= 1, true)
	check(t, "Retry-After", retryAfter, "1")
}

// The status that a user's request is answered.
func requested(handler http.Handler, user string) int {
	request, answer := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
	request.Header.Set("X-User", user)
	handler.ServeHTTP(answer, request)
	return answer.Code
}

func TestTheReadmesExampleWithoutItsServer(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("PROXY")})
	defer client.Close()
	handler, err := limited(http.NotFoundHandler(), client)
	must(t, err)
	status := func(user string) int { return requested(handler, user) }
	check(t, "served", status(random()), http.StatusNotFound)
	check(t, "without a user", status(""), http.StatusBadRequest)
	asked(t, client)
	serversDo(t, "", "down")
	defer serversDo(t, "", "up")
	check(t, "served without Redis", status(random()), http.StatusNotFound)
	check(t, "without a user and Redis", status(""), http.StatusBadRequest)
}
