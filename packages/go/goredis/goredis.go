// Package goredis limits rates through go-redis: each call is sent once, whatever the client's retries are set to.
package goredis

import (
	"context"
	"errors"
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
	return penstock.New(&sender{client: client}, policy, limit, options...)
}

// NewReservations makes reservations over a client, as New does a limiter.
func NewReservations(client Client, name string, keep time.Duration, options ...penstock.Option) (*penstock.Reservations, error) {
	if err := check(client); err != nil {
		return nil, err
	}
	return penstock.NewReservations(&sender{client: client}, name, keep, options...)
}

// NewConcurrencyLimiter makes a limiter of what is in flight over a client, as New does one of a rate.
func NewConcurrencyLimiter(client Client, policy string, limit int64, keep time.Duration, options ...penstock.Option) (*penstock.ConcurrencyLimiter, error) {
	if err := check(client); err != nil {
		return nil, err
	}
	return penstock.NewConcurrencyLimiter(&sender{client: client}, policy, limit, keep, options...)
}

func check(client Client) error {
	if value := reflect.ValueOf(client); !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil() {
		return errors.New("client must not be nil")
	}
	if _, ok := client.(*redis.Ring); ok {
		return errors.New("client must be no *redis.Ring, which moves subjects, with a whole budget, to other servers")
	}
	return nil
}

type sender struct {
	client Client
	// How many answers there were.
	answers atomic.Int64
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
	replies, before := make([]penstock.Reply, len(cmds)), s.answers.Load()
	ended := within(ctx, func() {
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
			replies[at] = s.reply(cmd, before)
		case cmd.script.giveUp():
			replies[at].Err = s.unsent(ended, before)
		default:
			replies[at].Err = ended
		}
	}
	return replies
}

// The reply to a command, before which there were so many answers.
func (s *sender) reply(cmd once, before int64) penstock.Reply {
	value, err := cmd.Result()
	switch {
	case err == nil, errors.Is(err, redis.Nil):
		s.answers.Add(1)
		return penstock.Reply{Value: value}
	case redis.HasErrorPrefix(err, "MOVED"), redis.HasErrorPrefix(err, "ASK"):
		if _, ok := s.client.(masters); ok {
			// More redirects than the client follows.
			return penstock.Reply{Err: &penstock.KnownError{Kind: penstock.Unavailable, Err: err}}
		}
	case cmd.script.giveUp(), isFull(err):
		return penstock.Reply{Err: s.unsent(err, before)}
	}
	return penstock.Reply{Err: err}
}

// The error of a call that was not written: such as one that waited for a connection, or whose connection could not be made.
func (s *sender) unsent(err error, before int64) error {
	waited := isFull(err) || errors.Is(err, context.DeadlineExceeded)
	switch meaning := penstock.ClassifyError(err); {
	case waited && s.answers.Load() > before:
		// Full while others are answered: it is no outage.
		return &penstock.KnownError{Kind: penstock.Overloaded, Err: err}
	case waited, meaning.Kind == penstock.NotAnswered:
		return &penstock.NotSentError{Err: err}
	case meaning.Charged:
		return &penstock.KnownError{Kind: meaning.Kind, Err: err}
	}
	return err
}

// A pool has no connection, not even for another attempt after a redirect.
func isFull(err error) bool {
	return errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted)
}

// Ends with the context: a client without ContextTimeoutEnabled does not. What was begun goes on until the client ends it.
func within(ctx context.Context, call func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if ctx.Done() == nil {
		call()
		return nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		call()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	// A process that stood still may see its deadline before an answer that has come: it gets as long again.
	if deadline, ok := ctx.Deadline(); ok {
		select {
		case <-done:
			return nil
		case <-time.After(time.Since(deadline)):
		}
	}
	return ctx.Err()
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
