package penstock

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"
	"unicode/utf8"
)

// RequestLimits says how an http.Handler's requests are limited. What a function of it does not find, or panics over, lets
// no request through: another subject, cost or plan stands in.
type RequestLimits struct {
	// Limiter limits all requests. Exactly one of Limiter and Plans must be set.
	Limiter *RateLimiter
	// Plans are the limiters of the plans that Plan names. An unknown plan is the strictest one of them: the one that gives
	// back the fewest units in the long run, then the one of the smallest burst, then the first by name.
	Plans map[string]*RateLimiter
	Plan  func(*http.Request) string
	// Unlimited are names of plans whose requests all pass, and are not counted.
	Unlimited []string
	// LimitOf finds a request's own limit, of the policy that it would have without. Where it finds what is no limit, such as
	// the zero Limit, there is no other.
	LimitOf func(*http.Request) Limit
	// Key finds the subject, such as a user. Where it is nil, or finds no UTF-8 text, the caller's address is the subject.
	Key func(*http.Request) string
	// Cost is 1 where it is nil or finds less than 1, and at most 10^12.
	Cost func(*http.Request) int64
	// TrustedProxies are addresses and networks, such as 10.0.0.0/8, whose X-Forwarded-For is believed; unix is whoever has no
	// address, as on a Unix socket.
	TrustedProxies []string
	// Exempt are addresses and networks of callers that are not limited, and Skip finds requests that are not.
	Exempt []string
	Skip   func(*http.Request) bool
	// DryRun decides and charges, and serves nevertheless, without fields; the limiter's OnOutcome hears of it.
	DryRun bool
	Form   HeaderForm
	// Timeout is how long a decision is waited for, 1 second by default.
	Timeout time.Duration
	// OnError answers where a limiter's call ends with an error; 503 by default. It cannot serve the request.
	OnError func(http.ResponseWriter, *http.Request, error)
	// OnDenied answers a request that the server denied, in place of status 429 and the problem body; the fields are set. What
	// is undecided is answered by OnError, or 503.
	OnDenied func(http.ResponseWriter, *http.Request, Decision)
}

// What the limits of a request have decided so far, and which keys they charged, in its context.
type answersKey struct{}

type requestAnswers struct {
	decided []PolicyAnswer
	charged []string
}

type requests struct {
	RequestLimits
	plans           map[string]plan
	strictest       string
	trusted, exempt networks
	own             ownPlans
	twice           sync.Once
}

// LimitRequests makes a middleware: an allowed request goes on with RateLimit fields, a denied one is answered 429, and 503
// where a limiter that Deny was chosen for denies without a decision. A denial has a problem body. It also decides about
// callers who have gone meanwhile, so that going is no outage. Of several limits the fields are those of all, the strictest
// first. A leaky bucket, whose callers wait, is refused.
func LimitRequests(limits RequestLimits) (func(http.Handler) http.Handler, error) {
	made := &requests{RequestLimits: limits, plans: map[string]plan{}}
	if (limits.Limiter == nil) == (len(limits.Plans) == 0) || (limits.Plan == nil) != (len(limits.Plans) == 0) {
		return nil, errors.New("limits must have a Limiter, or Plans and Plan")
	}
	if limits.Timeout != 0 && limits.Timeout < time.Millisecond {
		// Such as 200 without a unit, after which nobody would be limited.
		return nil, fmt.Errorf("Timeout must be at least 1 millisecond: %v", limits.Timeout)
	}
	if limits.Form < Draft11 || limits.Form > XRateLimit {
		return nil, fmt.Errorf("Form must be Draft11, Draft07, Draft06 or XRateLimit: %d", limits.Form)
	}
	if limits.Timeout == 0 {
		made.Timeout = time.Second
	}
	for _, name := range limits.Unlimited {
		if _, ok := limits.Plans[name]; ok || limits.Plan == nil {
			return nil, fmt.Errorf("Unlimited must be names of plans that Plan finds, and of none of Plans: %q", name)
		}
	}
	limiters, byName := limits.Plans, map[string]Limit{}
	if limits.Limiter != nil {
		limiters = map[string]*RateLimiter{"": limits.Limiter}
	}
	var err error
	for name, limiter := range limiters {
		if limiter == nil {
			return nil, fmt.Errorf("Plans must be limiters: %q is nil", name)
		}
		byName[name] = limiter.limit
		if made.plans[name], err = newPlan(limiter, limits.Form); err != nil {
			return nil, err
		}
	}
	made.strictest = strictestPlan(byName)
	if made.trusted, err = parseNetworks("TrustedProxies", limits.TrustedProxies); err != nil {
		return nil, err
	}
	made.exempt, err = parseNetworks("Exempt", limits.Exempt)
	return made.wrap, err
}

// ByHeader is a Key that finds the subject of a header's value, such as that of an API key: header: and its SHA-256 in
// hexadecimal digits. A header that stands twice, or is empty, is not found.
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
		name := found(r, "Plan", l.Plan)
		if slices.Contains(l.Unlimited, name) {
			next.ServeHTTP(w, r)
			return
		}
		plan, ok := l.plans[name]
		if !ok {
			plan = l.plans[l.strictest]
		}
		plan = l.own.of(plan, found(r, "LimitOf", l.LimitOf), l.Form)
		subject := found(r, "Key", l.Key)
		if subject == "" || !utf8.ValidString(subject) {
			subject = addressSubject(address)
		}
		cost := chargedCost(found(r, "Cost", l.Cost))
		earlier, _ := r.Context().Value(answersKey{}).(requestAnswers)
		key := plan.limiter.key(subject)
		if slices.Contains(earlier.charged, key) {
			l.twice.Do(func() {
				slog.Warn("penstock: one request is counted twice: is the limit mounted twice on its route?", "policy", plan.limiter.policy)
			})
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), l.Timeout)
		decision, err := plan.limiter.AcquireN(ctx, subject, cost)
		cancel()
		passed := requestAnswers{earlier.decided, append(slices.Clip(earlier.charged), key)}
		switch {
		case l.DryRun:
			l.pass(w, r, next, passed)
			return
		case err != nil && l.OnError != nil:
			l.OnError(w, r, err)
			return
		case err != nil:
			decision = plan.undecided()
		}
		passed.decided = append(slices.Clip(earlier.decided), PolicyAnswer{plan.headers, decision})
		plan.write(w, passed.decided)
		switch {
		case decision.Allowed():
			l.pass(w, r, next, passed)
		case l.OnDenied != nil && !decision.Undecided:
			l.OnDenied(w, r, decision)
		default:
			plan.deny(w, decision)
		}
	})
}

func (l *requests) pass(w http.ResponseWriter, r *http.Request, next http.Handler, answers requestAnswers) {
	inner := r.WithContext(context.WithValue(r.Context(), answersKey{}, answers))
	next.ServeHTTP(w, inner)
	// Whoever is outside needs them: a logger the route, and the server the form, whose files it removes.
	r.Pattern, r.MultipartForm = inner.Pattern, inner.MultipartForm
}

// What a function finds in a request; nothing if there is no function, or if it panics.
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
