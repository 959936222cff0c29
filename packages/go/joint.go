package penstock

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var statusPattern = regexp.MustCompile(`^[1-5](xx|[0-9][0-9])$`)

// Parses the statuses of ChargeWhen.
func statusesOf(text string) (*regexp.Regexp, error) {
	named, ok := strings.CutPrefix(text, "status ")
	statuses := strings.Split(named, ",")
	for at, status := range statuses {
		statuses[at] = strings.TrimSpace(status)
		ok = ok && statusPattern.MatchString(statuses[at])
	}
	if !ok {
		return nil, fmt.Errorf(`ChargeWhen must be "status" and statuses from 100 to 599, such as status 401, 403 or status 4xx: %q`, text)
	}
	return regexp.MustCompile("^(" + strings.ReplaceAll(strings.Join(statuses, "|"), "x", "[0-9]") + ")$"), nil
}

// Validates Also and ChargeWhen, and creates reservations with the sender and the options of the strictest limiter.
func (l *requests) join(own *policyPlans) (err error) {
	l.policies = []*policyPlans{own}
	if l.Also == nil && l.ChargeWhen == "" {
		if l.OnReservation != nil {
			return errors.New("OnReservation must only be set with Also or ChargeWhen: a limiter has OnOutcome")
		}
		return nil
	}
	if l.ChargeWhen != "" {
		if l.charged, err = statusesOf(l.ChargeWhen); err != nil {
			return err
		}
	}
	limiter := own.plans[own.strictest].limiter
	options := append(slices.Clone(limiter.options), WithTimeout(l.Timeout), OnReservation(l.OnReservation))
	if l.reservations, err = NewReservations(limiter.sender, limiter.policy, max(heldFor, l.Timeout), options...); err != nil {
		return err
	}
	if l.Also != nil {
		also, err := newPolicyPlans(*l.Also, l.Form)
		switch {
		case err != nil:
			return fmt.Errorf("Also: %w", err)
		case l.Also.Key == nil:
			return errors.New("Also must have a Key")
		case also.plans[also.strictest].limiter.policy == limiter.policy:
			return fmt.Errorf("Also must be another policy: %q", limiter.policy)
		}
		l.policies = append(l.policies, also)
	}
	for _, policy := range l.policies {
		for _, plan := range policy.plans {
			if entry := l.entry(askedUnits{plan: plan, cost: 1}); entry.err != nil {
				return entry.err
			}
		}
	}
	return nil
}

// The units that a request needs under one limit, for the group or for a member of it.
type askedUnits struct {
	plan
	cost   int64
	within string
}

func (l *requests) entry(units askedUnits) EntryCost {
	named := NewEntryLimit(units.limiter.policy, units.limiter.limit)
	entry := named.Charge(units.cost)
	if l.charged != nil {
		entry = named.Reserve(units.cost)
	}
	if units.within != "" {
		entry = entry.Within(units.within)
	}
	return entry
}

// The units that a request needs under the limits that decide it jointly, and its subject under the last of them.
type requestCall struct {
	asked []askedUnits
	group string
}

func (l *requests) callOf(r *http.Request, address netip.Addr) (call requestCall) {
	var cost int64
	for at, policy := range l.policies {
		plan := policy.of(r)
		if plan == nil && len(l.policies) == 1 {
			return call
		}
		call.group = policy.subject(r, address)
		if at == 0 || policy.Cost != nil {
			cost = chargedCost(found(r, "Cost", policy.Cost))
		}
		if plan != nil {
			units := askedUnits{plan: *plan, cost: cost}
			if at < len(l.policies)-1 {
				units.within = call.group
			}
			call.asked = append(call.asked, units)
		}
	}
	return call
}

// Returns the charged keys. They reveal a limit that is mounted twice.
func (c requestCall) key() string {
	limiter := c.asked[0].limiter
	return fmt.Sprintf("%s/%q", limiter.key(c.group), c.asked[0].within)
}

// Returns the decisions for a call that failed.
func (c requestCall) undecided() (decisions []Decision) {
	for _, units := range c.asked {
		decisions = append(decisions, units.undecided())
	}
	return decisions
}

// Returns the joint decision of the limits, and the units held.
func (l *requests) decide(ctx context.Context, call requestCall) ([]Decision, *Reservation, error) {
	if l.reservations == nil {
		ctx, cancel := context.WithTimeout(ctx, l.Timeout)
		defer cancel()
		decision, err := call.asked[0].limiter.AcquireN(ctx, call.group, call.asked[0].cost)
		return []Decision{decision}, nil, err
	}
	var entries []EntryCost
	for _, units := range call.asked {
		entries = append(entries, l.entry(units))
	}
	held, err := l.reserve(ctx, call.group, entries)
	if err != nil {
		return nil, nil, err
	}
	if l.charged != nil && held.Allowed() && !held.Undecided {
		return held.decisions(), held, nil
	}
	return held.decisions(), nil, nil
}

// Requests all units; if only held units cause the denial, it retries until Timeout.
func (l *requests) reserve(ctx context.Context, group string, entries []EntryCost) (*Reservation, error) {
	last := time.Now().Add(l.Timeout)
	for {
		call, err := l.reservations.Reserve(ctx, group, entries...)
		if err != nil || l.charged == nil || l.DryRun || !call.deniedByHeld() {
			return call, err
		}
		if pause := call.AskAgainAfter(); time.Now().Add(pause).After(last) || !slept(ctx, pause) {
			return call, nil
		}
	}
}

// Reports whether the call would be allowed if all held units were returned.
func (a ReservationAnswer) deniedByHeld() bool {
	if a.Allowed() || a.Denying < 0 {
		return false
	}
	usage := a.Usages[a.Denying]
	return usage.Held > 0 && usage.Remaining+usage.Held >= usage.Entry.units
}

// Serves a request, and settles its held units as soon as the status of the response is known.
func (l *requests) serveHeld(w http.ResponseWriter, r *http.Request, next http.Handler, held *Reservation) {
	writer := &settlingWriter{ResponseWriter: w, settle: func(status int) { l.settle(held, status) }}
	status := http.StatusInternalServerError
	// The units are settled even if the handler panics; the code that recovers sets the status.
	defer func() { writer.end(status) }()
	next.ServeHTTP(writer, r)
	status = http.StatusOK
	// The writers of gin and chi also report data that was written to the underlying writer.
	if known, ok := w.(interface{ Status() int }); ok && known.Status() != 0 {
		status = known.Status()
	}
}

func (l *requests) settle(held *Reservation, status int) {
	var result SettleResult
	var err error
	if l.charged.MatchString(strconv.Itoa(status)) {
		result, err = Settled, held.Close()
	} else {
		result, err = held.Cancel(context.Background())
	}
	if err != nil || result != Settled {
		slog.Warn("penstock: the units held for a request were not settled, and are charged when they expire", "policy", l.reservations.name, "result", result, "error", err)
	}
}

// A ResponseWriter that settles its request's held units when the status is known, before the response is sent.
type settlingWriter struct {
	http.ResponseWriter
	settle func(status int)
}

func (w *settlingWriter) end(status int) {
	if settle := w.settle; settle != nil {
		w.settle = nil
		settle(status)
	}
}

func (w *settlingWriter) WriteHeader(status int) {
	if status >= 200 || status == http.StatusSwitchingProtocols {
		w.end(status)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *settlingWriter) Write(body []byte) (int, error) {
	w.end(http.StatusOK)
	return w.ResponseWriter.Write(body)
}

// Flush supports handlers that do not use http.ResponseController.
func (w *settlingWriter) Flush() {
	w.end(http.StatusOK)
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Hijack supports handlers that do not use http.ResponseController.
func (w *settlingWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.end(http.StatusSwitchingProtocols)
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// Unwrap supports http.ResponseController.
func (w *settlingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
