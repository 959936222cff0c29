// Package ginlimit limits the requests to gin handlers.
package ginlimit

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	penstock "github.com/penstock/penstock/packages/go"
)

type contextKey struct{}

// New is penstock.LimitRequests for gin: a denied request gets its response and is aborted. The caller's address is determined by
// TrustedProxies, not by gin's ClientIP, which trusts every proxy by default.
func New(limits penstock.RequestLimits) (gin.HandlerFunc, error) {
	limit, err := penstock.LimitRequests(limits)
	if err != nil {
		return nil, err
	}
	return func(c *gin.Context) {
		request, allowed := c.Request, false
		next := func(_ http.ResponseWriter, r *http.Request) {
			allowed, c.Request = true, r
			c.Next()
		}
		own := request.WithContext(context.WithValue(request.Context(), contextKey{}, c))
		limit(http.HandlerFunc(next)).ServeHTTP(c.Writer, own)
		// The server removes the files of the form.
		c.Request, request.MultipartForm = request, own.MultipartForm
		if !allowed {
			c.Abort()
		}
	}, nil
}

// Answer creates an OnDenied from a function that responds through gin's context, such as c.JSON(402, ...).
func Answer(answer func(*gin.Context, penstock.Decision)) func(http.ResponseWriter, *http.Request, penstock.Decision) {
	return func(_ http.ResponseWriter, r *http.Request, denied penstock.Decision) {
		answer(r.Context().Value(contextKey{}).(*gin.Context), denied)
	}
}

// Of creates a Key, Cost, Plan, LimitOf or Skip from a function of gin's context, such as one that reads the user or the route.
func Of[T any](find func(*gin.Context) T) func(*http.Request) T {
	return func(r *http.Request) T { return find(r.Context().Value(contextKey{}).(*gin.Context)) }
}
