package goredis_test

import (
	"net/http"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

func perUser(client *redis.Client, next http.Handler) (http.Handler, error) {
	limiter, err := goredis.New(client, "api", penstock.TokenBucket(100, 10, time.Second), penstock.OnUnavailable(penstock.Allow))
	if err != nil {
		return nil, err
	}
	limit, err := penstock.LimitRequests(penstock.RequestLimits{
		Limiter:        limiter,
		Key:            penstock.ByHeader("X-Api-Key"),
		TrustedProxies: []string{"10.0.0.0/8"},
		Timeout:        200 * time.Millisecond,
	})
	if err != nil {
		return nil, err
	}
	return limit(next), nil
}
