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
	// Also is another policy, all or none: a user of two tenants has two counts, a tenant is one slot, and counts begin afresh
	// once.
	Also *AlsoPolicy
	// ChargeWhen are the responses that are charged, such as "status 401, 403" or "status 4xx": the cost is held before, and
	// settled after. A denial by what others hold asks again after 50 to 250 ms, until Timeout. Without a response it is
	// charged after a minute.
	ChargeWhen string
	// OnReservation hears of the calls with Also or ChargeWhen, which are reservations: a limiter's OnOutcome does not.
	OnReservation func(ReservationEvent)
	// OnDenied answers a request that the server denied, in place of status 429 and the problem body; the fields are set. What
	// is undecided is answered by OnError, or 503.
	OnDenied func(http.ResponseWriter, *http.Request, Decision)
}

// AlsoPolicy is another policy that decides a request together with the limits' own: both charge it, or neither. A user of two
// tenants has two counts, a tenant is one slot of a cluster, and counts begin afresh once, as keys move to the tenant's hash tag.
// Its fields are those of RequestLimits; of its limiters only policy and limit count.
type AlsoPolicy struct {
	Limiter   *RateLimiter
	Plans     map[string]*RateLimiter
	Plan      func(*http.Request) string
	Unlimited []string
	LimitOf   func(*http.Request) Limit
	// Key finds whom a request is counted for under this policy, such as the user's tenant.
	Key func(*http.Request) string
	// Cost is that of the limits' own policy where it is nil.
	Cost func(*http.Request) int64
}

// What the limits of a request have decided so far, and which keys they charged, in its context.
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

// How long a request may hold what it is charged when its response is known.
const heldFor = time.Minute

// LimitRequests makes a middleware: an allowed request goes on with RateLimit fields, a denied one is answered 429, and 503
// where a limiter that Deny was chosen for denies without a decision. A denial has a problem body. It also decides about
// callers who have gone meanwhile, so that going is no outage. Of several limits the fields are those of all, the strictest
// first. A leaky bucket, whose callers wait, is refused.
func LimitRequests(limits RequestLimits) (func(http.Handler) http.Handler, error) {
	made := &requests{RequestLimits: limits}
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
