package goredis

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/internal/numbers"
	"github.com/penstock/penstock/packages/go/internal/verdict"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// A server that refuses a connection, because it has too many or, with TLS 1.3, because it rejects the client's certificate, sends the
// reason unprompted. The reason is lost if the client has sent data by then, so a new connection sends nothing for this long.
const alertWait = 100 * time.Millisecond

// The connections over which a node is checked.
type nodeLink struct {
	watch *watch
	node  *verdict.Node
	// The client of a cluster's node.
	master *redis.Client
	// The command that is checked.
	checked  atomic.Pointer[penstock.Command]
	readOnly verdict.ReadOnly
	mutex    sync.Mutex
	made     map[int]*asking
}

func newNodeLink(w *watch, master *redis.Client) *nodeLink {
	made := &nodeLink{watch: w, master: master, made: map[int]*asking{}}
	made.node = verdict.NewNode(processClock{}, made)
	return made
}

// Reports whether the options with which a client connects are known.
func canConnect(client Client) bool {
	switch client.(type) {
	case *redis.Client, *redis.ClusterClient:
		return true
	}
	return false
}

// Returns the client of the node; nil while a cluster's node is unknown, and for clients that are not go-redis' own.
func (l *nodeLink) client() *redis.Client {
	if l.master != nil {
		return l.master
	}
	client, _ := l.watch.client.(*redis.Client)
	return client
}

// Returns the options for a client with one connection that connects as the watched client does.
func (l *nodeLink) options() (*redis.Options, []string) {
	var made redis.Options
	var addresses []string
	if client := l.client(); client != nil {
		made = *client.Options()
	} else {
		from := l.watch.client.(*redis.ClusterClient).Options()
		addresses = from.Addrs
		source, target := reflect.ValueOf(from).Elem(), reflect.ValueOf(&made).Elem()
		for at := range target.NumField() {
			field := target.Type().Field(at)
			if value := source.FieldByName(field.Name); field.IsExported() && value.IsValid() && value.Type() == field.Type {
				target.Field(at).Set(value)
			}
		}
		made.Addr = addresses[0]
		if made.Dialer == nil {
			made.Dialer = redis.NewDialer(&made)
		}
	}
	if addresses == nil {
		addresses = []string{made.Addr}
	}
	made.Limiter, made.MaxRetries, made.DialerRetries = nil, -1, 1
	made.PoolSize, made.MinIdleConns, made.MaxIdleConns, made.MaxActiveConns = 1, 0, 0, 0
	made.ReadTimeout, made.WriteTimeout, made.ContextTimeoutEnabled = -1, -1, false
	made.ConnMaxIdleTime, made.ConnMaxLifetime = -1, -1
	made.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	for _, name := range []string{"ClientSideCache", "ClientSideCacheConfig"} {
		if field := reflect.ValueOf(&made).Elem().FieldByName(name); field.IsValid() {
			field.SetZero()
		}
	}
	return &made, addresses
}

// Checks at once whether the server is unreachable. go-redis dials several times before it returns an error, which takes longer than many
// deadlines. A TLS connection, which costs the server much more, waits for its turn.
func (l *nodeLink) knock() {
	options, addresses := l.options()
	if options.TLSConfig != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), numbers.VerdictConnecting)
	defer cancel()
	for _, address := range addresses {
		made, err := options.Dialer(ctx, cmp.Or(options.Network, "tcp"), address)
		if err == nil {
			_ = made.Close()
		}
		if err == nil || isLate(err) {
			return
		}
	}
	l.node.Hurry()
}

// A connection for the check, from the attempt to connect until it closes.
type asking struct {
	link   *nodeLink
	number int
	ctx    context.Context
	cancel context.CancelFunc
	// The check to send, and the last one sent.
	asks     chan int
	question atomic.Int64
	mutex    sync.Mutex
	conn     net.Conn
	reads    bool
	// Whether a check is in flight, and the functions that wait for the reader's next turn.
	busy, ready bool
	turns       []func()
	// The time of the last progress in opening the connection.
	step atomic.Pointer[time.Time]
}

func (l *nodeLink) Connect(number int, call any) {
	l.checked.Store(call.(*penstock.Command))
	ctx, cancel := context.WithCancel(context.Background())
	made := &asking{link: l, number: number, ctx: ctx, cancel: cancel, asks: make(chan int, 1)}
	made.does()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.made[number] = made
	if l.watch.own {
		go made.run()
	} else {
		go made.runPath()
	}
}

func (l *nodeLink) of(number int) *asking {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.made[number]
}

func (l *nodeLink) Ask(number, question int, call any) {
	l.checked.Store(call.(*penstock.Command))
	if a := l.of(number); a != nil {
		a.mutex.Lock()
		a.busy = true
		a.mutex.Unlock()
		a.asks <- question
	}
}

func (l *nodeLink) Close(number int) {
	l.mutex.Lock()
	a := l.made[number]
	delete(l.made, number)
	l.mutex.Unlock()
	if a != nil {
		a.cancel()
		a.mutex.Lock()
		defer a.mutex.Unlock()
		if a.conn != nil {
			_ = a.conn.Close()
		}
	}
}

func (l *nodeLink) Changed(before, now verdict.Verdict, lasted time.Duration) {
	server := "cluster"
	if options, ok := l.watch.client.(interface{ Options() *redis.Options }); ok {
		server = options.Options().Addr
	} else if l.master != nil {
		server = l.master.Options().Addr
	}
	verdict, was := now.Kind.String(), before.Kind.String()
	l.watch.changed(penstock.VerdictChange{Server: server, Verdict: verdict, Before: was, Lasted: lasted, Err: now.Err})
}

// Turn restarts a blocked read, so that it reads the data that has arrived on the socket.
func (l *nodeLink) Turn(number int, then func()) {
	a := l.of(number)
	if a == nil {
		go func() {
			yield()
			then()
		}()
		return
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	switch {
	case !l.watch.own:
		go then()
		return
	case !a.ready:
		go a.standsStill(then)
		return
	case !a.reads && !a.busy:
		go then()
		return
	}
	a.turns = append(a.turns, then)
	if a.reads {
		_ = a.conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// Calls the function when the connection has made no progress for P; a busy process needs a long time to connect.
func (a *asking) standsStill(then func()) {
	for {
		yield()
		rest := numbers.VerdictSilence - time.Since(*a.step.Load())
		if rest <= 0 {
			break
		}
		time.Sleep(rest)
	}
	then()
}

// Lets all runnable goroutines run, including those whose socket has data.
func yield() {
	runtime.Gosched()
	time.Sleep(time.Millisecond)
	runtime.Gosched()
}

func (a *asking) does() {
	now := time.Now()
	a.step.Store(&now)
}

// Ends the turn, and calls the functions that waited for it.
func (a *asking) turned() {
	a.mutex.Lock()
	turns := a.turns
	a.turns = nil
	a.mutex.Unlock()
	for _, then := range turns {
		then()
	}
}

func (a *asking) run() {
	options, addresses := a.link.options()
	dial, connected := options.Dialer, options.OnConnect
	options.Dialer = func(ctx context.Context, network, _ string) (net.Conn, error) {
		var failure error
		for _, address := range addresses {
			a.does()
			made, err := dial(ctx, network, address)
			a.does()
			if err == nil {
				made, err = a.listen(made)
			}
			if err == nil {
				return made, nil
			}
			failure = err
		}
		return nil, failure
	}
	options.OnConnect = func(ctx context.Context, cn *redis.Conn) error {
		if connected != nil {
			if err := connected(ctx, cn); err != nil {
				return err
			}
		}
		a.mutex.Lock()
		a.ready = true
		a.mutex.Unlock()
		a.link.node.Connected(a.number)
		return a.next()
	}
	client := redis.NewClient(options)
	defer client.Close()
	conn := client.Conn()
	defer conn.Close()
	for {
		cmd := newOnce(a.ctx, peek(*a.link.checked.Load()))
		_ = conn.Process(a.ctx, cmd)
		if err := cmd.Err(); !isAnswer(err) || !a.ready {
			a.over(err, a.ready)
			return
		}
		a.replied(cmd)
		if a.next() != nil {
			return
		}
	}
}

// Waits for a check to send, or for the end.
func (a *asking) next() error {
	select {
	case question := <-a.asks:
		a.question.Store(int64(question))
		return nil
	case <-a.ctx.Done():
		return a.ctx.Err()
	}
}

func (a *asking) replied(cmd once) {
	a.link.node.Replied(a.number, int(a.question.Load()), a.link.watch.says(cmd.Err(), true))
	a.mutex.Lock()
	a.busy = false
	a.mutex.Unlock()
	a.turned()
}

// Closes a connection that was refused or lost.
func (a *asking) over(err error, ready bool) {
	a.link.mutex.Lock()
	delete(a.link.made, a.number)
	a.link.mutex.Unlock()
	a.cancel()
	says := a.link.watch.says(err, true)
	switch {
	case ready && a.link.watch.own:
		a.link.node.Cut(a.number, verdict.Verdict{Kind: verdict.Full, Err: err})
	case ready:
		a.link.node.Cut(a.number, verdict.Verdict{Kind: verdict.Lost, Err: err})
	case says.Kind == verdict.Outage && isAnswer(err):
		a.link.node.Refused(a.number, verdict.Verdict{Kind: verdict.Full, Err: err})
	case says.Kind == verdict.Refused || isAnswer(err):
		a.link.node.Refused(a.number, verdict.Verdict{Kind: verdict.Refused, Err: err})
	case !a.link.watch.own || isLate(err) || isUnreachable(err):
		a.link.node.Refused(a.number, verdict.Verdict{Kind: verdict.Outage, Err: err})
	default:
		a.link.node.Refused(a.number, verdict.Verdict{Kind: verdict.Full, Err: err})
	}
	a.turned()
}

// The error of a refused TCP connection on Windows, where syscall.ECONNREFUSED is a number of Go's own.
const wsaECONNREFUSED = syscall.Errno(10061)

// Reports whether nothing listens: a TCP connection is refused, or a Unix socket does not exist.
func isUnreachable(err error) bool {
	var dialed *net.OpError
	isMissing := errors.As(err, &dialed) && dialed.Net == "unix" && errors.Is(err, syscall.ENOENT)
	return isMissing || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, wsaECONNREFUSED)
}

// Sends the check through the client's own pool.
func (a *asking) runPath() {
	a.link.node.Connected(a.number)
	for a.next() == nil {
		cmd := newOnce(a.ctx, peek(*a.link.checked.Load()))
		cmd.script.wrote = a.wrote
		_ = a.link.watch.client.Process(a.ctx, cmd)
		if err := cmd.Err(); !isAnswer(err) {
			a.over(err, cmd.script.written.Load() > 0)
			return
		}
		a.replied(cmd)
	}
}

func (a *asking) wrote() {
	if question := a.question.Load(); question > 0 {
		a.link.node.Written(a.number, int(question))
	}
}

// Accepts a new connection, which the server may refuse before anything is sent.
func (a *asking) listen(made net.Conn) (net.Conn, error) {
	_ = made.SetReadDeadline(time.Now().Add(alertWait))
	octets := make([]byte, 256)
	n, err := made.Read(octets)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		_ = made.Close()
		if n > 0 && octets[0] == '-' {
			err = refusal(strings.TrimSpace(string(octets[1:n])))
		}
		return nil, cmp.Or(err, net.ErrClosed)
	}
	_ = made.SetReadDeadline(time.Time{})
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.conn = made
	if a.ctx.Err() != nil {
		_ = made.Close()
	}
	return &askingConn{Conn: made, asking: a}, nil
}

// The error with which a server refuses a connection.
type refusal string

func (r refusal) Error() string { return string(r) }

func (refusal) RedisError() {}

// A connection with the deadlines of rule F2.
type askingConn struct {
	net.Conn
	asking *asking
	// The refusal of a password. go-redis would sign in once more.
	refused error
}

func (*askingConn) SetDeadline(time.Time) error      { return nil }
func (*askingConn) SetReadDeadline(time.Time) error  { return nil }
func (*askingConn) SetWriteDeadline(time.Time) error { return nil }

func (c *askingConn) Write(octets []byte) (int, error) {
	if c.refused != nil {
		return 0, c.refused
	}
	n, err := c.Conn.Write(octets)
	c.asking.does()
	c.asking.wrote()
	return n, err
}

func (c *askingConn) Read(octets []byte) (int, error) {
	a, deadline := c.asking, time.Time{}
	for {
		a.mutex.Lock()
		a.reads = true
		if len(a.turns) > 0 {
			deadline = time.Now().Add(numbers.VerdictLateTimer)
		}
		_ = c.Conn.SetReadDeadline(deadline)
		a.mutex.Unlock()
		n, err := c.Conn.Read(octets)
		a.does()
		a.mutex.Lock()
		a.reads = false
		a.mutex.Unlock()
		if bytes.HasPrefix(octets[:n], []byte("-WRONGPASS")) {
			c.refused = refusal(strings.TrimSpace(string(octets[1:n])))
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if !deadline.IsZero() {
			deadline = time.Time{}
			a.turned()
		}
	}
}
