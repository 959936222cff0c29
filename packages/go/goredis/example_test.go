package goredis_test

import (
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
		if err == nil && !decision.Allowed() {
			w.Header().Set("Retry-After", strconv.FormatInt(decision.RetryAfterSeconds(), 10))
			http.Error(w, "Too many requests", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r) // Also when Redis did not answer.
	}), err
}
