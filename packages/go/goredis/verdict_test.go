package goredis_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

// A proxy before the single server, whose connections of now can be made to pass on nothing more. It can hold answers back.
type forgetful struct {
	net.Listener
	mutex    sync.Mutex
	epoch    int
	accepted atomic.Int64
	held     atomic.Int64
	// Whether a connection is closed in place of a script's call.
	cuts   atomic.Bool
	passed []net.Conn
}

func newForgetful(t *testing.T) *forgetful {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	made := &forgetful{Listener: listener}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			made.accepted.Add(1)
			server, err := net.Dial("tcp", "127.0.0.1:"+setting("REDIS"))
			if err != nil {
				_ = client.Close()
				continue
			}
			epoch := made.now()
			made.mutex.Lock()
			made.passed = append(made.passed, client, server)
			made.mutex.Unlock()
			go made.pass(client, server, epoch, false)
			go made.pass(server, client, epoch, true)
		}
	}()
	return made
}

// Returns a client through such a proxy, whose connections end with the test before the client: else its Close waits for what is forgotten.
func throughForgetful(t *testing.T) (*forgetful, *redis.Client) {
	proxy := newForgetful(t)
	client := redis.NewClient(&redis.Options{Addr: proxy.Addr().String(), ContextTimeoutEnabled: true})
	t.Cleanup(func() {
		proxy.end()
		_ = client.Close()
	})
	return proxy, client
}

func (f *forgetful) now() int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.epoch
}

func (f *forgetful) forget() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.epoch++
}

func (f *forgetful) end() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, each := range f.passed {
		_ = each.Close()
	}
}

func (f *forgetful) pass(from, to net.Conn, epoch int, answers bool) {
	octets := make([]byte, 1<<16)
	for {
		n, err := from.Read(octets)
		if err != nil {
			_ = to.Close()
			return
		}
		if answers {
			time.Sleep(time.Duration(f.held.Load()))
		}
		if !answers && f.cuts.Load() && bytes.Contains(bytes.ToLower(octets[:n]), []byte("evalsha")) {
			_ = from.Close()
			_ = to.Close()
			return
		}
		if f.now() == epoch {
			_, _ = to.Write(octets[:n])
		} else {
			// Read on, so that the connection looks alive for good.
			_, _ = io.Copy(io.Discard, from)
			return
		}
	}
}

// Plays a burst that may allow no call without a decision. A machine on which the server does not run for P makes an outage; another burst
// shows whether it was that.
func opensNothing(t *testing.T, burst func() map[string]int) map[string]int {
	t.Helper()
	for tries := 1; ; tries++ {
		counts := burst()
		if counts["undecided, allowed true"] == 0 || tries == 3 {
			check(t, fmt.Sprint(counts), counts["undecided, allowed true"], 0)
			return counts
		}
	}
}

func TestF2ConnectionsThatAreForgottenHeal(t *testing.T) {
	proxy, client := throughForgetful(t)
	asked(t, client)
	atOnce(client, 20, time.Minute)
	proxy.forget()
	begun, attempts := time.Now(), proxy.accepted.Load()
	for streak := 0; streak < 20; {
		if counts := atOnce(client, 1, 100*time.Millisecond); counts["allowed true"] == 1 {
			streak++
		} else {
			streak = 0
		}
		check(t, "not healed within a minute", time.Since(begun) < time.Minute, true)
	}
	t.Logf("healed after %v, with %d connections", time.Since(begun), proxy.accepted.Load()-attempts)
}

func TestF2AnOutageOpensFewConnections(t *testing.T) {
	proxy, client := throughForgetful(t)
	asked(t, client)
	proxy.held.Store(int64(time.Hour))
	begun, before := time.Now(), proxy.accepted.Load()
	check(t, "opened", atOnce(client, 10, 200*time.Millisecond)["undecided, allowed true"], 10)
	for range 8 {
		check(t, "opened", atOnce(client, 5, 50*time.Millisecond)["undecided, allowed true"], 5)
	}
	// As many as calls before the question was put, and one after; those of the question are 2.5 s apart or more.
	most := 12 + int32(time.Since(begun)/(2500*time.Millisecond))
	check(t, "few connections", int32(proxy.accepted.Load()-before) <= most, true)
}

func TestF2AnAnswerThatIsHeldBackAsALostSegmentHoldsItOpensNothing(t *testing.T) {
	proxy, client := throughForgetful(t)
	asked(t, client)
	proxy.held.Store(int64(220 * time.Millisecond))
	// The 30 ms that are left until P are few on a busy machine, whose proxy is late, too.
	for tries := 1; ; tries++ {
		// Else the last answers may be younger than 100 ms.
		time.Sleep(200 * time.Millisecond)
		counts := atOnce(client, 300, 20*time.Millisecond)
		check(t, fmt.Sprint(counts), counts["overloaded"]+counts["undecided, allowed true"], 300)
		if counts["undecided, allowed true"] == 0 {
			return
		}
		check(t, fmt.Sprint(counts), tries < 20, true)
	}
}

func TestF2AProcessThatStoodStillOpensNothing(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), PoolSize: 2, ContextTimeoutEnabled: true})
	defer client.Close()
	asked(t, client)
	opensNothing(t, func() map[string]int {
		counts := make(chan map[string]int)
		// It is not let go before it stands still.
		wakes := exec.Command("sh", "-c", `until ps -o stat= -p $PPID | grep -q T; do sleep 0.1; done; sleep 2; kill -CONT $PPID`)
		must(t, wakes.Start())
		go func() { counts <- atOnce(client, 500, 50*time.Millisecond) }()
		must(t, syscall.Kill(os.Getpid(), syscall.SIGSTOP))
		found := <-counts
		must(t, wakes.Wait())
		return found
	})
}

func TestF2ASlowFirstConnectionOpensNothing(t *testing.T) {
	var server int
	for _, line := range strings.Split(connect(t, "Client", "REDIS").Info(context.Background(), "server").Val(), "\n") {
		_, _ = fmt.Sscanf(line, "process_id:%d", &server)
	}
	opensNothing(t, func() map[string]int {
		var dials atomic.Int64
		stopped, up := make(chan struct{}), make(chan bool, 100)
		options := &redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), PoolSize: 1, ContextTimeoutEnabled: true}
		dial := redis.NewDialer(options)
		options.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
			// One is that of the only call, one finds out whether the port is refused, and the third is the question's. As if a SYN was
			// lost, which is sent again after a second: nothing is heard until then. A machine that stalls needs the rest of 1.2 s.
			if dials.Add(1) == 3 {
				must(t, syscall.Kill(server, syscall.SIGSTOP))
				close(stopped)
				time.Sleep(500 * time.Millisecond)
				must(t, syscall.Kill(server, syscall.SIGCONT))
			}
			return dial(ctx, network, addr)
		}
		client := redis.NewClient(options)
		defer client.Close()
		tell := penstock.OnVerdict(func(change penstock.VerdictChange) { up <- change.Verdict == "up" })
		must(t, acquire(limiterOf(client, window, tell), time.Minute))
		<-stopped
		all := map[string]int{}
		for known := false; !known; {
			for outcome, count := range atOnce(client, 300, 5*time.Millisecond) {
				all[outcome] += count
			}
			select {
			case known = <-up:
			default:
			}
		}
		return all
	})
}

func TestF2AServerThatTakesNoMoreClientsOpensNothing(t *testing.T) {
	ctx, admin := context.Background(), connect(t, "Client", "REDIS")
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), PoolSize: 1, ContextTimeoutEnabled: true})
	defer client.Close()
	// Both have their connections, and the question is to have none.
	must(t, client.Ping(ctx).Err())
	most := admin.ConfigGet(ctx, "maxclients").Val()["maxclients"]
	must(t, admin.ConfigSet(ctx, "maxclients", "1").Err())
	defer admin.ConfigSet(ctx, "maxclients", most)
	refused := make(chan penstock.VerdictChange, 10)
	made := limiterOf(client, window, penstock.OnVerdict(func(change penstock.VerdictChange) { refused <- change }))
	for known := false; !known; {
		must(t, acquire(made, time.Minute))
		select {
		case change := <-refused:
			known = change.Verdict == "up" && change.Err != nil
			check(t, fmt.Sprint(change.Err), !known || strings.Contains(change.Err.Error(), "max number of clients"), true)
		case <-time.After(10 * time.Millisecond):
		}
	}
	answered := make(chan struct{})
	stopped := make(chan struct{})
	// Others of the pool are answered meanwhile.
	go func() {
		defer close(stopped)
		for {
			select {
			case <-answered:
				return
			default:
				_ = acquire(made, time.Minute)
			}
		}
	}()
	defer func() {
		close(answered)
		<-stopped
	}()
	opensNothing(t, func() map[string]int { return atOnce(client, 2_000, 20*time.Millisecond) })
}

func TestF2APasswordThatIsRotatedIsTriedOnceAnAttempt(t *testing.T) {
	ctx, admin, user := context.Background(), connect(t, "Client", "REDIS"), "u"+random()
	everywhere(t, "ACL", "SETUSER", user, "on", ">one", "~*", "+@all")
	defer everywhere(t, "ACL", "DELUSER", user)
	client := signedIn(t, "Client", user, "one")
	asked(t, client)
	refused := make(chan struct{}, 10)
	made := limiterOf(client, window, penstock.OnVerdict(func(change penstock.VerdictChange) {
		if change.Verdict == "up" && change.Err != nil {
			refused <- struct{}{}
		}
	}))
	everywhere(t, "ACL", "SETUSER", user, "resetpass", ">two")
	// That of the question is not the calls'.
	calls := client.ClientID(ctx).Val()
	for _, each := range strings.Split(admin.ClientList(ctx).Val(), "\n") {
		var id int64
		if n, _ := fmt.Sscanf(each, "id=%d", &id); n == 1 && id != calls && strings.Contains(each+" ", "user="+user+" ") {
			must(t, admin.ClientKillByFilter(ctx, "ID", fmt.Sprint(id)).Err())
		}
	}
	for known := false; !known; {
		must(t, acquire(made, time.Minute))
		select {
		case <-refused:
			known = true
		case <-time.After(10 * time.Millisecond):
		}
	}
	log, failed := admin.ACLLog(ctx, 100).Val(), int64(0)
	for _, each := range log {
		if each.Username == user {
			failed += each.Count
		}
	}
	check(t, "failed sign-ins", failed, int64(1))
}

func TestF2AUserWithTheRightsForScriptsOnly(t *testing.T) {
	user := "u" + random()
	everywhere(t, "ACL", "SETUSER", user, "on", ">right", "~*", "-@all", "+evalsha", "+get", "+set", "+time", "+cluster|slots", "+cluster|shards", "+command")
	defer everywhere(t, "ACL", "DELUSER", user)
	serversDo(t, window.Script().Source, "load")
	for _, name := range names {
		asked(t, signedIn(t, name, user, "right"))
	}
}

func TestF2TheQuestionIsAnswered(t *testing.T) {
	ctx, client := context.Background(), connect(t, "Client", "REDIS")
	for _, form := range forms() {
		for name, ask := range map[string]func(options ...penstock.Option){
			"limiter": func(options ...penstock.Option) {
				made := limiterOf(client, penstock.TokenBucket(5, 1, time.Hour).And(penstock.TokenBucket(9, 1, time.Hour)), options...)
				_, err := made.Acquire(ctx, random())
				must(t, err)
			},
			"reservations": func(options ...penstock.Option) {
				made := reservations(t, client, time.Hour, options...)
				reserve(t, made, random(), budget.Reserve(1), penstock.Concurrency("in-flight", 10).Reserve(1))
			},
		} {
			client = connect(t, "Client", "REDIS")
			if form == "FCALL" {
				must(t, limiter(t, client, "api", window, true).LoadFunctions(ctx))
			}
			up := make(chan struct{}, 1)
			options := []penstock.Option{penstock.OnVerdict(func(penstock.VerdictChange) { up <- struct{}{} })}
			if form == "FCALL" {
				options = append(options, penstock.WithFunctions())
			}
			ask(options...)
			before := failures(client)
			for known := false; !known; {
				ask(options[1:]...)
				select {
				case <-up:
					known = true
				case <-time.After(10 * time.Millisecond):
				}
			}
			check(t, form+" of a "+name+" fails", failures(client), before)
		}
	}
}

// How many calls of scripts the server says have failed.
func failures(client redis.UniversalClient) (failed string) {
	for _, line := range strings.Split(client.Info(context.Background(), "commandstats").Val(), "\n") {
		if strings.HasPrefix(line, "cmdstat_evalsha:") || strings.HasPrefix(line, "cmdstat_fcall:") {
			_, rest, _ := strings.Cut(line, "rejected_calls")
			failed += rest
		}
	}
	return failed
}

// Notes the keys of a client's calls and checks.
type keysHook struct {
	mutex         sync.Mutex
	calls, checks []any
}

func (*keysHook) DialHook(next redis.DialHook) redis.DialHook { return next }

func (*keysHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (k *keysHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if words := cmd.Args(); words[0] == "EVALSHA" {
			k.mutex.Lock()
			if words[4] == 0 {
				k.checks = append(k.checks, words[3])
			} else {
				k.calls = append(k.calls, words[3])
			}
			k.mutex.Unlock()
		}
		return next(ctx, cmd)
	}
}

func (k *keysHook) last() (call, check any) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.calls[len(k.calls)-1], k.checks[len(k.checks)-1]
}

func TestF2TheClientsOwnPath(t *testing.T) {
	var keys keysHook
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), ContextTimeoutEnabled: true})
	defer client.Close()
	client.AddHook(&keys)
	changes := make(chan string, 100)
	tell := penstock.OnVerdict(func(change penstock.VerdictChange) { changes <- change.Verdict })
	made, err := goredis.New(client, "api", window, penstock.WithPrefix(prefix), penstock.WithVerdictConnection(false), tell, penstock.OnOverload(penstock.Fail))
	must(t, err)
	for known := false; !known; {
		must(t, acquire(made, time.Minute))
		select {
		case change := <-changes:
			check(t, "first", change, "up")
			known = true
		case <-time.After(10 * time.Millisecond):
		}
	}
	func() {
		serversDo(t, "", "stop")
		defer serversDo(t, "", "cont")
		is(t, acquire(made, 100*time.Millisecond), "outage", "deadline exceeded")
	}()
	check(t, "then", <-changes, "silent")
	call, asked := keys.last()
	check(t, "key of the check", asked, call)
	for acquire(made, time.Minute) != nil {
	}
	check(t, "at last", <-changes, "up")
}

func TestF2ACheckThatIsLostThroughTheClientIsSilenceAndNoRefusal(t *testing.T) {
	proxy := newForgetful(t)
	client := redis.NewClient(&redis.Options{Addr: proxy.Addr().String(), MaxRetries: -1})
	defer client.Close()
	must(t, client.Ping(context.Background()).Err())
	proxy.cuts.Store(true)
	changes := make(chan string, 100)
	tell := penstock.OnVerdict(func(change penstock.VerdictChange) { changes <- change.Verdict })
	_ = acquire(limiterOf(client, window, penstock.WithVerdictConnection(false), tell), time.Minute)
	check(t, "first", <-changes, "silent")
}

func TestF2AProcessThatStartsWhileConnectionsAreRefused(t *testing.T) {
	for _, client := range []redis.UniversalClient{
		redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"}),
		redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:1", "127.0.0.1:2"}}),
	} {
		// go-redis dials for longer than this. A machine that stalls does not know it in time.
		made := limiterOf(client, window, penstock.OnOverload(penstock.Fail))
		err := acquire(made, 200*time.Millisecond)
		for errors.Is(err, penstock.ErrNoVerdict) {
			err = acquire(made, 200*time.Millisecond)
		}
		is(t, err, "outage", "nothing was charged")
		must(t, client.Close())
	}
}

func TestF2AServerThatClosesEachConnectionRefusesIt(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	client := redis.NewClient(&redis.Options{Addr: listener.Addr().String()})
	defer client.Close()
	changes := make(chan string, 100)
	made := limiterOf(client, window, penstock.OnVerdict(func(change penstock.VerdictChange) { changes <- change.Verdict }))
	_ = acquire(made, time.Minute)
	check(t, "first", <-changes, "refused")
	is(t, acquire(made, 100*time.Millisecond), "outage", "")
}

func TestF2NothingListens(t *testing.T) {
	refuses := func(err error) func(context.Context, string, string) (net.Conn, error) {
		return func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
		}
	}
	for name, each := range map[string]struct {
		options redis.Options
		says    string
	}{
		"a refused TCP connection":                 {redis.Options{Dialer: refuses(syscall.ECONNREFUSED)}, "silent"},
		"a refused TCP connection on Windows":      {redis.Options{Dialer: refuses(syscall.Errno(10061))}, "silent"},
		"a Unix socket that does not exist":        {redis.Options{Network: "unix", Addr: t.TempDir() + "/no.sock"}, "silent"},
		"a host without a route":                   {redis.Options{Dialer: refuses(syscall.EHOSTUNREACH)}, "refused"},
		"a file of the dialer that does not exist": {redis.Options{Dialer: refuses(syscall.ENOENT)}, "refused"},
	} {
		client := redis.NewClient(&each.options)
		changes := make(chan string, 100)
		made := limiterOf(client, window, penstock.OnVerdict(func(change penstock.VerdictChange) { changes <- change.Verdict }))
		_ = acquire(made, time.Minute)
		check(t, name, <-changes, each.says)
		must(t, client.Close())
	}
}

// A client that makes calls until its server is asked when the tests begin, and is closed then. The last test looks for its connection.
var (
	leftName     = "left" + random()
	leftVerdicts = make(chan string, 1_000)
)

func leaveClient() {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS"), ClientName: leftName})
	tell := penstock.OnVerdict(func(change penstock.VerdictChange) { leftVerdicts <- change.Verdict })
	made, err := goredis.New(client, "api", window, penstock.WithPrefix(prefix), tell)
	if err == nil {
		_, err = made.Acquire(context.Background(), random())
	}
	if err != nil {
		panic(err)
	}
	for <-leftVerdicts != "up" {
	}
	_ = client.Close()
}

func TestF2TheConnectionEndsAMinuteAfterTheLastCall(t *testing.T) {
	admin := connect(t, "Client", "REDIS")
	for begun := time.Now(); strings.Contains(admin.ClientList(context.Background()).Val(), "name="+leftName); time.Sleep(100 * time.Millisecond) {
		check(t, "ended", time.Since(begun) < 3*time.Minute, true)
	}
	for <-leftVerdicts != "unknown" {
	}
}
