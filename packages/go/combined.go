package penstock

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// PolicyAnswer is a decision under a policy, with the policy's headers.
type PolicyAnswer struct {
	Headers  *RateLimitHeaders
	Decision Decision
}

// CombinedHeaders formats the decisions of several policies about one request as header fields, the strictest first, and as a problem body
// if one of them is a denial.
//
// Denials come before all other decisions, starting with the longest wait. The other decisions follow in order of units remaining, starting
// with the fewest; Undecided decisions come last. Ties keep their order. If two decisions have the same policy name, only the stricter one
// is written. Draft11 lists all policies; the other formats have room only for the strictest. Retry-After is the longest wait; it is
// omitted if waiting does not help one of the denials.
type CombinedHeaders struct {
	form     HeaderForm
	policies []answeredPolicy
}

type answeredPolicy struct {
	decision Decision
	names    []string
	fields   []Field
}

// CombineHeaders combines the headers and decisions of one or more policies; all headers must have the same format.
func CombineHeaders(answers ...PolicyAnswer) (*CombinedHeaders, error) {
	var policies []answeredPolicy
	for _, answer := range answers {
		if answer.Headers.Form != answers[0].Headers.Form {
			return nil, errors.New("answers must be of one form")
		}
		policy, err := answered(answer.Headers, answer.Decision)
		if err != nil {
			return nil, err
		}
		policies = append(policies, policy)
	}
	if len(policies) == 0 {
		return nil, errors.New("answers must be at least one")
	}
	return combined(answers[0].Headers.Form, policies), nil
}

// Headers returns the headers for all limits of a call. Held units count as used. A concurrency limit has the quota unit
// concurrent-requests and no times, because a place can become free at any time.
func (a ReservationAnswer) Headers(form HeaderForm) (*CombinedHeaders, error) {
	var policies []answeredPolicy
	decisions := a.decisions()
	for at, usage := range a.Usages {
		policy, err := answeredEntry(usage.Entry, decisions[at], form)
		if err != nil {
			return nil, err
		}
		policies = append(policies, policy)
	}
	if len(policies) == 0 {
		return nil, errors.New("the answer must be that of a call")
	}
	return combined(form, policies), nil
}

// Returns the decision under each limit of a call. After a denial, only the limit with the longest wait is known to deny the call; for an
// undecided call, all limits are reported as denying it.
func (a ReservationAnswer) decisions() []Decision {
	decisions := make([]Decision, len(a.Usages))
	for at, usage := range a.Usages {
		decisions[at] = Decision{
			Granted: 1, Limit: usage.Limit, Remaining: usage.Remaining, ResetMicros: usage.ResetMicros, Tier: usage.Tier,
			Undecided: a.Undecided,
		}
		if !a.Allowed() && (a.Undecided || at == a.Denying) {
			decisions[at].Granted, decisions[at].WaitMicros = 0, a.WaitMicros
		}
	}
	return decisions
}

// Fields returns the fields in the order in which to write them.
func (h *CombinedHeaders) Fields() []Field {
	strictest := h.policies[0].fields
	if h.form != Draft11 {
		return slices.Clone(strictest)
	}
	var fields []Field
	lists := []string{"RateLimit-Policy", "RateLimit"}
	for _, name := range lists {
		var all []string
		for _, policy := range h.policies {
			for _, field := range policy.fields {
				if field.Name == name {
					all = append(all, field.Value)
				}
			}
		}
		if len(all) > 0 {
			fields = append(fields, Field{name, strings.Join(all, ", ")})
		}
	}
	for _, field := range strictest {
		if !slices.Contains(lists, field.Name) {
			fields = append(fields, field)
		}
	}
	return fields
}

// Status returns the status of the response. It is 200 if no policy denies the request. Otherwise it is 429, or 503 if the server made none
// of the decisions.
func (h *CombinedHeaders) Status() int {
	denials, exceeded := h.denials()
	switch {
	case len(denials) == 0:
		return 200
	case exceeded:
		return 429
	}
	return 503
}

// Problem returns the body, in ASCII, of the response if a policy denies the request. It names all policies that are known to deny it, the
// strictest first. An empty detail is omitted.
func (h *CombinedHeaders) Problem(detail string) (string, error) {
	denials, exceeded := h.denials()
	if len(denials) == 0 {
		return "", fmt.Errorf("a policy must deny: %v", h.Fields())
	}
	violated := []string{}
	for _, policy := range denials {
		if !policy.decision.Undecided {
			violated = append(violated, policy.names[policy.decision.Tier-1])
		}
	}
	return problemBody(exceeded, violated, detail)
}

func (h *CombinedHeaders) denials() (denials []answeredPolicy, exceeded bool) {
	for _, policy := range h.policies {
		if !policy.decision.Allowed() {
			denials, exceeded = append(denials, policy), exceeded || !policy.decision.Undecided
		}
	}
	return denials, exceeded
}

func combined(form HeaderForm, policies []answeredPolicy) *CombinedHeaders {
	slices.SortStableFunc(policies, func(one, other answeredPolicy) int { return slices.Compare(order(one.decision), order(other.decision)) })
	taken := map[string]bool{}
	made := &CombinedHeaders{form: form}
	for _, policy := range policies {
		if slices.ContainsFunc(policy.names, func(name string) bool { return taken[name] }) {
			continue
		}
		made.policies = append(made.policies, policy)
		for _, name := range policy.names {
			taken[name] = true
		}
	}
	return made
}

// Returns the sort key by which the strictest decision comes first.
func order(decision Decision) []int64 {
	keys := []int64{1, 0, 0, decision.Remaining}
	if !decision.Allowed() {
		keys[0], keys[1] = 0, -decision.WaitMicros
		if decision.WaitMicros < 0 {
			keys[1] = math.MinInt64
		}
	}
	if decision.Undecided {
		keys[2] = 1
	}
	return keys
}

func answered(headers *RateLimitHeaders, decision Decision) (answeredPolicy, error) {
	fields, err := headers.Fields(decision)
	return answeredPolicy{decision, headers.names, fields}, err
}

func answeredEntry(entry EntryCost, decision Decision, form HeaderForm) (answeredPolicy, error) {
	limit, err := ParseEntryLimit(entry.policy, entry.limit)
	if err != nil {
		return answeredPolicy{}, err
	}
	if limit.places == 0 {
		headers, err := NewRateLimitHeaders(entry.policy, limit.rate)
		if err != nil {
			return answeredPolicy{}, err
		}
		headers.Form = form
		return answered(headers, decision)
	}
	name, fields := quoted(entry.policy), []Field(nil)
	if form == Draft11 {
		fields = append(fields, Field{"RateLimit-Policy", fmt.Sprintf(`%s;q=%d;qu="concurrent-requests"`, name, decision.Limit)})
		if !decision.Undecided {
			fields = append(fields, Field{"RateLimit", fmt.Sprintf("%s;r=%d", name, decision.Remaining)})
		}
	} else {
		fields = threeFigures(form, decision, seconds(decision.ResetMicros))
	}
	return answeredPolicy{decision, []string{entry.policy}, append(fields, retryAfter(decision)...)}, nil
}
