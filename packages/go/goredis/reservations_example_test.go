package goredis_test

import (
	"context"
	"net/http"
	"strconv"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

var (
	requests = penstock.NewEntryLimit("rpm", penstock.SlidingWindow(60, time.Minute))
	tokens   = penstock.NewEntryLimit("tpm", penstock.TokenBucket(100_000, 100_000, time.Minute))
	inFlight = penstock.Concurrency("in-flight", 10)
)

func gateway(client *redis.Client, model func(context.Context) (answer []byte, tokens int64)) (http.Handler, error) {
	llm, err := goredis.NewReservations(client, "llm", 2*time.Minute)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tenant, user, ctx := r.Header.Get("X-Tenant"), r.Header.Get("X-User"), r.Context()
		call, err := llm.Reserve(ctx, tenant,
			requests.Charge(1).Within(user), tokens.Reserve(4_000).Within(user), tokens.Reserve(4_000), inFlight.Reserve(1))
		if err != nil {
			http.Error(w, "Limits cannot be read", http.StatusServiceUnavailable)
			return
		}
		defer call.Close() // Settles the estimates, unless the call was settled.
		if !call.Allowed() {
			if seconds, ok := call.RetryAfterSeconds(); ok {
				w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
			}
			status := http.StatusTooManyRequests
			if call.Undecided { // Redis or its client is full.
				status = http.StatusServiceUnavailable
			}
			http.Error(w, http.StatusText(status), status)
			return
		}
		answer, used := model(ctx)
		_, _ = call.Settle(context.WithoutCancel(ctx), used) // What cannot be settled now runs out by itself.
		_, _ = w.Write(answer)
	}), err
}
