package penstock_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
)

func TestLimits(t *testing.T) {
	var file struct {
		Limits []struct {
			Text, Script, Marker, Normal string
			Arguments                    []string
			ErrorAt                      *int   `json:"error_at"`
			Meant                        string `json:"did_you_mean"`
		}
	}
	penstock.Vectors(t, "limits", &file)
	for at, example := range file.Limits {
		penstock.Replayed(t, "limits.limits", at)
		limit, err := penstock.ParseLimit(example.Text)
		if example.ErrorAt != nil {
			if place := fmt.Sprintf("limit \"%s\" at %d, \"", example.Text, *example.ErrorAt); err == nil || !strings.HasPrefix(err.Error(), place) {
				t.Errorf("%s: %v", place, err)
			} else if meant := "; did you mean \"" + example.Meant + "\"?"; strings.Contains(err.Error(), "did you mean") != (example.Meant != "") ||
				example.Meant != "" && !strings.HasSuffix(err.Error(), meant) {
				t.Errorf("%s: %v", meant, err)
			}
			continue
		}
		if err != nil || limit.Script().Name != example.Script || !slices.Equal(limit.Args(), example.Arguments) ||
			limit.Marker() != example.Marker || limit.String() != example.Normal {
			t.Errorf("%s: %v %v %v", example.Text, limit, limit.Args(), err)
		}
	}
}

func TestHTTP(t *testing.T) {
	var file struct {
		Answers []struct {
			Policy, Limit, Form, Detail string
			Names                       []string
			QuotaUnit                   string `json:"quota_unit"`
			Reply                       [6]int64
			Enforced                    *bool
			Fields                      [][2]string
			Status                      int
			Problem                     map[string]any
		}
	}
	penstock.Vectors(t, "http", &file)
	forms := map[string]penstock.HeaderForm{"": penstock.Draft11, "draft-11": penstock.Draft11, "draft-07": penstock.Draft07, "draft-06": penstock.Draft06, "x-rate-limit": penstock.XRateLimit}
	for at, example := range file.Answers {
		penstock.Replayed(t, "http.answers", at)
		limit, err := penstock.ParseLimit(example.Limit)
		headers, wrong := penstock.NewRateLimitHeaders(example.Policy, limit, example.Names...)
		if err := errors.Join(err, wrong); err != nil {
			t.Fatal(at, err)
		}
		if example.QuotaUnit != "" {
			wrong = headers.QuotaUnit(example.QuotaUnit)
		}
		headers.Form = forms[example.Form]
		six := example.Reply
		decision := penstock.Decision{six[0], six[1], six[2], six[3], six[4], six[5], example.Enforced != nil, false}
		fields, err := headers.Fields(decision)
		var got [][2]string
		for _, field := range fields {
			got = append(got, [2]string{field.Name, field.Value})
		}
		if errors.Join(err, wrong) != nil || !slices.Equal(got, example.Fields) {
			t.Errorf("%d: %v instead of %v; %v %v", at, got, example.Fields, err, wrong)
		}
		body, err := headers.Problem(decision, example.Detail)
		if decision.Allowed() {
			if err == nil || !strings.HasPrefix(err.Error(), "denied must") {
				t.Errorf("%d: %v", at, err)
			}
			continue
		}
		var problem map[string]any
		if err := errors.Join(err, json.Unmarshal([]byte(body), &problem)); err != nil || !reflect.DeepEqual(problem, example.Problem) {
			t.Errorf("%d: %s instead of %v: %v", at, body, example.Problem, err)
		}
		if headers.Status(decision) != example.Status || strings.ContainsFunc(body, func(r rune) bool { return r > 0x7e }) {
			t.Errorf("%d: %d %s", at, headers.Status(decision), body)
		}
	}
}

type combinedExample struct {
	Form    string
	Fields  [][2]string
	Status  int
	Problem map[string]any
}

func (e combinedExample) check(t *testing.T, at int, headers *penstock.CombinedHeaders, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(at, err)
	}
	var got [][2]string
	for _, field := range headers.Fields() {
		got = append(got, [2]string{field.Name, field.Value})
	}
	status, want := headers.Status(), e.Status
	body, err := headers.Problem("")
	var problem map[string]any
	if e.Status == 0 {
		want = 200
		if err == nil || !strings.HasPrefix(err.Error(), "a policy must deny") {
			t.Errorf("%d: %v", at, err)
		}
	} else if err := errors.Join(err, json.Unmarshal([]byte(body), &problem)); err != nil {
		t.Error(at, err)
	}
	if !slices.Equal(got, e.Fields) || status != want || !reflect.DeepEqual(problem, e.Problem) {
		t.Errorf("%d: %v %d %s instead of %v", at, got, status, body, e)
	}
}

func TestHTTPOfSeveralPolicies(t *testing.T) {
	var file struct {
		Several []struct {
			combinedExample
			Policies []struct {
				Policy, Limit string
				Reply         [6]int64
				Enforced      *bool
			}
		}
		Reservations []struct {
			combinedExample
			Entries []struct{ Policy, Limit, Mode, Within string }
			Reply   []int64
		}
	}
	penstock.Vectors(t, "http", &file)
	forms := map[string]penstock.HeaderForm{"": penstock.Draft11, "draft-07": penstock.Draft07, "draft-06": penstock.Draft06, "x-rate-limit": penstock.XRateLimit}
	for at, example := range file.Several {
		penstock.Replayed(t, "http.several", at)
		var answers []penstock.PolicyAnswer
		for _, each := range example.Policies {
			limit, err := penstock.ParseLimit(each.Limit)
			headers, wrong := penstock.NewRateLimitHeaders(each.Policy, limit)
			if err := errors.Join(err, wrong); err != nil {
				t.Fatal(at, err)
			}
			headers.Form = forms[example.Form]
			six := each.Reply
			decision := penstock.Decision{six[0], six[1], six[2], six[3], six[4], six[5], each.Enforced != nil, false}
			answers = append(answers, penstock.PolicyAnswer{headers, decision})
		}
		headers, err := penstock.CombineHeaders(answers...)
		example.check(t, at, headers, err)
	}
	for at, example := range file.Reservations {
		penstock.Replayed(t, "http.reservations", at)
		reply := example.Reply
		answer := penstock.ReservationAnswer{Granted: reply[0], WaitMicros: reply[1], Denying: int(reply[2]) - 1}
		for number, each := range example.Entries {
			limit, err := penstock.ParseEntryLimit(each.Policy, each.Limit)
			if err != nil {
				t.Fatal(at, err)
			}
			entry := map[string]func(int64) penstock.EntryCost{"charge": limit.Charge, "reserve": limit.Reserve}[each.Mode](1)
			if each.Within != "" {
				entry = entry.Within(each.Within)
			}
			five := reply[4+5*number:]
			answer.Usages = append(answer.Usages, penstock.EntryUsage{entry, five[0], five[1], five[2], five[3], five[4]})
		}
		headers, err := answer.Headers(forms[example.Form])
		example.check(t, at, headers, err)
		answer.Granted, answer.Denying, answer.Undecided = 0, -1, true
		if headers, err = answer.Headers(forms[example.Form]); err != nil || headers.Status() != 503 {
			t.Error(at, headers, err)
		}
	}
	api, _ := penstock.NewRateLimitHeaders("api", penstock.TokenBucket(100, 10, time.Second))
	other, _ := penstock.NewRateLimitHeaders("other", penstock.TokenBucket(100, 10, time.Second))
	other.Form = penstock.Draft07
	decided := penstock.Decision{Granted: 1, Limit: 100, Remaining: 99, ResetMicros: 1, Tier: 1}
	for _, answers := range [][]penstock.PolicyAnswer{nil, {{api, decided}, {other, decided}}} {
		if _, err := penstock.CombineHeaders(answers...); err == nil || !strings.HasPrefix(err.Error(), "answers must be") {
			t.Error(err)
		}
	}
	if _, err := (penstock.ReservationAnswer{}).Headers(penstock.Draft11); err == nil {
		t.Error("of no call")
	}
}

func TestWhatAFieldCannotHold(t *testing.T) {
	bucket := penstock.TokenBucket(100, 10, time.Second)
	for _, name := range []string{"", "t\u00e4glich", "a\nb", "\x7f"} {
		_, policy := penstock.NewRateLimitHeaders(name, bucket)
		_, names := penstock.NewRateLimitHeaders("api", bucket, name)
		_, several := penstock.NewRateLimitHeaders("api", bucket, "a", "b")
		headers, _ := penstock.NewRateLimitHeaders("api", bucket)
		_, another := headers.Fields(penstock.Decision{Granted: 1, Limit: 50, Remaining: 49, ResetMicros: 1, Tier: 1})
		for argument, err := range map[string]error{"policy": policy, "names": errors.Join(names, several), "quota unit": headers.QuotaUnit(name), "decision": another} {
			if err == nil || !strings.HasPrefix(err.Error(), argument+" must") {
				t.Errorf("%s: %v", argument, err)
			}
		}
	}
}
