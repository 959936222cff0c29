package goredis_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

// Answers the status that a request asks for.
var answering = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if status, err := strconv.Atoi(r.Header.Get("X-Answer")); err == nil {
		w.WriteHeader(status)
	}
})

func named(header string) func(*http.Request) string {
	return func(r *http.Request) string { return r.Header.Get(header) }
}

func limiterOn(t *testing.T, policy, limit, prefix string, options ...penstock.Option) *penstock.RateLimiter {
	t.Helper()
	parsed, err := penstock.ParseLimit(limit)
	must(t, err)
	made, err := goredis.New(connect(t, "Client", "REDIS"), policy, parsed, append(options, penstock.WithPrefix(prefix))...)
	must(t, err)
	return made
}

func costing(units int64) func(*http.Request) int64 {
	if units == 0 {
		return nil
	}
	return func(*http.Request) int64 { return units }
}

func handled(t *testing.T, handler http.Handler, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest("GET", "/", nil)
	request.RemoteAddr = "127.0.0.1:4711"
	for at := 0; at < len(headers); at += 2 {
		if headers[at+1] != "" {
			request.Header.Set(headers[at], headers[at+1])
		}
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return answer
}

var unitsLeft = regexp.MustCompile(`"([^"]+)";r=([0-9]+)`)

func TestTwoPoliciesAndChargesByTheResponse(t *testing.T) {
	var vectors struct {
		Joint []struct {
			Name, Policy, Limit string
			Cost                int64
			ChargeWhen          string `json:"charge_when"`
			Also                *struct {
				Policy, Limit string
				Cost          int64
			}
			Requests []struct {
				Subject, Also  string
				Answer, Status int
				Left           map[string]int64
				Violated       []string
			}
		}
	}
	file, err := os.ReadFile(filepath.Join(setting("VECTORS"), "requests.json"))
	must(t, err)
	must(t, json.Unmarshal(file, &vectors))
	for at, each := range vectors.Joint {
		prefix := "t" + random()
		limits := penstock.RequestLimits{
			Limiter: limiterOn(t, each.Policy, each.Limit, prefix), Key: named("X-Subject"), Cost: costing(each.Cost),
			ChargeWhen: each.ChargeWhen, Timeout: time.Minute,
		}
		if each.Also != nil {
			limits.Also = &penstock.AlsoPolicy{
				Limiter: limiterOn(t, each.Also.Policy, each.Also.Limit, prefix), Key: named("X-Also"), Cost: costing(each.Also.Cost),
			}
		}
		limit, err := penstock.LimitRequests(limits)
		must(t, err)
		for _, request := range each.Requests {
			answer := handled(t, limit(answering), "X-Subject", request.Subject, "X-Also", request.Also, "X-Answer", strconv.Itoa(max(200, request.Answer)))
			check(t, each.Name, answer.Code, request.Status)
			left := map[string]int64{}
			for _, of := range unitsLeft.FindAllStringSubmatch(answer.Header().Get("RateLimit"), -1) {
				left[of[1]], _ = strconv.ParseInt(of[2], 10, 64)
			}
			if request.Left != nil {
				check(t, each.Name, fmt.Sprint(left), fmt.Sprint(request.Left))
			}
			if request.Violated != nil {
				var problem struct {
					Violated []string `json:"violated-policies"`
				}
				must(t, json.Unmarshal(answer.Body.Bytes(), &problem))
				check(t, each.Name, fmt.Sprint(problem.Violated), fmt.Sprint(request.Violated))
			}
		}
		replayed(t, "requests.joint", at)
	}
}

// Limits of failed logins of alice, 5 an hour, of which 5 are held; and what holds them.
func fiveHeld(t *testing.T, timeout time.Duration) (penstock.RequestLimits, *penstock.Reservation) {
	t.Helper()
	prefix := penstock.WithPrefix("t" + random())
	client := connect(t, "Client", "REDIS")
	limiter, err := goredis.New(client, "logins", hours(5), prefix)
	must(t, err)
	reservations, err := goredis.NewReservations(client, "logins", 10*time.Minute, prefix, penstock.WithTimeout(time.Minute))
	must(t, err)
	held, err := reservations.Reserve(context.Background(), "alice", penstock.NewEntryLimit("logins", hours(5)).Reserve(5))
	must(t, err)
	alice := func(*http.Request) string { return "alice" }
	return penstock.RequestLimits{Limiter: limiter, Key: alice, ChargeWhen: "status 401, 403", Timeout: timeout}, held
}

func TestARequestThatOnlyHoldsDenyWaitsForThem(t *testing.T) {
	for status, end := range map[int]func(*penstock.Reservation) error{
		http.StatusOK: func(held *penstock.Reservation) error {
			_, err := held.Cancel(context.Background())
			return err
		},
		http.StatusTooManyRequests: (*penstock.Reservation).Close,
	} {
		limits, held := fiveHeld(t, time.Minute)
		denied, answer := make(chan struct{}, 1_000), make(chan int)
		limits.OnReservation = func(event penstock.ReservationEvent) {
			if event.Kind == penstock.EventDenied {
				denied <- struct{}{}
			}
		}
		limit, err := penstock.LimitRequests(limits)
		must(t, err)
		go func() { answer <- handled(t, limit(answering)).Code }()
		<-denied
		must(t, end(held))
		check(t, "the sixth", <-answer, status)
	}
	limits, _ := fiveHeld(t, 3*time.Second)
	limit, err := penstock.LimitRequests(limits)
	must(t, err)
	check(t, "at its deadline", handled(t, limit(answering)).Code, http.StatusTooManyRequests)
}

func TestFailuresAtOnceAreCounted(t *testing.T) {
	limits := penstock.RequestLimits{Limiter: fresh(t, 5), ChargeWhen: "status 401", Timeout: time.Minute}
	limit, err := penstock.LimitRequests(limits)
	must(t, err)
	codes := make(chan int)
	for range 20 {
		go func() { codes <- handled(t, limit(answering), "X-Answer", "401").Code }()
	}
	seen := map[int]int{}
	for range 20 {
		seen[<-codes]++
	}
	check(t, "statuses", fmt.Sprint(seen), "map[401:5 429:15]")
}

func TestChargesByTheResponseWithoutADecision(t *testing.T) {
	for choice, status := range statusOf {
		client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
		own, err := goredis.New(client, "logins", hours(1), penstock.OnUnavailable(choice))
		must(t, err)
		other, err := goredis.New(client, "offices", hours(1))
		must(t, err)
		also := &penstock.AlsoPolicy{Limiter: other, Key: func(*http.Request) string { panic("no office") }}
		limit, err := penstock.LimitRequests(penstock.RequestLimits{Limiter: own, Also: also, ChargeWhen: "status 401", Timeout: 200 * time.Millisecond})
		must(t, err)
		answer := handled(t, limit(answering))
		check(t, "status", answer.Code, status)
		check(t, "no figures", answer.Header().Get("RateLimit"), "")
	}
}

func TestWhatAHandlerAnswersIsCharged(t *testing.T) {
	panics := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a mistake") })
	writes := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("served")) })
	flushes := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush() })
	hints := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusForbidden)
	})
	hijacks := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = connection.Close()
		}
	})
	for status, handler := range map[int]http.Handler{500: panics, 200: writes, 403: hints, 101: hijacks} {
		handlers := []http.Handler{handler}
		if status == 200 {
			handlers = append(handlers, flushes, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		}
		for _, each := range handlers {
			for _, charged := range []bool{true, false} {
				when := "status " + strconv.Itoa(status)
				if !charged {
					when = "status 418"
				}
				limiter := fresh(t, 1)
				limit, err := penstock.LimitRequests(penstock.RequestLimits{Limiter: limiter, ChargeWhen: when, Timeout: time.Minute})
				must(t, err)
				server := httptest.NewServer(recovered(limit(each)))
				for _, want := range []bool{true, !charged} {
					answer, err := http.Get(server.URL)
					// Whoever hijacks gives no answer.
					served := err != nil || answer.StatusCode != http.StatusTooManyRequests
					if err == nil {
						_ = answer.Body.Close()
					}
					check(t, when, served, want)
				}
				server.Close()
			}
		}
	}
}

func recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if recover() != nil {
				w.WriteHeader(http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func TestADryRunHoldsAndRefusesNobody(t *testing.T) {
	var kinds []penstock.EventKind
	limits := penstock.RequestLimits{Limiter: fresh(t, 1), ChargeWhen: "status 401", DryRun: true, Timeout: time.Minute}
	limits.OnReservation = func(event penstock.ReservationEvent) { kinds = append(kinds, event.Kind) }
	limit, err := penstock.LimitRequests(limits)
	must(t, err)
	for _, status := range []int{200, 401, 401} {
		check(t, "status", handled(t, limit(answering), "X-Answer", strconv.Itoa(status)).Code, status)
	}
	check(t, "events", fmt.Sprint(kinds), "[reserved cancelled reserved settled denied]")
}

func TestWhatTwoPoliciesRefuse(t *testing.T) {
	limiter, key := fresh(t, 1), func(*http.Request) string { return "" }
	batches, err := penstock.ParseLimit("interval-bucket:1/1s")
	must(t, err)
	queue := limiterOf(connect(t, "Client", "REDIS"), penstock.LeakyBucket(1, 1, time.Second))
	for want, limits := range map[string]penstock.RequestLimits{
		`ChargeWhen must be "status" and statuses from 100 to 599, such as status 401, 403 or status 4xx: "401"`: {Limiter: limiter, ChargeWhen: "401"},
		"OnReservation must only be set with Also or ChargeWhen: a limiter has OnOutcome":                        {Limiter: limiter, OnReservation: func(penstock.ReservationEvent) {}},
		"Also: limits must have a Limiter, or Plans and Plan":                                                    {Limiter: limiter, Also: &penstock.AlsoPolicy{Key: key}},
		"Also must have a Key":                                 {Limiter: limiter, Also: &penstock.AlsoPolicy{Limiter: limiter}},
		`Also must be another policy: "api"`:                   {Limiter: limiter, Also: &penstock.AlsoPolicy{Limiter: limiter, Key: key}},
		"limit does not support reserve: interval-bucket:1/1s": {Limiter: limiterOf(connect(t, "Client", "REDIS"), batches), ChargeWhen: "status 401"},
		"Also: limits must not make callers wait, because a request needs an immediate response: leaky-bucket:1/1s": {
			Limiter: limiter, Also: &penstock.AlsoPolicy{Limiter: queue, Key: key},
		},
		"options must be those of reservations: RememberDenials, OnOutcome and WithSharedTrips are a limiter's": {
			Limiter: fresh(t, 1, penstock.OnOutcome(func(string, string, penstock.Outcome) {})), ChargeWhen: "status 401",
		},
	} {
		_, err := penstock.LimitRequests(limits)
		check(t, "refused", fmt.Sprint(err), want)
	}
}

func TestPlansAsTheyAreWritten(t *testing.T) {
	var vectors struct {
		Written []struct {
			Name, Says string
			Plans      map[string]string
			Limits     map[string]*string
		} `json:"plans_as_written"`
	}
	file, err := os.ReadFile(filepath.Join(setting("VECTORS"), "requests.json"))
	must(t, err)
	must(t, json.Unmarshal(file, &vectors))
	for at, each := range vectors.Written {
		limits := penstock.RequestLimits{Plans: map[string]*penstock.RateLimiter{}, Plan: named("X-Plan"), Timeout: time.Minute}
		var wrong []error
		prefix := "t" + random()
		for name, text := range each.Plans {
			if text == "unlimited" {
				limits.Unlimited = append(limits.Unlimited, name)
			} else if limit, err := penstock.ParseLimit(text); err != nil {
				wrong = append(wrong, err)
			} else {
				limits.Plans[name], err = goredis.New(connect(t, "Client", "REDIS"), "api", limit, penstock.WithPrefix(prefix))
				must(t, err)
			}
		}
		limit, err := penstock.LimitRequests(limits)
		if err = errors.Join(append(wrong, err)...); each.Limits == nil {
			check(t, each.Name, err != nil && strings.Contains(err.Error(), each.Says), true)
		} else {
			must(t, err)
		}
		for plan, text := range each.Limits {
			want := ""
			if text != nil {
				limit, err := penstock.ParseLimit(*text)
				must(t, err)
				headers, err := penstock.NewRateLimitHeaders("api", limit)
				must(t, err)
				fields, err := headers.Fields(penstock.Decision{Granted: 1, Limit: int64(quotaOf(t, *text)), Tier: 1})
				must(t, err)
				want = fields[0].Value
			}
			check(t, each.Name+": "+plan, handled(t, limit(answering), "X-Plan", plan).Header().Get("RateLimit-Policy"), want)
		}
		replayed(t, "requests.plans_as_written", at)
	}
}

// The units of a limit of one tier.
func quotaOf(t *testing.T, text string) int {
	t.Helper()
	units, err := strconv.Atoi(regexp.MustCompile(`:([0-9]+)/`).FindStringSubmatch(text)[1])
	must(t, err)
	return units
}
