package penstock

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"time"
)

// RequestLimits configures the limits for an http.Handler's requests. A function that returns nothing or panics never lets a request
// through, because a default subject, cost or plan applies instead.
type RequestLimits struct {
	// Limiter limits all requests. Exactly one of Limiter and Plans must be set.
	Limiter *RateLimiter
	// Plans maps the plan names that Plan returns to limiters. A request with an unknown plan gets the strictest of them, which is the one
	// with the lowest sustained rate; ties are broken by the smallest burst, then by the first name.
	Plans map[string]*RateLimiter
	Plan  func(*http.Request) string
	// Unlimited lists the names of the plans whose requests are always allowed and never counted.
	Unlimited []string
	// LimitOf returns a request's own limit, which replaces the request's usual limit under the same policy. If it returns an invalid limit,
	// such as the zero Limit, the usual one applies.
	LimitOf func(*http.Request) Limit
	// Key returns the subject, such as a user. If it is nil or does not return UTF-8 text, the caller's address is the subject.
	Key func(*http.Request) string
	// Cost returns the cost of a request, at most 10^12; it is 1 if Cost is nil or returns less than 1.
	Cost func(*http.Request) int64
	// TrustedProxies are the addresses and networks, such as 10.0.0.0/8, whose X-Forwarded-For header is trusted; unix means a peer that has
	// no address, as on a Unix socket.
	TrustedProxies []string
	// Exempt are the addresses and networks of callers that are not limited. Skip returns whether a request is exempt.
	Exempt []string
	Skip   func(*http.Request) bool
	// DryRun makes decisions and charges requests, but serves every request, and writes no header fields. The limiter's OnOutcome receives the
	// outcomes.
	DryRun bool
	Form   HeaderForm
	// Timeout limits the wait for a decision; the default is 1 second.
	Timeout time.Duration
	// OnError responds to a request for which the limiter failed. By default, the response is a 503. OnError cannot let the request through.
	OnError func(http.ResponseWriter, *http.Request, error)
	// Also is a second policy for the same requests. A request is charged under both policies or under neither.
	Also *AlsoPolicy
	// ChargeWhen selects the responses that are charged, such as "status 401, 403" or "status 4xx". The cost is held before the request and
	// settled after it. A request that is denied only because of held units is retried every 50 to 250 ms until Timeout. If there is no
	// response, the cost is charged after a minute.
	ChargeWhen string
	// OnReservation receives the calls with Also or ChargeWhen. These calls are reservations, so a limiter's OnOutcome does not receive them.
	OnReservation func(ReservationEvent)
	// OnDenied responds to a request that the server denied, in place of status 429 and the problem body. The header fields are already set.
	// An undecided request goes to OnError, or gets a 503.
	OnDenied func(http.ResponseWriter, *http.Request, Decision)
}

// AlsoPolicy is a second policy for the same requests. A request is charged under both policies or under neither. Adding a second policy
// has three consequences: a user of two tenants is counted separately in each, all keys of a tenant are in one slot of a cluster, and
// existing counts are lost once, because the keys move to the tenant's hash tag. Its fields have the same meaning as those of
// RequestLimits. Only the policies and limits of its limiters are used.
type AlsoPolicy struct {
	Limiter   *RateLimiter
	Plans     map[string]*RateLimiter
	Plan      func(*http.Request) string
	Unlimited []string
	LimitOf   func(*http.Request) Limit
	// Key returns the subject of a request under this policy, such as the user's tenant.
	Key func(*http.Request) string
	// Cost returns the cost under this policy; if it is nil, the cost is the same as under the first policy.
	Cost func(*http.Request) int64
}

// The context key of the decisions made so far about a request, and of the keys that they charged.
type answersKey struct{}

type requestAnswers struct {
	decided []PolicyAnswer
	charged []string
}

type requests struct {
	RequestLimits
	// The limits' own policy, and the second policy if there is one.
	policies        []*policyPlans
	reservations    *Reservations
	charged         *regexp.Regexp
	trusted, exempt networks
	twice           sync.Once
}

// How long a request may hold units before its response is known.
const heldFor = time.Minute

// LimitRequests creates a middleware. An allowed request proceeds with RateLimit fields, and a denied request gets a 429. A request that is
// denied without a decision, because its limiter uses Deny, gets a 503. Both responses have a problem body. If a caller disconnects, a
// decision about its request is still made, so that the disconnection does not count as an outage. With several limits, the fields report
// all of them, the strictest first. A leaky bucket is an error, because its callers would have to wait.
func LimitRequests(limits RequestLimits) (func(http.Handler) http.Handler, error) {
	made := &requests{RequestLimits: limits}
	if limits.Timeout != 0 && limits.Timeout < time.Millisecond {
		// For example 200 without a unit, which would limit no caller.
		return nil, fmt.Errorf("Timeout must be at least 1 millisecond: %v", limits.Timeout)
	}
	if limits.Form < Draft11 || limits.Form > XRateLimit {
		return nil, fmt.Errorf("Form must be Draft11, Draft07, Draft06 or XRateLimit: %d", limits.Form)
	}
	if limits.Timeout == 0 {
		made.Timeout = time.Second
	}
	own, err := newPolicyPlans(AlsoPolicy{limits.Limiter, limits.Plans, limits.Plan, limits.Unlimited, limits.LimitOf, limits.Key, limits.Cost}, limits.Form)
	if err != nil {
		return nil, err
	}
	if err = made.join(own); err != nil {
		return nil, err
	}
	if made.trusted, err = parseNetworks("TrustedProxies", limits.TrustedProxies); err != nil {
		return nil, err
	}
	made.exempt, err = parseNetworks("Exempt", limits.Exempt)
	return made.wrap, err
}

// ByHeader returns a Key function whose subject is the hash of a header's value, such as an API key. The subject is "header:" followed by
// the SHA-256 of the value in hexadecimal. A header that occurs twice, or is empty, counts as missing.
func ByHeader(name string) func(*http.Request) string {
	return func(r *http.Request) string {
		if values := r.Header.Values(name); len(values) == 1 {
			return headerSubject(values[0])
		}
		return ""
	}
}

func (l *requests) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := clientAddress(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), l.trusted)
		unix := l.exempt.none && !address.IsValid() && isUnix(r.RemoteAddr)
		if unix || l.exempt.contain(address) || found(r, "Skip", l.Skip) {
			next.ServeHTTP(w, r)
			return
		}
		call := l.callOf(r, address)
		if len(call.asked) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		earlier, _ := r.Context().Value(answersKey{}).(requestAnswers)
		if slices.Contains(earlier.charged, call.key()) {
			l.twice.Do(func() {
				slog.Warn("penstock: one request is counted twice: is the limit mounted twice on its route?", "policy", call.asked[0].limiter.policy)
			})
		}
		decisions, held, err := l.decide(context.WithoutCancel(r.Context()), call)
		passed := requestAnswers{earlier.decided, append(slices.Clip(earlier.charged), call.key())}
		switch {
		case l.DryRun:
			l.pass(w, r, next, passed, held)
			return
		case err != nil && l.OnError != nil:
			l.OnError(w, r, err)
			return
		case err != nil:
			decisions = call.undecided()
		}
		decided := slices.Clip(earlier.decided)
		for at, decision := range decisions {
			decided = append(decided, PolicyAnswer{call.asked[at].headers, decision})
		}
		passed.decided = decided
		at := max(0, slices.IndexFunc(decisions, func(decision Decision) bool { return !decision.Allowed() }))
		plan, decision := call.asked[at], decisions[at]
		plan.write(w, passed.decided)
		switch {
		case decision.Allowed():
			l.pass(w, r, next, passed, held)
		case l.OnDenied != nil && !decision.Undecided:
			l.OnDenied(w, r, decision)
		default:
			plan.deny(w, decision)
		}
	})
}

func (l *requests) pass(w http.ResponseWriter, r *http.Request, next http.Handler, answers requestAnswers, held *Reservation) {
	inner := r.WithContext(context.WithValue(r.Context(), answersKey{}, answers))
	if held == nil {
		next.ServeHTTP(w, inner)
	} else {
		l.serveHeld(w, inner, next, held)
	}
	// Outer layers need these fields: a logger reads the route, and the server removes the form's files.
	r.Pattern, r.MultipartForm = inner.Pattern, inner.MultipartForm
}

// Returns the result of a function for a request; the zero value if the function is nil or panics.
func found[T any](r *http.Request, name string, find func(*http.Request) T) (value T) {
	defer func() {
		if panicked := recover(); panicked != nil {
			slog.Error("penstock: a function that limits requests panicked", "function", name, "panic", panicked)
			var none T
			value = none
		}
	}()
	if find != nil {
		value = find(r)
	}
	return value
}
