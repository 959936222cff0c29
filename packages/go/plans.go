package penstock

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"
)

// A limiter and its header fields.
type plan struct {
	limiter *RateLimiter
	headers *RateLimitHeaders
}

func newPlan(limiter *RateLimiter, form HeaderForm) (plan, error) {
	if limiter.limit.script.Queues {
		return plan{}, fmt.Errorf("limits must not make callers wait, because a request needs an immediate response: %v", limiter.limit)
	}
	headers, err := NewRateLimitHeaders(limiter.policy, limiter.limit)
	if err != nil {
		return plan{}, err
	}
	headers.Form = form
	return plan{limiter, headers}, nil
}

const mostOwnPlans = 1_000

// A policy's limits, and the functions that choose one for a request.
type policyPlans struct {
	AlsoPolicy
	form      HeaderForm
	plans     map[string]plan
	strictest string
	// The plans for limits that a function returned.
	mutex sync.Mutex
	found map[string]plan
}

func newPolicyPlans(policy AlsoPolicy, form HeaderForm) (*policyPlans, error) {
	if (policy.Limiter == nil) == (len(policy.Plans) == 0) || (policy.Plan == nil) != (len(policy.Plans) == 0) {
		return nil, errors.New("limits must have a Limiter, or Plans and Plan")
	}
	for _, name := range policy.Unlimited {
		if _, ok := policy.Plans[name]; ok || policy.Plan == nil {
			return nil, fmt.Errorf("Unlimited must be names of plans that Plan finds, and of none of Plans: %q", name)
		}
	}
	made, limiters, byName := &policyPlans{AlsoPolicy: policy, form: form, plans: map[string]plan{}}, policy.Plans, map[string]Limit{}
	if policy.Limiter != nil {
		limiters = map[string]*RateLimiter{"": policy.Limiter}
	}
	for name, limiter := range limiters {
		if limiter == nil {
			return nil, fmt.Errorf("Plans must be limiters: %q is nil", name)
		}
		byName[name] = limiter.limit
		var err error
		if made.plans[name], err = newPlan(limiter, form); err != nil {
			return nil, err
		}
	}
	made.strictest = strictestPlan(byName)
	return made, nil
}

// Returns the plan of a request; nil if the request is unlimited.
func (p *policyPlans) of(r *http.Request) *plan {
	name := found(r, "Plan", p.Plan)
	if slices.Contains(p.Unlimited, name) {
		return nil
	}
	plan, ok := p.plans[name]
	if !ok {
		plan = p.plans[p.strictest]
	}
	plan = p.ofLimit(plan, found(r, "LimitOf", p.LimitOf))
	return &plan
}

// Returns the plan for a limit, made from the limiter of the request's usual plan; returns the usual plan if the limit is invalid.
func (p *policyPlans) ofLimit(without plan, limit Limit) plan {
	if limit.script == nil && limit.err == nil {
		return without
	}
	name := fmt.Sprint(without.limiter.policy, " ", without.limiter.limit, " ", limit)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	made, ok := p.found[name]
	if ok {
		return made
	}
	limiter, err := without.limiter.withLimit(limit)
	if err == nil {
		made, err = newPlan(limiter, p.form)
	}
	if err != nil {
		slog.Error("penstock: LimitOf returned no valid limit", "policy", without.limiter.policy, "error", err)
		return without
	}
	if p.found == nil || len(p.found) >= mostOwnPlans {
		p.found = map[string]plan{}
	}
	p.found[name] = made
	return made
}

// Returns the subject of a request.
func (p *policyPlans) subject(r *http.Request, address netip.Addr) string {
	subject := found(r, "Key", p.Key)
	if subject == "" || !utf8.ValidString(subject) {
		return addressSubject(address)
	}
	return subject
}

// Returns the decision for a call that failed.
func (p plan) undecided() Decision {
	return Decision{Limit: p.limiter.limit.tiers[0][0], WaitMicros: -1, Tier: 1, Undecided: true}
}

// Writes the fields of all limits that have been applied to the request so far, replacing earlier fields.
func (p plan) write(w http.ResponseWriter, answers []PolicyAnswer) {
	other := func(answer PolicyAnswer) bool { return answer.Headers.Form != p.headers.Form }
	headers, err := CombineHeaders(slices.DeleteFunc(slices.Clone(answers), other)...)
	if err != nil {
		return
	}
	for _, field := range headers.Fields() {
		w.Header().Set(field.Name, field.Value)
	}
}

func (p plan) deny(w http.ResponseWriter, denied Decision) {
	body, _ := p.headers.Problem(denied, "")
	w.Header().Set("Content-Type", ProblemType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(p.headers.Status(denied))
	_, _ = io.WriteString(w, body)
}
