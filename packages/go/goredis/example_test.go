package goredis_test

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

func limited(next http.Handler, client *redis.Client) (http.Handler, error) {
	limiter, err := goredis.New(client, "api", penstock.TokenBucket(100, 10, time.Second))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		decision, err := limiter.Acquire(r.Context(), r.Header.Get("X-User"))
		switch {
		case errors.Is(err, penstock.ErrNoDecision): // Redis did not answer: serve.
			next.ServeHTTP(w, r)
		case err != nil: // Such as a request without a user.
			http.Error(w, err.Error(), http.StatusBadRequest)
		case decision.Allowed():
			next.ServeHTTP(w, r)
		default:
			if seconds := decision.RetryAfterSeconds(); seconds > 0 {
				w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
			}
			http.Error(w, "Too many requests", http.StatusTooManyRequests)
		}
	}), err
}
