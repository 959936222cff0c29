package penstock

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ProblemType is the media type of problem bodies (RFC 9457).
const ProblemType = "application/problem+json"

const problemTypes = "https://iana.org/assignments/http-problem-types#"

// HeaderForm is a version of draft-ietf-httpapi-ratelimit-headers, or the common X-RateLimit fields.
type HeaderForm int

// The formats.
const (
	Draft11 HeaderForm = iota
	Draft07
	Draft06
	XRateLimit
)

// Field is a header field.
type Field struct{ Name, Value string }

// RateLimitHeaders formats the decisions of one policy as header fields and, for denials, as problem bodies. Form can be set before the
// first use. docs/http.md explains the fields.
type RateLimitHeaders struct {
	Form  HeaderForm
	limit Limit
	names []string
	unit  string
}

// NewRateLimitHeaders creates the headers for a policy, whose name is printable ASCII. To name the tiers, pass a different name for each of
// them; by default, several tiers are named api-1, api-2 and so on.
func NewRateLimitHeaders(policy string, limit Limit, names ...string) (*RateLimitHeaders, error) {
	if err := limit.Err(); err != nil {
		return nil, err
	}
	if err := printable("policy", policy); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = []string{policy}
		for tier := range limit.tiers[1:] {
			names = append(names, fmt.Sprintf("%s-%d", policy, tier+2))
		}
		if len(names) > 1 {
			names[0] += "-1"
		}
	}
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	if len(names) != len(limit.tiers) || len(slices.Compact(sorted)) < len(names) {
		return nil, fmt.Errorf("names must be %d names that differ: %q", len(limit.tiers), names)
	}
	for _, name := range names {
		if err := printable("names", name); err != nil {
			return nil, err
		}
	}
	return &RateLimitHeaders{limit: limit, names: names}, nil
}

// QuotaUnit sets the unit, such as content-bytes, for limits that do not count requests. Only Draft11 writes the unit.
func (h *RateLimitHeaders) QuotaUnit(unit string) error {
	if err := printable("quota unit", unit); err != nil {
		return err
	}
	h.unit = ";qu=" + quoted(unit)
	return nil
}

// Fields returns the fields in the order in which to write them. The remaining units are omitted if the server did not make the decision.
func (h *RateLimitHeaders) Fields(decision Decision) ([]Field, error) {
	tier, err := h.tier(decision)
	if err != nil {
		return nil, err
	}
	more := seconds(untilMore(h.limit.script, tier, decision))
	var fields []Field
	add := func(name, value string) { fields = append(fields, Field{name, value}) }
	switch policy := h.oldPolicy(); {
	case h.Form == Draft11:
		add("RateLimit-Policy", h.policy())
	case h.Form != XRateLimit && policy != "":
		add("RateLimit-Policy", policy)
	}
	switch {
	case h.Form != Draft11:
		reset := more
		if h.Form == XRateLimit {
			reset = seconds(decision.ResetMicros)
		}
		fields = append(fields, threeFigures(h.Form, decision, reset)...)
	case !decision.Undecided:
		now := fmt.Sprintf("%s;r=%d", quoted(h.names[decision.Tier-1]), decision.Remaining)
		if more > 0 {
			now += fmt.Sprintf(";t=%d", more)
		}
		add("RateLimit", now)
	}
	return append(fields, retryAfter(decision)...), nil
}

// Returns the fields of a decision in the formats other than Draft11.
func threeFigures(form HeaderForm, decision Decision, reset int64) []Field {
	switch {
	case decision.Undecided:
		return nil
	case form == Draft07:
		return []Field{{"RateLimit", fmt.Sprintf("limit=%d, remaining=%d, reset=%d", decision.Limit, decision.Remaining, reset)}}
	}
	prefix := "RateLimit"
	if form == XRateLimit {
		prefix = "X-RateLimit"
	}
	text := func(figure int64) string { return strconv.FormatInt(figure, 10) }
	return []Field{{prefix + "-Limit", text(decision.Limit)}, {prefix + "-Remaining", text(decision.Remaining)}, {prefix + "-Reset", text(reset)}}
}

func retryAfter(decision Decision) []Field {
	if after, ok := decision.RetryAfterSeconds(); ok && !decision.Allowed() {
		return []Field{{"Retry-After", strconv.FormatInt(after, 10)}}
	}
	return nil
}

// Status returns the status of the response to a denied call: 429, or 503 if no decision could be made.
func (h *RateLimitHeaders) Status(denied Decision) int {
	if denied.Undecided {
		return http.StatusServiceUnavailable
	}
	return http.StatusTooManyRequests
}

// Problem returns the body of the response to a denied call, in ASCII, of media type ProblemType. An empty detail is omitted.
func (h *RateLimitHeaders) Problem(denied Decision, detail string) (string, error) {
	if _, err := h.tier(denied); err != nil {
		return "", err
	}
	if denied.Allowed() {
		return "", fmt.Errorf("denied must be a denial: %+v", denied)
	}
	if denied.Undecided {
		return problemBody(false, []string{}, detail)
	}
	return problemBody(true, []string{h.names[denied.Tier-1]}, detail)
}

func problemBody(exceeded bool, violated []string, detail string) (string, error) {
	problem := struct {
		Type     string   `json:"type"`
		Title    string   `json:"title"`
		Status   int      `json:"status"`
		Detail   string   `json:"detail,omitempty"`
		Violated []string `json:"violated-policies"`
	}{problemTypes + "quota-exceeded", "Quota exceeded", http.StatusTooManyRequests, detail, violated}
	if !exceeded {
		problem.Type, problem.Title = problemTypes+"temporary-reduced-capacity", "Temporarily reduced capacity"
		problem.Status = http.StatusServiceUnavailable
	}
	body, err := json.Marshal(problem)
	return ascii(string(body)), err
}

func (h *RateLimitHeaders) tier(decision Decision) ([]int64, error) {
	if decision.Tier < 1 || decision.Tier > int64(len(h.limit.tiers)) || h.limit.tiers[decision.Tier-1][0] != decision.Limit {
		return nil, fmt.Errorf("decision must be about %v: %+v", h.limit, decision)
	}
	return h.limit.tiers[decision.Tier-1], nil
}

func (h *RateLimitHeaders) policy() string {
	quotas := make([]string, len(h.limit.tiers))
	for at, tier := range h.limit.tiers {
		quotas[at] = fmt.Sprintf("%s;q=%d%s", quoted(h.names[at]), tier[0], h.unit)
		if window := windowSeconds(h.limit.script, tier); window > 0 {
			quotas[at] += fmt.Sprintf(";w=%d", window)
		}
	}
	return strings.Join(quotas, ", ")
}

// In this draft a window is required, and a quota may occur only once.
func (h *RateLimitHeaders) oldPolicy() string {
	windows := map[int64]int64{}
	var quotas []int64
	for _, tier := range h.limit.tiers {
		if window := windowSeconds(h.limit.script, tier); window > 0 {
			windows[tier[0]] = max(window, windows[tier[0]])
			quotas = append(quotas, tier[0])
		}
	}
	slices.Sort(quotas)
	var policies []string
	for _, quota := range slices.Compact(quotas) {
		policies = append(policies, fmt.Sprintf("%d;w=%d", quota, windows[quota]))
	}
	return strings.Join(policies, ", ")
}

// Returns the time in which a tier refills completely, in seconds; 0 if it is not a whole number.
func windowSeconds(script *Script, tier []int64) int64 {
	units := tier[len(tier)-2]
	if script.Refill == "in_batches" {
		units = min(units, tier[0])
	}
	all := new(big.Int).Mul(big.NewInt(tier[0]), big.NewInt(tier[len(tier)-1]))
	whole, rest := all.QuoRem(all, new(big.Int).Mul(big.NewInt(units), big.NewInt(1_000_000)), new(big.Int))
	if rest.Sign() != 0 {
		return 0
	}
	return whole.Int64()
}

// Returns an upper bound of the time in microseconds until more units are available than now; 0 if there cannot be more.
func untilMore(script *Script, tier []int64, decision Decision) int64 {
	units, period, reset := tier[len(tier)-2], tier[len(tier)-1], decision.ResetMicros
	missing := tier[0] - decision.Remaining
	if missing < 1 || reset == 0 {
		return 0
	}
	more := reset
	switch {
	case script.Refill == "evenly":
		taken := new(big.Int).Mul(big.NewInt(missing-1), big.NewInt(period))
		more = reset - taken.Quo(taken, big.NewInt(units)).Int64()
	case script.Refill == "in_batches":
		more = reset - (missing-1)/units*period
	case script.Refill == "fading" && reset > period && (decision.Allowed() || decision.Remaining > 0):
		// The units of the older window are unknown. If there are none, this bound is exact; otherwise more units are available earlier.
		more = reset - period + (period-1)/missing + 1
	}
	if !decision.Allowed() && decision.WaitMicros >= 0 {
		more = min(more, decision.WaitMicros)
	}
	return max(1, more)
}

func seconds(micros int64) int64 { return micros/1_000_000 + min(1, micros%1_000_000) }

// Formats a string of structured fields (RFC 9651).
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func printable(name, text string) error {
	if text == "" || strings.ContainsFunc(text, func(letter rune) bool { return letter < ' ' || letter >= 0x7f }) {
		return errors.New(name + " must be printable ASCII of at least one character: " + strconv.Quote(text))
	}
	return nil
}

func ascii(text string) string {
	var escaped strings.Builder
	for _, letter := range text {
		switch {
		case letter < 0x7f:
			escaped.WriteRune(letter)
		case letter > 0xffff:
			fmt.Fprintf(&escaped, `\u%04x\u%04x`, 0xd7c0+letter>>10, 0xdc00+letter&0x3ff)
		default:
			fmt.Fprintf(&escaped, `\u%04x`, letter)
		}
	}
	return escaped.String()
}
