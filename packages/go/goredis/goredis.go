// Package goredis limits rates through go-redis: each call is sent once, whatever the client's retries are set to.
package goredis

import (
	"context"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/redis/go-redis/v9"
)

// Client is a *redis.Client, *redis.ClusterClient or redis.UniversalClient.
type Client interface {
	Process(ctx context.Context, cmd redis.Cmder) error
	Pipeline() redis.Pipeliner
}

// New makes a limiter over a client, which is used and never changed.
func New(client Client, policy string, limit penstock.Limit, options ...penstock.Option) (*penstock.RateLimiter, error) {
	return penstock.New(sender{client}, policy, limit, options...)
}

type sender struct{ client Client }

// A command that go-redis does not send again. It follows MOVED and ASK all the same.
type once struct{ *redis.Cmd }

func (once) NoRetry() bool { return true }

func (s sender) Send(ctx context.Context, commands []penstock.Command) []penstock.Reply {
	cmds := make([]once, len(commands))
	for at, command := range commands {
		cmds[at] = once{redis.NewCmd(ctx, command...)}
		cmds[at].SetFirstKeyPos(3)
	}
	replies := make([]penstock.Reply, len(cmds))
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
		if ended != nil {
			replies[at].Err = ended
		} else {
			replies[at].Value, replies[at].Err = cmd.Result()
		}
	}
	return replies
}

// Ends with the context: a client without ContextTimeoutEnabled does not. What was begun goes on until the client ends it.
func within(ctx context.Context, call func()) error {
	if err := ctx.Err(); err != nil {
		return &penstock.NotSentError{Err: err}
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
		return ctx.Err()
	}
}

func (s sender) SendToMasters(ctx context.Context, command penstock.Command) error {
	cluster, ok := s.client.(interface {
		ForEachMaster(ctx context.Context, fn func(ctx context.Context, client *redis.Client) error) error
	})
	if !ok {
		return s.client.Process(ctx, redis.NewCmd(ctx, command...))
	}
	return cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
		return master.Process(ctx, redis.NewCmd(ctx, command...))
	})
}
