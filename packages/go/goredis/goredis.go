// Package goredis limits rates through go-redis: each call is sent once, whatever the client's retries are set to.
package goredis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/redis/go-redis/v9"
)

// Client is a *redis.Client, *redis.ClusterClient or redis.UniversalClient.
type Client interface {
	Process(ctx context.Context, cmd redis.Cmder) error
	Pipeline() redis.Pipeliner
}

// New makes a limiter over a client, which is used and never changed. A *redis.Ring is refused: a subject whose server is
// down moves to another one, with a whole budget.
func New(client Client, policy string, limit penstock.Limit, options ...penstock.Option) (*penstock.RateLimiter, error) {
	if err := check(client); err != nil {
		return nil, err
	}
	return penstock.New(newSender(client), policy, limit, options...)
}

// LimitRequests makes a limiter as New does, and a middleware of it as penstock.LimitRequests does.
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

// NewReservations makes reservations over a client, as New does a limiter.
func NewReservations(client Client, name string, keep time.Duration, options ...penstock.Option) (*penstock.Reservations, error) {
	if err := check(client); err != nil {
		return nil, err
	}
	return penstock.NewReservations(newSender(client), name, keep, options...)
}

// NewConcurrencyLimiter makes a limiter of what is in flight over a client, as New does one of a rate.
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
		return errors.New("client must be no *redis.Ring, which moves subjects, with a whole budget, to other servers")
	}
	switch made := client.(type) {
	case *redis.Client:
		return checkTimeouts(made.Options().DialTimeout, made.Options().ReadTimeout, made.Options().WriteTimeout)
	case *redis.ClusterClient:
		return checkTimeouts(made.Options().DialTimeout, made.Options().ReadTimeout, made.Options().WriteTimeout)
	}
	return nil
}

// Such as 3 without a unit, after which there would be no answer, and nobody would be limited. 0 and below is no time-out.
func checkTimeouts(dial, read, write time.Duration) error {
	names := []string{"DialTimeout", "ReadTimeout", "WriteTimeout"}
	// go-redis makes the last of the one before it.
	for at, timeout := range []time.Duration{dial, read, write} {
		if timeout > 0 && timeout < time.Millisecond {
			return fmt.Errorf("%s of client must be at least 1 millisecond: %v", names[at], timeout)
		}
	}
	return nil
}

type sender struct {
	client Client
	server answerWatch
	alerts alertWatch
}

func newSender(client Client) *sender {
	made := &sender{client: client}
	made.server.ask = func(ctx context.Context) {
		before, word := made.server.begin(), &script{name: "penstock"}
		defer made.server.end()
		ping := once{redis.NewCmd(ctx, "PING", word), word}
		_ = client.Process(ctx, ping)
		made.hear(ping, before)
	}
	return made
}

// OneServer is whether all calls go to one server, so that its circuit is that of all.
func (s *sender) OneServer() bool {
	_, cluster := s.client.(masters)
	return !cluster
}

// The clients of a cluster.
type masters interface {
	ForEachMaster(ctx context.Context, fn func(ctx context.Context, client *redis.Client) error) error
}

// A command that go-redis does not send again. It still follows MOVED and ASK.
type once struct {
	*redis.Cmd
	script *script
}

func (once) NoRetry() bool { return true }

var errFull = fmt.Errorf("%d calls of this limiter are under way", most)

const (
	waiting = iota
	written
	givenUp
)

// The second word of a call, which go-redis asks for as it writes the call. A call that was given up before names no script,
// and does nothing if it is written after all.
type script struct {
	name  string
	state atomic.Int32
}

func (s *script) MarshalBinary() ([]byte, error) {
	if s.state.CompareAndSwap(waiting, written) || s.state.Load() == written {
		return []byte(s.name), nil
	}
	return []byte("-"), nil
}

func (s *script) String() string { return s.name }

func (s *script) giveUp() bool { return s.state.CompareAndSwap(waiting, givenUp) }

func (s *sender) Send(ctx context.Context, commands []penstock.Command) []penstock.Reply {
	cmds := make([]once, len(commands))
	for at, command := range commands {
		words := slices.Clone(command)
		named := &script{name: words[1].(string)}
		words[1] = named
		cmds[at] = once{redis.NewCmd(ctx, words...), named}
		cmds[at].SetFirstKeyPos(3)
	}
	replies, before := make([]penstock.Reply, len(cmds)), s.server.begin()
	defer s.server.end()
	if err := s.crowdedOut(ctx, before); err != nil {
		for at := range replies {
			replies[at].Err = err
		}
		return replies
	}
	ended := within(ctx, func() {
		defer func() {
			for _, cmd := range cmds {
				s.hear(cmd, before)
			}
		}()
		if len(cmds) == 1 {
			_ = s.client.Process(ctx, cmds[0])
			return
		}
		pipeline := s.client.Pipeline()
		for _, cmd := range cmds {
			_ = pipeline.Process(ctx, cmd)
		}
		_, _ = pipeline.Exec(ctx)
	})
	for at, cmd := range cmds {
		switch {
		case ended == nil:
			replies[at] = s.reply(ctx, cmd, before)
		case cmd.script.giveUp():
			replies[at].Err = s.unsent(ctx, ended, before)
		default:
			replies[at].Err = s.unanswered(ctx, ended, before)
		}
	}
	return replies
}

// Why commands are not sent: their time was over when they began, or too many others are under way.
func (s *sender) crowdedOut(ctx context.Context, before seen) error {
	if err := ctx.Err(); errors.Is(err, context.DeadlineExceeded) {
		return &penstock.KnownError{Kind: penstock.Overloaded, Err: fmt.Errorf("its time was over when it began: %w", err)}
	}
	if before.pending <= most {
		return nil
	}
	s.server.wait(ctx, before)
	return s.unsent(ctx, errFull, before)
}

// Takes notice of what a command came to, also of one that was given up meanwhile.
func (s *sender) hear(cmd once, before seen) {
	err := cmd.Err()
	kind := penstock.FailureKind("")
	if err != nil && !errors.Is(err, redis.Nil) {
		kind = penstock.ClassifyError(err).Kind
	}
	switch written := cmd.script.state.Load() == written; {
	case kind == "", written && (kind == penstock.Misconfigured || kind == penstock.Overloaded || kind == penstock.Redirect):
		s.server.answered()
	case written, isWaiting(err):
	case kind == penstock.Misconfigured:
		s.server.refuses(err)
	default:
		s.server.isAway(before)
	}
}

// The reply to a command.
func (s *sender) reply(ctx context.Context, cmd once, before seen) penstock.Reply {
	value, err := cmd.Result()
	switch {
	case err == nil, errors.Is(err, redis.Nil):
		return penstock.Reply{Value: value}
	case redis.HasErrorPrefix(err, "MOVED"), redis.HasErrorPrefix(err, "ASK"):
		if _, ok := s.client.(masters); ok {
			// More redirects than the client follows.
			return penstock.Reply{Err: &penstock.KnownError{Kind: penstock.Unavailable, Err: err}}
		}
	case cmd.script.giveUp(), isFull(err):
		return penstock.Reply{Err: s.unsent(ctx, err, before)}
	case isLate(err):
		err = s.unanswered(ctx, err, before)
	}
	return penstock.Reply{Err: err}
}

// The error of a call that was written and has no answer in time.
func (s *sender) unanswered(ctx context.Context, err error, before seen) error {
	if s.OneServer() && s.server.crowded(before) {
		if _, answered := s.server.since(ctx, before); answered {
			return &penstock.KnownError{Kind: penstock.Overloaded, Charged: true, Err: err}
		}
	}
	return err
}

// The error of a call that was not written: such as one that waited for a connection, or whose connection could not be made.
func (s *sender) unsent(ctx context.Context, err error, before seen) error {
	meaning := penstock.ClassifyError(err)
	if isLate(err) {
		switch refused, answered := s.server.since(ctx, before); {
		case refused != nil:
			return &penstock.KnownError{Kind: penstock.Misconfigured, Err: fmt.Errorf("%w, and others were refused: %w", err, refused)}
		case answered && (isWaiting(err) || s.OneServer() && s.server.crowded(before)):
			// Full while others are answered: it is no outage.
			return &penstock.KnownError{Kind: penstock.Overloaded, Err: err}
		}
	}
	switch alert := s.alerts.alert(ctx, s.client, err); {
	case alert != nil:
		s.server.refuses(alert)
		return &penstock.KnownError{Kind: penstock.Misconfigured, Err: fmt.Errorf("%w: %w", err, alert)}
	case isWaiting(err), meaning.Kind == penstock.NotAnswered:
		return &penstock.NotSentError{Err: err}
	case meaning.Charged:
		return &penstock.KnownError{Kind: meaning.Kind, Err: err}
	}
	return err
}

// A call that found no connection in time.
func isWaiting(err error) bool {
	return isFull(err) || errors.Is(err, errFull) || errors.Is(err, context.DeadlineExceeded)
}

// Or whose own connection was not made in time.
func isLate(err error) bool {
	var timeout net.Error
	return isWaiting(err) || errors.As(err, &timeout) && timeout.Timeout()
}

// A pool has no connection, not even for another attempt after a redirect.
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
