package goredis_test

import (
	"net/http"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

func perUser(client *redis.Client, next http.Handler) (http.Handler, error) {
	limit, err := goredis.LimitRequests(client, "api", penstock.TokenBucket(100, 10, time.Second), penstock.RequestLimits{
		Key:            penstock.ByHeader("X-Api-Key"),
		TrustedProxies: []string{"10.0.0.0/8"},
		Timeout:        200 * time.Millisecond,
	}, penstock.OnUnavailable(penstock.Allow))
	if err != nil {
		return nil, err
	}
	return limit(next), nil
}
