package goredis_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

var classes = map[string]error{
	"outage": penstock.ErrNoDecision, "misconfigured": penstock.ErrMisconfigured, "overloaded": penstock.ErrOverloaded, "unknown": penstock.ErrUnknown,
}

// The error is of this class and of no other one, and its text has these words.
func is(t *testing.T, err error, class, words string) {
	t.Helper()
	for name, each := range classes {
		if errors.Is(err, each) != (name == class) {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if !strings.Contains(err.Error(), words) {
		t.Fatal(err)
	}
}

func acquire(made *penstock.RateLimiter, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_, err := made.Acquire(ctx, random())
	return err
}

// The first error of another class than an outage: a connection may be cut before its last words are read.
func told(made *penstock.RateLimiter) (err error) {
	for tries := 0; tries < 100 && (err == nil || errors.Is(err, penstock.ErrNoDecision)); tries++ {
		err = acquire(made, time.Minute)
	}
	return err
}

// Makes calls until it is known that the servers answer: until then a late call is no outage.
func asked(t *testing.T, client redis.UniversalClient) {
	t.Helper()
	servers := 1
	if _, ok := client.(*redis.ClusterClient); ok {
		servers = 3
	}
	known := make(chan struct{}, 10)
	made := limiterOf(client, window, penstock.OnVerdict(func(change penstock.VerdictChange) {
		if change.Verdict == "up" && change.Server != "cluster" {
			known <- struct{}{}
		}
	}))
	for servers > 0 {
		must(t, acquire(made, time.Minute))
		select {
		case <-known:
			servers--
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Sends a command to the single server and to every node of the cluster.
func everywhere(t *testing.T, words ...any) {
	t.Helper()
	for _, port := range append(strings.Fields(setting("NODES")), setting("REDIS")) {
		admin := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + port})
		must(t, admin.Do(context.Background(), words...).Err())
		_ = admin.Close()
	}
}

func signedIn(t *testing.T, name, user, password string) redis.UniversalClient {
	var client redis.UniversalClient
	if name == "ClusterClient" {
		client = redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:" + setting("CLUSTER")}, Username: user, Password: password})
	} else {
		client = redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), Username: user, Password: password})
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestAPasswordThatIsChangedIsMisconfigured(t *testing.T) {
	user := "u" + random()
	grant := func() { everywhere(t, "ACL", "SETUSER", user, "reset", "on", ">right", "~*", "+@all") }
	defer everywhere(t, "ACL", "DELUSER", user)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			grant()
			running := limiterOf(signedIn(t, name, user, "right"), window)
			must(t, acquire(running, time.Minute))
			everywhere(t, "ACL", "SETUSER", user, "resetpass", ">other")
			everywhere(t, "CLIENT", "KILL", "USER", user)
			is(t, told(running), "misconfigured", "WRONGPASS")
			grant()
			must(t, acquire(running, time.Minute))
		})
	}
}

func TestWhatIsSetUpWrong(t *testing.T) {
	addr := "127.0.0.1:" + setting("REDIS")
	wrong := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{addr}})
	is(t, acquire(limiterOf(wrong, window), time.Minute), "misconfigured", "cluster support disabled")
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	other := redis.NewClient(&redis.Options{Addr: web.Listener.Addr().String()})
	is(t, told(limiterOf(other, window, penstock.OnUnavailable(penstock.Allow))), "unknown", "HTTP/1.1 400")
	var none *redis.Client
	for _, refused := range []goredis.Client{none, nil} {
		_, err := goredis.New(refused, "api", window)
		check(t, "nil", err.Error(), "client must not be nil")
	}
	_, err := goredis.New(redis.NewUniversalClient(&redis.UniversalOptions{Addrs: []string{addr}}), "GET /orders", window)
	check(t, "policy", strings.HasPrefix(err.Error(), "policy must match [A-Za-z0-9._-]{1,64}, such as api"), true)
	_, err = goredis.New(redis.NewRing(&redis.RingOptions{Addrs: map[string]string{"a": addr}}), "api", window)
	check(t, "Ring", strings.HasPrefix(err.Error(), "client must not be a *redis.Ring"), true)
}

func TestAnAddressThatIsNoneIsSetUpWrong(t *testing.T) {
	port := setting("REDIS")
	for addr, words := range map[string]string{
		"127.0.0.1": "missing port", "redis://127.0.0.1:" + port: "too many colons", "127.0.0.1:70000": "invalid port", "127.0.0.1:x": "unknown port",
	} {
		client := redis.NewClient(&redis.Options{Addr: addr, DialerRetries: 1})
		is(t, acquire(limiterOf(client, window, penstock.OnUnavailable(penstock.Allow)), time.Minute), "misconfigured", words)
	}
	client := redis.NewClient(&redis.Options{Network: "tpc", Addr: "127.0.0.1:" + port, DialerRetries: 1})
	is(t, acquire(limiterOf(client, window, penstock.OnUnavailable(penstock.Allow)), time.Minute), "misconfigured", "unknown network tpc")
}

func TestATimeOutWithoutAUnitIsRefused(t *testing.T) {
	addr := "127.0.0.1:" + setting("REDIS")
	for words, client := range map[string]goredis.Client{
		"DialTimeout":  redis.NewClient(&redis.Options{Addr: addr, DialTimeout: 5}),
		"ReadTimeout":  redis.NewClient(&redis.Options{Addr: addr, ReadTimeout: 999_999}),
		"WriteTimeout": redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{addr}, WriteTimeout: 3}),
	} {
		_, err := goredis.New(client, "api", window)
		check(t, words, err != nil && strings.HasPrefix(err.Error(), words+" of client must be at least 1 millisecond: "), true)
	}
	_, err := goredis.New(redis.NewClient(&redis.Options{Addr: addr, ReadTimeout: -1, WriteTimeout: -2, DialTimeout: time.Millisecond}), "api", window)
	must(t, err)
}

// Reads no byte more than it must, so that what a client has sent beyond that resets its connection.
type sparing struct{ net.Conn }

func (s sparing) Read(bytes []byte) (int, error) { return s.Conn.Read(bytes[:1]) }

func TestAClientsCertificateThatIsRefused(t *testing.T) {
	made := httptest.NewUnstartedServer(nil)
	made.StartTLS()
	defer made.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	server := &tls.Config{ClientAuth: tls.RequireAnyClientCert, Certificates: made.TLS.Certificates}
	go func() {
		for {
			accepted, err := listener.Accept()
			if err != nil {
				return
			}
			_ = tls.Server(sparing{accepted}, server).Handshake()
			_ = accepted.Close()
		}
	}()
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		options := &redis.Options{
			Addr: listener.Addr().String(), TLSConfig: &tls.Config{InsecureSkipVerify: true, MaxVersion: version}, DialerRetries: 1,
		}
		dial := redis.NewDialer(options)
		options.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
			connection, err := dial(ctx, network, addr)
			// The server's refusal mostly comes before the client has written anything.
			time.Sleep(50 * time.Millisecond)
			return connection, err
		}
		client := redis.NewClient(options)
		defer client.Close()
		for range 3 {
			is(t, told(limiterOf(client, window, penstock.OnUnavailable(penstock.Allow))), "misconfigured", "remote error: tls: ")
		}
	}
}

func TestWhoGivesUpIsNoOutage(t *testing.T) {
	choices := []penstock.Option{penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Fail)}
	made := limiterOf(connect(t, "Client", "REDIS"), window, choices...)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	decision, err := made.Acquire(gone, random())
	is(t, err, "overloaded", "nothing was charged: context canceled")
	check(t, "denied", decision.Allowed(), false)
	check(t, "not charged", penstock.ProvesNotRun(err) && errors.Is(err, context.Canceled) && errors.Is(err, penstock.ErrNoVerdict), true)
	for _, outcome := range made.AcquireAll(gone, []string{random(), random()}) {
		is(t, outcome.Err, "overloaded", "nothing was charged: context canceled")
	}
	llm := reservations(t, connect(t, "Client", "REDIS"), time.Hour, choices...)
	_, err = llm.Reserve(gone, random(), budget.Reserve(1))
	is(t, err, "overloaded", "nothing was charged: context canceled")
}

func TestAReplicaIsAnOutageForTenSeconds(t *testing.T) {
	admin, client := connect(t, "Client", "REDIS"), connect(t, "Client", "PROXY")
	made := limiterOf(client, window)
	late, err := goredis.New(client, "late", window, penstock.WithPrefix(prefix), penstock.OnOverload(penstock.Fail))
	must(t, err)
	must(t, admin.SlaveOf(context.Background(), "127.0.0.1", "1").Err())
	defer admin.SlaveOf(context.Background(), "NO", "ONE")
	begun := time.Now()
	err = acquire(made, time.Minute)
	is(t, err, "outage", "READONLY")
	for errors.Is(err, penstock.ErrNoDecision) {
		time.Sleep(100 * time.Millisecond)
		err = acquire(made, time.Minute)
	}
	is(t, err, "misconfigured", "READONLY")
	check(t, "ten seconds", time.Since(begun) >= 10*time.Second, true)
	// A call whose answer is held back is no outage either.
	ended := make(chan error, 1)
	go func() { ended <- acquire(late, time.Second) }()
	for len(ended) == 0 {
		is(t, acquire(made, time.Minute), "misconfigured", "READONLY")
		time.Sleep(10 * time.Millisecond)
	}
	is(t, <-ended, "overloaded", "")
	must(t, admin.SlaveOf(context.Background(), "NO", "ONE").Err())
	must(t, acquire(made, time.Minute))
}

func TestAPoolThatIsFull(t *testing.T) {
	// A pool of one connection, whose calls, but no checks, a proxy holds back: a call waits for it until the pool or its context ends that.
	for _, pool := range []bool{true, false} {
		patience, poolTimeout, words := time.Minute, 2*time.Second, "connection pool timeout"
		if !pool {
			patience, poolTimeout, words = poolTimeout, patience, "context deadline exceeded"
		}
		small := redis.NewClient(&redis.Options{
			Addr: "127.0.0.1:" + setting("PROXY"), PoolSize: 1, PoolTimeout: poolTimeout, ReadTimeout: time.Minute, MaxRetries: -1,
		})
		defer small.Close()
		serversDo(t, window.Script().Source, "load")
		asked(t, small)
		made, err := goredis.New(small, "slow", window, penstock.WithPrefix(prefix), penstock.OnOverload(penstock.Fail))
		must(t, err)
		reply := make(chan error, 1)
		go func() { reply <- acquire(made, time.Minute) }()
		serversDo(t, "", "held")
		err = acquire(made, patience)
		is(t, err, "overloaded", words)
		check(t, "a verdict", errors.Is(err, penstock.ErrNoVerdict) || !penstock.ProvesNotRun(err), false)
		serversDo(t, "", "release")
		must(t, <-reply)
	}
}

// What limiters that allow make of so many calls at once: how many of each.
func atOnce(client goredis.Client, calls int, patience time.Duration) map[string]int {
	options := []penstock.Option{penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Fail)}
	made, who := limiterOf(client, penstock.FixedWindow(100, time.Hour), options...), random()
	outcomes := make(chan string, calls)
	for range calls {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			decision, err := made.Acquire(ctx, who)
			switch {
			case errors.Is(err, penstock.ErrMisconfigured):
				outcomes <- "misconfigured"
			case errors.Is(err, penstock.ErrOverloaded):
				outcomes <- "overloaded"
			case err != nil:
				outcomes <- err.Error()
			case decision.Undecided:
				outcomes <- fmt.Sprintf("undecided, allowed %v", decision.Allowed())
			default:
				outcomes <- fmt.Sprintf("allowed %v", decision.Allowed())
			}
		}()
	}
	counts := map[string]int{}
	for range calls {
		counts[<-outcomes]++
	}
	return counts
}

// Many more calls than connections: those that are not refused are late before there is a verdict, or misconfigured by it.
func refused(t *testing.T, client goredis.Client) {
	t.Helper()
	counts := opensNothing(t, func() map[string]int { return atOnce(client, 3_000, 200*time.Millisecond) })
	check(t, fmt.Sprint(counts), counts["misconfigured"]+counts["overloaded"], 3_000)
}

func TestAWrongPasswordIsNoOutageForThoseWhoWait(t *testing.T) {
	for _, ends := range []bool{false, true} {
		addr, cluster := "127.0.0.1:"+setting("REDIS"), "127.0.0.1:"+setting("CLUSTER")
		for _, client := range []redis.UniversalClient{
			redis.NewClient(&redis.Options{Addr: addr, Username: "nobody", Password: "wrong", PoolSize: 1, ContextTimeoutEnabled: ends}),
			redis.NewClusterClient(&redis.ClusterOptions{
				Addrs: []string{cluster}, Username: "nobody", Password: "wrong", PoolSize: 1, ContextTimeoutEnabled: ends,
			}),
		} {
			refused(t, client)
			must(t, client.Close())
		}
	}
}

func TestAPasswordThatIsChangedWhileManyWait(t *testing.T) {
	ctx, admin, user := context.Background(), connect(t, "Client", "REDIS"), "u"+random()
	must(t, admin.Do(ctx, "ACL", "SETUSER", user, "on", ">one", "~*", "+@all").Err())
	defer admin.Do(ctx, "ACL", "DELUSER", user)
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), Username: user, Password: "one", PoolSize: 1})
	defer client.Close()
	allows := limiterOf(client, window, penstock.OnUnavailable(penstock.Allow))
	must(t, acquire(allows, time.Minute))
	must(t, admin.Do(ctx, "ACL", "SETUSER", user, "resetpass", ">two").Err())
	must(t, admin.Do(ctx, "CLIENT", "KILL", "USER", user).Err())
	// This one finds its connection closed.
	_ = acquire(allows, time.Minute)
	refused(t, client)
	must(t, admin.Do(ctx, "ACL", "SETUSER", user, "resetpass", ">one").Err())
	must(t, acquire(allows, time.Minute))
}

func TestAFloodIsAnOutageOnlyWhereTheServerIsSilent(t *testing.T) {
	for _, ends := range []bool{false, true} {
		var client *redis.Client
		for _, known := range []bool{false, true} {
			client = redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), PoolSize: 2, ContextTimeoutEnabled: ends})
			if known {
				asked(t, client)
			}
			counts := opensNothing(t, func() map[string]int { return atOnce(client, 10_000, 50*time.Millisecond) })
			check(t, fmt.Sprint(counts), counts["allowed true"]+counts["allowed false"]+counts["overloaded"], 10_000)
		}
		func() {
			serversDo(t, "", "stop")
			defer serversDo(t, "", "cont")
			for atOnce(client, 1, 100*time.Millisecond)["undecided, allowed true"] == 0 {
			}
			counts := atOnce(client, 10_000, 50*time.Millisecond)
			check(t, fmt.Sprint(counts), counts["undecided, allowed true"], 10_000)
		}()
		for stats := client.PoolStats(); stats.TotalConns > stats.IdleConns; stats = client.PoolStats() {
			time.Sleep(time.Millisecond)
		}
		must(t, client.Close())
	}
}

func TestACallWhoseTimeIsOverIsNoOutage(t *testing.T) {
	allows := limiterOf(connect(t, "Client", "REDIS"), window, penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Fail))
	is(t, acquire(allows, time.Nanosecond), "overloaded", "context deadline exceeded")
}

func TestACallThatIsNotWrittenInTimeIsNeverCharged(t *testing.T) {
	for _, batch := range []bool{false, true} {
		client, who := connect(t, "Client", "REDIS").(*redis.Client), random()
		made := limiterOf(client, window, penstock.OnOverload(penstock.Fail))
		var outcomes []penstock.Outcome
		func() {
			// The connection's handshake is not answered.
			serversDo(t, "", "stop")
			defer serversDo(t, "", "cont")
			ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
			defer cancel()
			if batch {
				outcomes = made.AcquireAll(ctx, []string{who, who})
			} else {
				decision, err := made.Acquire(ctx, who)
				outcomes = []penstock.Outcome{{Decision: decision, Err: err}}
			}
		}()
		for _, outcome := range outcomes {
			// An outage, if the connection for the question was attempted meanwhile.
			check(t, fmt.Sprint(outcome.Err), errors.Is(outcome.Err, context.DeadlineExceeded) && penstock.ProvesNotRun(outcome.Err), true)
		}
		// Older clients write what was given up after all, and its connection is free then; newer ones give up the connection.
		for stats := client.PoolStats(); stats.IdleConns == 0 && stats.TotalConns > 0; stats = client.PoolStats() {
			time.Sleep(time.Millisecond)
		}
		check(t, "not charged", used(t, "Client", "api", who), 0)
		must(t, made.AcquireAll(context.Background(), []string{who})[0].Err)
		check(t, "charged", used(t, "Client", "api", who), 1)
	}
}

func TestAHandshakeThatIsNotAnswered(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer silent.Close()
	for addr, config := range map[string]*tls.Config{
		silent.Addr().String():          nil,
		"127.0.0.1:" + setting("REDIS"): {InsecureSkipVerify: true},
	} {
		client := redis.NewClient(&redis.Options{Addr: addr, TLSConfig: config, ReadTimeout: time.Second, DialTimeout: time.Second})
		defer client.Close()
		made := limiterOf(client, window, penstock.OnOverload(penstock.Fail))
		err := acquire(made, 300*time.Millisecond)
		for errors.Is(err, penstock.ErrNoVerdict) {
			err = acquire(made, 300*time.Millisecond)
		}
		is(t, err, "outage", "was not sent")
		is(t, acquire(made, time.Minute), "outage", "was not sent")
	}
}

func TestAConnectionEndsWithTheContextOfItsCall(t *testing.T) {
	ends := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), ContextTimeoutEnabled: true, MaxRetries: -1})
	asked(t, ends)
	serversDo(t, "", "stop")
	defer serversDo(t, "", "cont")
	is(t, acquire(limiterOf(ends, window), 300*time.Millisecond), "outage", "")
	// As the README says, the connection ends with the call's context; its goroutine may need a moment more.
	for ends.PoolStats().TotalConns > 0 {
		time.Sleep(time.Millisecond)
	}
	must(t, ends.Close())
}

func TestTheDefaultsAndNoChoice(t *testing.T) {
	ctx, client := context.Background(), connect(t, "Client", "REDIS")
	must(t, client.ConfigSet(ctx, "maxmemory", "1").Err())
	defer client.ConfigSet(ctx, "maxmemory", "0")
	denied, err := limiterOf(client, window, penstock.OnUnavailable(penstock.Allow)).Acquire(ctx, random())
	must(t, err)
	check(t, "denied by default", denied, penstock.Decision{Limit: 1000, WaitMicros: 1_000_000, Tier: 1, Undecided: true})
	_, err = goredis.New(client, "api", window, penstock.OnUnavailable(3))
	check(t, "no choice", err.Error(), "choice must be Fail, Allow or Deny: 3")
}

func TestAClosedClientIsNoOutage(t *testing.T) {
	for _, name := range names {
		client := connect(t, name, "REDIS")
		allows := limiterOf(client, window, penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Allow))
		must(t, acquire(allows, time.Minute))
		must(t, client.Close())
		is(t, acquire(allows, time.Minute), "misconfigured", "redis: client is closed")
	}
}

func TestEveryOutcomeIsTold(t *testing.T) {
	var told []string
	tell := penstock.OnOutcome(func(policy, subject string, outcome penstock.Outcome) {
		told = append(told, fmt.Sprint(policy, " ", subject, " ", outcome.Decision.Allowed(), outcome.Decision.Remembered, errors.Is(outcome.Err, penstock.ErrNoDecision)))
	})
	memory, err := penstock.NewDenialMemory(time.Minute, 100)
	must(t, err)
	ctx, who := context.Background(), random()
	made := limiterOf(connect(t, "Client", "REDIS"), penstock.FixedWindow(1, time.Hour), tell, penstock.RememberDenials(memory))
	for range 2 {
		_, err = made.Acquire(ctx, who)
		must(t, err)
	}
	for len(told) < 1000 && !strings.HasSuffix(told[len(told)-1], "true false") {
		check(t, "denied", made.AcquireAll(ctx, []string{who})[0].Decision.Allowed(), false)
	}
	check(t, "by the server", strings.Join(told[:2], ", "), fmt.Sprintf("api %s true false false, api %s false false false", who, who))
	check(t, "by memory", told[len(told)-1], "api "+who+" false true false")
	told = nil
	nobody := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	defer nobody.Close()
	allowing := limiterOf(nobody, window, tell, penstock.OnUnavailable(penstock.Allow))
	must(t, acquire(allowing, time.Minute))
	_, err = allowing.Peek(ctx, "b")
	is(t, err, "outage", "refused")
	check(t, "allowed in an outage", strings.HasSuffix(told[0], " true false true") && strings.HasPrefix(told[1], "api b false false true"), true)
}

func TestAnAnswerThatCameWhileTheProcessStoodStillCounts(t *testing.T) {
	client := connect(t, "Client", "REDIS")
	made := limiterOf(client, penstock.FixedWindow(1, time.Hour))
	asked(t, client)
	serversDo(t, "", "stop")
	ended := make(chan error, 1)
	go func() { ended <- acquire(made, 2*time.Second) }()
	// It is sent while this goes on: the server is let go and this process stopped until its deadline is long over.
	still := `until ps -o stat= -p $PPID | grep -q T; do sleep 0.1; done; "$@"; sleep 3; kill -CONT $PPID`
	wakes := exec.Command("sh", "-c", still, "sh", "python3", setting("TESTBED"), "cont")
	must(t, wakes.Start())
	time.Sleep(200 * time.Millisecond)
	must(t, syscall.Kill(os.Getpid(), syscall.SIGSTOP))
	must(t, wakes.Wait())
	must(t, <-ended)
}

func TestAReplyThatIsNil(t *testing.T) {
	client, source := connect(t, "Client", "REDIS"), "return false"
	sha1, err := client.ScriptLoad(context.Background(), source).Result()
	must(t, err)
	script := &penstock.Script{Name: "nil", SHA1: sha1, Marker: "z", Tier: []string{"limit"}, Most: []int64{1}, Source: source}
	allows := penstock.OnUnavailable(penstock.Allow)
	is(t, acquire(limiterOf(client, penstock.NewLimit(script, []int64{1}), allows), time.Minute), "unknown", "the reply must be six integers of the protocol: <nil>")
}

func TestTheReadmesExampleServesInAnOutageOnly(t *testing.T) {
	status := func(client *redis.Client) int {
		t.Helper()
		handler, err := limited(http.NotFoundHandler(), client)
		must(t, err)
		return requested(handler, random())
	}
	running := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS")})
	defer running.Close()
	check(t, "served", status(running), http.StatusNotFound)
	asked(t, running)
	serversDo(t, "", "stop")
	// Longer than the whole client waits by its own time-outs is nobody held up.
	stopped := status(running)
	serversDo(t, "", "cont")
	check(t, "served without an answer", stopped, http.StatusNotFound)
	for range 20 {
		wrong := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), Username: "nobody", Password: "wrong"})
		code := status(wrong)
		_ = wrong.Close()
		// A machine that stalls may let the deadline pass.
		if code != http.StatusNotFound {
			check(t, "a wrong password", code, http.StatusServiceUnavailable)
			return
		}
	}
	t.Fatal("a wrong password was always served")
}

// A connection that is cut when it has an answer, other than an error, to what was sent for a key, if it is told to lose the next one.
type losing struct {
	net.Conn
	key   string
	isKey bool
	loses *atomic.Bool
}

func (c *losing) Write(octets []byte) (int, error) {
	c.isKey = strings.Contains(string(octets), c.key)
	return c.Conn.Write(octets)
}

func (c *losing) Read(octets []byte) (int, error) {
	n, err := c.Conn.Read(octets)
	if c.isKey && n > 0 && octets[0] != '-' && c.loses.CompareAndSwap(true, false) {
		_ = c.Close()
		return 0, io.EOF
	}
	return n, err
}

// A client of the cluster, and what tells it to lose the next answer to what is sent for a key.
func losingAnswers(t *testing.T, key string) (*redis.ClusterClient, *atomic.Bool) {
	var loses atomic.Bool
	client := redis.NewClusterClient(&redis.ClusterOptions{
		Addrs: []string{"127.0.0.1:" + setting("CLUSTER")}, ReadTimeout: time.Minute,
		Dialer: func(_ context.Context, network, addr string) (net.Conn, error) {
			made, err := net.Dial(network, addr)
			return &losing{Conn: made, key: key, loses: &loses}, err
		},
	})
	t.Cleanup(func() { _ = client.Close() })
	return client, &loses
}

func TestRedirectedCallsWhoseAnswersAreLostMayHaveBeenCharged(t *testing.T) {
	for _, redirect := range []string{"move", "ask"} {
		t.Run(redirect, func(t *testing.T) {
			who := random()
			client, loses := losingAnswers(t, key(t, "api", who))
			serversDo(t, window.Script().Source, "load")
			connected(t, client, random())
			serversDo(t, "", redirect, key(t, "api", who))
			if redirect == "ask" {
				defer serversDo(t, "", "move", key(t, "api", who))
			}
			loses.Store(true)
			for _, outcome := range limiterOf(client, window).AcquireAll(context.Background(), []string{who, who}) {
				unproven(t, outcome.Err)
			}
			awaitUsed(t, "charges", "ClusterClient", "api", who, 2)
		})
	}
}
