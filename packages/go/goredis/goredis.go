// Package goredis limits rates through go-redis. Each call is sent once, regardless of the client's retry settings.
package goredis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/internal/numbers"
	"github.com/penstock/penstock/packages/go/internal/verdict"
	"github.com/redis/go-redis/v9"
)

// Client is a *redis.Client, *redis.ClusterClient or redis.UniversalClient.
type Client interface {
	Process(ctx context.Context, cmd redis.Cmder) error
	Pipeline() redis.Pipeliner
}

// New creates a limiter that uses a client and never modifies it. A *redis.Ring is an error, because if a server is down, its subjects move
// to another server, where they start with an unused limit.
func New(client Client, policy string, limit penstock.Limit, options ...penstock.Option) (*penstock.RateLimiter, error) {
	if err := check(client); err != nil {
		return nil, err
	}
	return penstock.New(newSender(client), policy, limit, options...)
}

// LimitRequests creates a limiter as New does, and then a middleware with this limiter as penstock.LimitRequests does.
func LimitRequests(client Client, policy string, limit penstock.Limit, limits penstock.RequestLimits, options ...penstock.Option) (func(http.Handler) http.Handler, error) {
	if limits.Limiter != nil || limits.Plans != nil {
		return nil, errors.New("limits must have neither Limiter nor Plans: penstock.LimitRequests takes limiters")
	}
	limiter, err := New(client, policy, limit, options...)
	if err != nil {
		return nil, err
	}
	limits.Limiter = limiter
	return penstock.LimitRequests(limits)
}

// NewReservations creates Reservations that use a client, which must be one that New accepts.
func NewReservations(client Client, name string, keep time.Duration, options ...penstock.Option) (*penstock.Reservations, error) {
	if err := check(client); err != nil {
		return nil, err
	}
	return penstock.NewReservations(newSender(client), name, keep, options...)
}

// NewConcurrencyLimiter creates a limiter of concurrent calls that uses a client, which must be one that New accepts.
func NewConcurrencyLimiter(client Client, policy string, limit int64, keep time.Duration, options ...penstock.Option) (*penstock.ConcurrencyLimiter, error) {
	if err := check(client); err != nil {
		return nil, err
	}
	return penstock.NewConcurrencyLimiter(newSender(client), policy, limit, keep, options...)
}

func check(client Client) error {
	if value := reflect.ValueOf(client); !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil() {
		return errors.New("client must not be nil")
	}
	if _, ok := client.(*redis.Ring); ok {
		return errors.New("client must not be a *redis.Ring, which moves subjects to servers where their limits are unused")
	}
	switch made := client.(type) {
	case *redis.Client:
		return checkTimeouts(made.Options().DialTimeout, made.Options().ReadTimeout, made.Options().WriteTimeout)
	case *redis.ClusterClient:
		return checkTimeouts(made.Options().DialTimeout, made.Options().ReadTimeout, made.Options().WriteTimeout)
	}
	return nil
}

// Rejects a timeout such as 3 without a unit, with which no call would be answered and no caller limited. 0 and below disables a timeout.
func checkTimeouts(dial, read, write time.Duration) error {
	names := []string{"DialTimeout", "ReadTimeout", "WriteTimeout"}
	// By default, go-redis derives the last of these from the one before it.
	for at, timeout := range []time.Duration{dial, read, write} {
		if timeout > 0 && timeout < time.Millisecond {
			return fmt.Errorf("%s of client must be at least 1 millisecond: %v", names[at], timeout)
		}
	}
	return nil
}

// Sends the calls of one limiter; all limiters of a client share the state of its servers.
type sender struct {
	client Client
	*watch
}

func newSender(client Client) *sender { return &sender{client, watchOf(client, true)} }

// AskServers sets whether the servers are checked over separate connections, and the listener for changes of the verdict.
func (s *sender) AskServers(own bool, tell func(penstock.VerdictChange)) {
	s.watch = watchOf(s.client, own)
	if tell != nil {
		s.watch.mutex.Lock()
		defer s.watch.mutex.Unlock()
		s.watch.tells = append(s.watch.tells, tell)
	}
}

// OneServer reports whether all calls go to one server, so that a circuit breaker applies to all calls.
func (s *sender) OneServer() bool {
	_, cluster := s.client.(masters)
	return !cluster
}

// A client of a cluster.
type masters interface {
	ForEachMaster(ctx context.Context, fn func(ctx context.Context, client *redis.Client) error) error
}

// A command that go-redis does not resend. It still follows MOVED and ASK.
type once struct {
	*redis.Cmd
	script *script
}

func (once) NoRetry() bool { return true }

func newOnce(ctx context.Context, words []any) once {
	words = slices.Clone(words)
	named := &script{name: words[1].(string)}
	words[1] = named
	made := once{redis.NewCmd(ctx, words...), named}
	named.cmd = made.Cmd
	made.SetFirstKeyPos(3)
	return made
}

const givenUp = -1

// The second argument of a call, which go-redis reads when it writes the call. If the call was abandoned before, the argument names no
// script, and the call has no effect even if it is written.
type script struct {
	name string
	// The time at which the call was written, in nanoseconds since the process began; 0 if it has not been written.
	written atomic.Int64
	wrote   func()
	// The command, which has the redirect with which a node answered it before.
	cmd *redis.Cmd
}

var epoch = time.Now()

func (s *script) MarshalBinary() ([]byte, error) {
	if s.wrote != nil {
		s.wrote()
	}
	// If the connection is cut, go-redis keeps an error that a command of a pipeline has, and a redirect would prove that it did not run.
	s.cmd.SetErr(nil)
	if s.written.CompareAndSwap(0, max(int64(time.Since(epoch)), 1)) || s.written.Load() != givenUp {
		return []byte(s.name), nil
	}
	return []byte("-"), nil
}

func (s *script) String() string { return s.name }

func (s *script) giveUp() bool {
	return s.written.CompareAndSwap(0, givenUp) || s.written.Load() == givenUp
}

// Commands that are sent together, and the client's context for them, which ends with them or P after their deadline.
type sending struct {
	context.Context
	sender   *sender
	deadline time.Time
	ended    chan struct{}
	words    []penstock.Command
	commands []once
	// The nodes, and each node's part of the commands.
	nodes  []*nodeLink
	parts  []*part
	events chan event
}

// The commands for one node.
type part struct {
	call *verdict.Call
	at   []int
	// The reason why the caller ended it.
	err atomic.Pointer[error]
}

// How a part ends: with its results, or with a verdict.
type event struct {
	part    int
	results bool
	verdict verdict.Verdict
}

func (s *sending) Deadline() (time.Time, bool) {
	if s.deadline.IsZero() {
		return s.deadline, false
	}
	return s.deadline.Add(numbers.VerdictSilence), true
}

func (s *sending) Done() <-chan struct{} { return s.ended }

func (s *sending) Err() error {
	select {
	case <-s.ended:
		return context.Canceled
	default:
		return nil
	}
}

// Starts commands that are sent together; full means that too many calls are in flight.
func (s *sender) start(ctx context.Context, commands []penstock.Command) (made *sending, rest time.Duration, full bool) {
	made = &sending{Context: ctx, sender: s, ended: make(chan struct{}), words: commands, commands: make([]once, len(commands))}
	for at, command := range commands {
		made.commands[at] = newOnce(made, command)
	}
	made.deadline, _ = ctx.Deadline()
	if !made.deadline.IsZero() {
		rest = max(time.Until(made.deadline), 1)
	}
	s.begin(made, commands, rest)
	return made, rest, s.inFlight.Add(1) > numbers.CallsInFlight
}

// SharesTrips reports whether commands on one key are one write on one connection, in order, unless a cluster redirects them.
func (s *sender) SharesTrips() bool {
	switch s.client.(type) {
	case *redis.Client, *redis.ClusterClient:
		return true
	}
	return false
}

// Await waits for a call that another goroutine sends, as Send waits for its own.
func (s *sender) Await(ctx context.Context, command penstock.Command, enter func() <-chan penstock.Reply, leave func(cancelled bool) (sent bool)) penstock.Reply {
	made, _, full := s.start(ctx, []penstock.Command{command})
	defer s.inFlight.Add(-1)
	defer close(made.ended)
	var replied <-chan penstock.Reply
	left := func(cancelled bool) {
		if replied != nil && leave(cancelled) {
			made.commands[0].script.written.CompareAndSwap(0, 1)
		}
	}
	if full || ctx.Err() != nil {
		made.end(ctx.Err() == nil)
	} else {
		replied = enter()
	}
	done := ctx.Done()
	for {
		select {
		case reply := <-replied:
			made.parts[0].call.Failed()
			return reply
		case event := <-made.events:
			left(false)
			select {
			case reply := <-replied:
				return reply
			default:
			}
			return penstock.Reply{Err: s.undecided(ctx, made, event, 0)}
		case <-done:
			// From now on the verdict decides when the call ends.
			done = nil
			cancelled := errors.Is(ctx.Err(), context.Canceled)
			left(cancelled)
			if cancelled {
				made.parts[0].call.Cancel()
			}
		}
	}
}

func (s *sender) Send(ctx context.Context, commands []penstock.Command) []penstock.Reply {
	made, rest, full := s.start(ctx, commands)
	replies := make([]penstock.Reply, len(commands))
	switch {
	case ctx.Err() != nil || full:
		made.end(ctx.Err() == nil)
		s.inFlight.Add(-1)
	case ctx.Done() == nil:
		made.run(made)
	case s.endsAtDeadline && rest > 0 && rest <= numbers.VerdictSilence && len(made.parts) == 1:
		// The client ends it soon, so it costs no switch of goroutines.
		made.run(ctx)
	default:
		go made.run(made)
	}
	done := ctx.Done()
	for left := len(made.parts); left > 0; {
		select {
		case event := <-made.events:
			left--
			for _, at := range made.parts[event.part].at {
				if event.results {
					replies[at] = s.reply(made.commands[at])
				} else {
					replies[at].Err = s.undecided(ctx, made, event, at)
				}
			}
		case <-done:
			// From now on the verdict decides when the call ends.
			done = nil
			if errors.Is(ctx.Err(), context.Canceled) {
				for _, each := range made.parts {
					each.call.Cancel()
				}
			}
		}
	}
	close(made.ended)
	return replies
}

// Starts a call to each node.
func (s *sender) begin(made *sending, commands []penstock.Command, rest time.Duration) {
	if len(commands) == 1 {
		made.parts = []*part{{at: []int{0}}}
		made.nodes = []*nodeLink{s.node(made.Context, commands[0])}
	} else {
		for at, command := range commands {
			node := s.node(made.Context, command)
			of := slices.Index(made.nodes, node)
			if of < 0 {
				of = len(made.nodes)
				made.nodes, made.parts = append(made.nodes, node), append(made.parts, &part{})
			}
			made.parts[of].at = append(made.parts[of].at, at)
		}
	}
	made.events = make(chan event, len(made.parts))
	for of, node := range made.nodes {
		first := &commands[made.parts[of].at[0]]
		made.parts[of].call = node.node.Begin(rest, func(v verdict.Verdict) { made.events <- event{part: of, verdict: v} }, first)
	}
}

// Ends calls that are not sent because they have no time left or too many calls are in flight.
func (s *sending) end(asks bool) {
	for _, each := range s.parts {
		for _, at := range each.at {
			s.commands[at].script.giveUp()
		}
		each.err.Store(&errFull)
		if asks {
			each.call.Crowded()
		} else {
			each.call.Cancel()
		}
	}
}

var errFull = fmt.Errorf("%d calls of this client are in flight", numbers.CallsInFlight)

// Sends the commands unless they have already ended, and records their outcome.
func (s *sending) run(ctx context.Context) {
	defer s.sender.inFlight.Add(-1)
	switch {
	case s.Err() != nil:
		return
	case len(s.commands) == 1:
		if s.opens(ctx) {
			_ = s.sender.client.Process(ctx, s.commands[0])
		} else {
			s.commands[0].SetErr(context.DeadlineExceeded)
		}
	default:
		pipeline := s.sender.client.Pipeline()
		for _, cmd := range s.commands {
			_ = pipeline.Process(ctx, cmd)
		}
		_, err := pipeline.Exec(ctx)
		for _, cmd := range s.commands {
			switch {
			case cmd.Val() != nil && isCut(cmd.Err()):
				// go-redis sets this error for all commands of the pipeline, also for one whose reply it has read.
				cmd.SetErr(nil)
			case cmd.Val() == nil && cmd.Err() == nil:
				// go-redis does not set the server's error for a connection that it could not make, such as WRONGPASS.
				cmd.SetErr(err)
			}
		}
	}
	for of := range s.parts {
		s.sender.heard(s, of)
	}
}

// Waits until the client has a connection for the command or may open one, for as long as the client would take to open it.
func (s *sending) opens(ctx context.Context) bool {
	call := s.parts[0].call
	if s.deadline.IsZero() || s.Context.Done() == nil || !call.Doubtful() {
		return true
	}
	client := s.nodes[0].client()
	if client == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, client.Options().DialTimeout)
	defer cancel()
	return call.Opens(ctx.Done(), func() bool { return client.PoolStats().IdleConns > 0 })
}

func (s *sender) heard(made *sending, of int) {
	each, failure := made.parts[of], error(nil)
	var answered once
	for _, at := range each.at {
		switch cmd := made.commands[at]; {
		case isAnswer(cmd.Err()):
			answered = cmd
		case failure == nil:
			failure = cmd.Err()
		}
	}
	if failure != nil {
		each.err.Store(&failure)
	}
	results := false
	switch {
	case answered.Cmd != nil:
		if _, cluster := s.client.(keyed); cluster && !s.loaded.Swap(true) {
			// The node of this key is known by now, and has its own connection for the check.
			first := &made.words[each.at[0]]
			s.node(made.Context, *first).node.Begin(0, nil, first).Failed()
		}
		written := time.Duration(answered.script.written.Load())
		results = each.call.Answered(epoch.Add(written), made.nodes[of].says(answered.Err()))
	case isLate(failure):
		each.call.Late()
	case s.mayBeRefused(failure):
		made.nodes[of].node.Hurry()
		each.call.Late()
	default:
		results = each.call.Failed()
	}
	if results {
		made.events <- event{part: of, results: true}
	}
}

// Reports whether a connection may have been closed because the server rejects a certificate.
func (s *sender) mayBeRefused(err error) bool {
	if !isCut(err) {
		return false
	}
	switch client := s.client.(type) {
	case *redis.Client:
		return client.Options().TLSConfig != nil
	case *redis.ClusterClient:
		return client.Options().TLSConfig != nil
	}
	return false
}

// Reports whether the error is an answer of the server.
func isAnswer(err error) bool {
	var answer redis.Error
	return err == nil || errors.As(err, &answer)
}

// Returns the reply to a command.
func (s *sender) reply(cmd once) penstock.Reply {
	value, err := cmd.Result()
	switch {
	case err == nil, errors.Is(err, redis.Nil):
		return penstock.Reply{Value: value}
	case !s.OneServer() && (redis.HasErrorPrefix(err, "MOVED") || redis.HasErrorPrefix(err, "ASK")):
		// There were more redirects than the client follows.
		err = &penstock.KnownError{Kind: penstock.Unavailable, Err: err}
	case isAnswer(err):
	case isLate(err):
		// Other commands of the pipeline were answered.
		err = &penstock.KnownError{Kind: penstock.Overloaded, Charged: !cmd.script.giveUp(), Err: err}
	case cmd.script.giveUp():
		err = unsent(err)
	}
	return penstock.Reply{Err: err}
}

// Returns the error of a call that was not written, for example because no connection could be made.
func unsent(err error) error {
	switch meaning := penstock.ClassifyError(err); {
	case meaning.Kind == penstock.NotAnswered, errors.Is(err, context.Canceled):
		return &penstock.NotSentError{Err: err}
	case meaning.Charged:
		return &penstock.KnownError{Kind: meaning.Kind, Err: err}
	}
	return err
}

// Returns the error of a call that was late, cancelled, or not sent, according to the verdict on its node.
func (s *sender) undecided(ctx context.Context, made *sending, event event, at int) error {
	err, says := ctx.Err(), event.verdict
	if failure := made.parts[event.part].err.Load(); err == nil && failure != nil {
		err = *failure
	}
	if err == nil {
		err = context.DeadlineExceeded
	}
	charged := !made.commands[at].script.giveUp()
	switch {
	case says.Kind != verdict.Refused && isCut(err):
		// The check has found the reason.
		return unsent(err)
	case says.Kind == verdict.Unknown:
		return &penstock.KnownError{Kind: penstock.Overloaded, Charged: charged, Err: fmt.Errorf("%w, and %w", err, penstock.ErrNoVerdict)}
	case says.Kind == verdict.Refused:
		return &penstock.KnownError{Kind: penstock.ClassifyError(says.Err).Kind, Charged: charged, Err: fmt.Errorf("%w, and others were refused: %w", err, says.Err)}
	case says.Kind == verdict.Outage:
		kind := penstock.NotSent
		if charged {
			kind = penstock.NotAnswered
		} else {
			err = fmt.Errorf("the call was not sent: %w", err)
		}
		return &penstock.KnownError{Kind: kind, Charged: charged, Err: fmt.Errorf("%w (%v)", err, says.Err)}
	}
	if says.Err != nil {
		err = fmt.Errorf("%w, although the server answers other calls: %w", err, says.Err)
	} else {
		err = fmt.Errorf("%w, although the server answers other calls", err)
	}
	return &penstock.KnownError{Kind: penstock.Overloaded, Charged: charged, Err: err}
}

// Reports whether a call got no connection in time, or its connection was not made or not answered in time.
func isLate(err error) bool {
	var timeout net.Error
	return isFull(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.As(err, &timeout) && timeout.Timeout()
}

// Reports whether a connection was lost.
func isCut(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// Reports whether a pool has no free connection, not even for a redirect.
func isFull(err error) bool {
	return errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted)
}

func (s *sender) SendToMasters(ctx context.Context, command penstock.Command) error {
	cluster, ok := s.client.(masters)
	if !ok {
		return s.client.Process(ctx, redis.NewCmd(ctx, command...))
	}
	return cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
		return master.Process(ctx, redis.NewCmd(ctx, command...))
	})
}
