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

// RequestLimits configures the limits of an http.Handler's requests. A function that finds nothing, or panics, never lets a
// request through: another subject, cost or plan is used.
type RequestLimits struct {
	// Limiter limits all requests. Exactly one of Limiter and Plans must be set.
	Limiter *RateLimiter
	// Plans are the limiters of the plans that Plan names. An unknown plan gets the strictest of them: the one that refills the
	// fewest units in the long run, then the one with the smallest burst, then the first by name.
	Plans map[string]*RateLimiter
	Plan  func(*http.Request) string
	// Unlimited are names of plans whose requests all pass, and are not counted.
	Unlimited []string
	// LimitOf returns a request's own limit, under the policy of its usual limit. If it returns an invalid limit, such as the zero
	// Limit, the usual one applies.
	LimitOf func(*http.Request) Limit
	// Key returns the subject, such as a user. If it is nil, or does not return UTF-8 text, the caller's address is the subject.
	Key func(*http.Request) string
	// Cost is 1 if it is nil or returns less than 1, and at most 10^12.
	Cost func(*http.Request) int64
	// TrustedProxies are addresses and networks, such as 10.0.0.0/8, whose X-Forwarded-For is trusted; unix is a peer without an
	// address, as on a Unix socket.
	TrustedProxies []string
	// Exempt are addresses and networks of callers that are not limited, and Skip selects requests that are not.
	Exempt []string
	Skip   func(*http.Request) bool
	// DryRun decides and charges, but always serves, without fields; the limiter's OnOutcome receives the outcome.
	DryRun bool
	Form   HeaderForm
	// Timeout is the longest wait for a decision, 1 second by default.
	Timeout time.Duration
	// OnError answers a request whose limiter's call failed; 503 by default. It cannot serve the request.
	OnError func(http.ResponseWriter, *http.Request, error)
	// Also is another policy, all or none: a user of two tenants has two counts, a tenant is one slot, and counts restart once.
	Also *AlsoPolicy
	// ChargeWhen are the responses that are charged, such as "status 401, 403" or "status 4xx": the cost is held before the request,
	// and settled after it. A denial because of held units is retried after 50 to 250 ms, until Timeout. Without a response it is
	// charged after a minute.
	ChargeWhen string
	// OnReservation receives the calls with Also or ChargeWhen, which are reservations: a limiter's OnOutcome does not.
	OnReservation func(ReservationEvent)
	// OnDenied answers a request that the server denied, instead of status 429 and the problem body; the fields are set. An
	// undecided request is answered by OnError, or 503.
	OnDenied func(http.ResponseWriter, *http.Request, Decision)
}

// AlsoPolicy is another policy that decides a request together with the limits' own: both charge it, or neither. A user of two
// tenants has two counts, a tenant is one slot of a cluster, and counts restart once, because keys move to the tenant's hash tag.
// Its fields are those of RequestLimits; of its limiters only policy and limit count.
type AlsoPolicy struct {
	Limiter   *RateLimiter
	Plans     map[string]*RateLimiter
	Plan      func(*http.Request) string
	Unlimited []string
	LimitOf   func(*http.Request) Limit
	// Key returns the subject of a request under this policy, such as the user's tenant.
	Key func(*http.Request) string
	// Cost is that of the limits' own policy if it is nil.
	Cost func(*http.Request) int64
}

// The decisions about a request so far, and the keys that they charged, in its context.
type answersKey struct{}

type requestAnswers struct {
	decided []PolicyAnswer
	charged []string
}

type requests struct {
	RequestLimits
	// The limits' own, and the one that decides with it.
	policies        []*policyPlans
	reservations    *Reservations
	charged         *regexp.Regexp
	trusted, exempt networks
	twice           sync.Once
}

// The time for which a request may hold units that are charged once its response is known.
const heldFor = time.Minute

// LimitRequests makes a middleware: an allowed request proceeds with RateLimit fields, a denied one gets a 429, and a 503 if a
// limiter with Deny denies without a decision. A denial has a problem body. Requests of callers that disconnect are still
// decided, so that a disconnection does not count as an outage. With several limits the fields are those of all, the strictest
// first. A leaky bucket, whose callers wait, is refused.
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

// ByHeader is a Key that returns the subject of a header's value, such as that of an API key: header: and its SHA-256 in
// hexadecimal digits. A header that occurs twice, or is empty, counts as missing.
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
	// Outer layers need them: a logger the route, and the server the form, whose files it removes.
	r.Pattern, r.MultipartForm = inner.Pattern, inner.MultipartForm
}

// The result of a function for a request; nothing without a function, or if it panics.
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
