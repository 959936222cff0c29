// A server in memory, as users test what they have written: packages/test runs this with miniredis, which the module does not need.
package inmemory_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

func TestInMemory(t *testing.T) {
	for _, script := range penstock.Scripts {
		t.Run(script.Name, func(t *testing.T) {
			ctx, server := context.Background(), miniredis.RunT(t)
			now := time.Now()
			server.SetTime(now)
			client := redis.NewClient(&redis.Options{Addr: server.Addr()})
			defer client.Close()
			limit, err := penstock.ParseLimit(script.Name + ":2/1h")
			if err != nil {
				t.Fatal(err)
			}
			limiter, err := goredis.New(client, "api", limit)
			if err != nil {
				t.Fatal(err)
			}
			for call, allowed := range []bool{true, true, false} {
				if decision, err := limiter.Acquire(ctx, "user:42"); err != nil || decision.Allowed() != allowed {
					t.Fatal(call, decision, err)
				}
			}
			if decision, err := limiter.Refund(ctx, "user:42", 1); err != nil || decision.Remaining != 1 {
				t.Fatal(decision, err)
			}
			if decision, err := limiter.AcquireUpTo(ctx, "user:42", 5, 1); err != nil || decision.Granted != 1 {
				t.Fatal(decision, err)
			}
			server.SetTime(now.Add(2 * time.Hour))
			if decision, err := limiter.Peek(ctx, "user:42"); err != nil || decision.Remaining != 2 {
				t.Fatal(decision, err)
			}
		})
	}
}

func TestReservationsNeedAServer(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	defer client.Close()
	llm, err := goredis.NewReservations(client, "llm", time.Minute, penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Allow))
	if err != nil {
		t.Fatal(err)
	}
	_, err = llm.Reserve(context.Background(), "team", penstock.Concurrency("in-flight", 1).Reserve(1))
	if !errors.Is(err, penstock.ErrUnknown) || !strings.Contains(err.Error(), "cmsgpack") {
		t.Fatal(err)
	}
}
