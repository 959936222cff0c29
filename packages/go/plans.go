package penstock

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
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

// A call that ended with an error.
func (p plan) undecided() Decision {
	return Decision{Limit: p.limiter.limit.tiers[0][0], Tier: 1, Undecided: true}
}

func (p plan) write(w http.ResponseWriter, decision Decision) {
	fields, _ := p.headers.Fields(decision)
	for _, field := range fields {
		if p.headers.Form == Draft11 && field.Name != "Retry-After" {
			// A list, to which each middleware that stands before another adds.
			w.Header().Add(field.Name, field.Value)
		} else {
			w.Header().Set(field.Name, field.Value)
		}
	}
}

func (p plan) deny(w http.ResponseWriter, denied Decision) {
	body, _ := p.headers.Problem(denied, "")
	w.Header().Set("Content-Type", ProblemType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(p.headers.Status(denied))
	_, _ = io.WriteString(w, body)
}
