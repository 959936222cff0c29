package goredis_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

func limited(next http.Handler, client *redis.Client) (http.Handler, error) {
	limiter, err := goredis.New(client, "api", penstock.TokenBucket(100, 10, time.Second), penstock.OnUnavailable(penstock.Allow))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 200*time.Millisecond)
		defer cancel()
		decision, err := limiter.Acquire(ctx, r.Header.Get("X-User"))
		switch {
		case errors.Is(err, penstock.ErrMisconfigured), errors.Is(err, penstock.ErrUnknown):
			http.Error(w, "Limits cannot be read", http.StatusServiceUnavailable)
		case err != nil: // Such as a request without a user.
			http.Error(w, err.Error(), http.StatusBadRequest)
		case decision.Allowed(): // Also while Redis is down.
			next.ServeHTTP(w, r)
		case decision.Undecided: // Redis or its client is full.
			http.Error(w, "Too busy", http.StatusServiceUnavailable)
		default:
			if seconds, ok := decision.RetryAfterSeconds(); ok {
				w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
			}
			http.Error(w, "Too many requests", http.StatusTooManyRequests)
		}
	}), err
}
