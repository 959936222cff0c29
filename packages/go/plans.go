package penstock

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// A limiter with its fields.
type plan struct {
	limiter *RateLimiter
	headers *RateLimitHeaders
}

func newPlan(limiter *RateLimiter, form HeaderForm) (plan, error) {
	if limiter.limit.script.Name == "leaky-bucket" {
		return plan{}, fmt.Errorf("limits must be none whose callers wait, since a request is answered at once: %v", limiter.limit)
	}
	headers, err := NewRateLimitHeaders(limiter.policy, limiter.limit)
	if err != nil {
		return plan{}, err
	}
	headers.Form = form
	return plan{limiter, headers}, nil
}

// Plans of limits that a function found.
type ownPlans struct {
	mutex sync.Mutex
	made  map[string]plan
}

const mostOwnPlans = 1_000

// The plan of a limit, by the limiter of the plan that a request has without; that plan for what is no limit.
func (o *ownPlans) of(without plan, limit Limit, form HeaderForm) plan {
	if limit.script == nil && limit.err == nil {
		return without
	}
	name := fmt.Sprint(without.limiter.policy, " ", without.limiter.limit, " ", limit)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	made, ok := o.made[name]
	if ok {
		return made
	}
	limiter, err := without.limiter.withLimit(limit)
	if err == nil {
		made, err = newPlan(limiter, form)
	}
	if err != nil {
		slog.Error("penstock: LimitOf found no limit", "policy", without.limiter.policy, "error", err)
		return without
	}
	if o.made == nil || len(o.made) >= mostOwnPlans {
		o.made = map[string]plan{}
	}
	o.made[name] = made
	return made
}

// A call that ended with an error.
func (p plan) undecided() Decision {
	return Decision{Limit: p.limiter.limit.tiers[0][0], WaitMicros: -1, Tier: 1, Undecided: true}
}

// Writes the fields of all limits of the request that have decided so far, in place of those that an earlier one wrote.
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
