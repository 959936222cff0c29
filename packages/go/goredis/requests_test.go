package goredis_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

// A server whose handler counts its requests, behind limits.
type site struct {
	*httptest.Server
	limit  func(http.Handler) http.Handler
	served int
}

func serve(t *testing.T, limits penstock.RequestLimits) *site {
	t.Helper()
	if limits.Timeout == 0 {
		limits.Timeout = time.Minute
	}
	limit, err := penstock.LimitRequests(limits)
	must(t, err)
	made := &site{limit: limit}
	made.Server = httptest.NewServer(limit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { made.served++ })))
	t.Cleanup(made.Close)
	return made
}

// The answer to a request with these headers, and its body.
func (s *site) get(t *testing.T, headers ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest("GET", s.URL, nil)
	must(t, err)
	for at := 0; at < len(headers); at += 2 {
		request.Header.Add(headers[at], headers[at+1])
	}
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer, string(body)
}

// The statuses of as many requests with these headers.
func (s *site) statuses(t *testing.T, requests int, headers ...string) string {
	t.Helper()
	var statuses []string
	for range requests {
		answer, _ := s.get(t, headers...)
		statuses = append(statuses, fmt.Sprint(answer.StatusCode))
	}
	return strings.Join(statuses, " ")
}

func hours(units int64) penstock.Limit { return penstock.FixedWindow(units, time.Hour) }

// A limiter whose keys nobody else has.
func fresh(t *testing.T, units int64, options ...penstock.Option) *penstock.RateLimiter {
	made, err := goredis.New(connect(t, "Client", "REDIS"), "api", hours(units), append(options, penstock.WithPrefix("t"+random()))...)
	must(t, err)
	return made
}

func TestRequestsAreLimitedByASecret(t *testing.T) {
	secret := random()
	limited := serve(t, penstock.RequestLimits{
		Limiter: limiterOf(connect(t, "Client", "REDIS"), window), Key: penstock.ByHeader("X-Api-Key"),
		Cost: func(*http.Request) int64 { return 600 },
	})
	answer, _ := limited.get(t, "X-Api-Key", secret)
	check(t, "served", answer.StatusCode, http.StatusOK)
	check(t, "policy", answer.Header.Get("RateLimit-Policy"), `"api";q=1000;w=3600`)
	check(t, "remaining", strings.HasPrefix(answer.Header.Get("RateLimit"), `"api";r=400;t=`), true)
	answer, body := limited.get(t, "X-Api-Key", secret)
	check(t, "denied", answer.StatusCode, http.StatusTooManyRequests)
	check(t, "type", answer.Header.Get("Content-Type"), penstock.ProblemType)
	check(t, "waits", answer.Header.Get("Retry-After") != "", true)
	check(t, "problem", body, `{"type":"https://iana.org/assignments/http-problem-types#quota-exceeded","title":"Quota exceeded","status":429,"violated-policies":["api"]}`)
	check(t, "served once", limited.served, 1)
	check(t, "hashed", used(t, "Client", "api", fmt.Sprintf("header:%x", sha256.Sum256([]byte(secret)))), 600)
	check(t, "another", limited.statuses(t, 1, "X-Api-Key", random()), "200")
	// Whoever has none, or two, is known by the address.
	check(t, "none", limited.statuses(t, 1), "200")
	check(t, "two", limited.statuses(t, 1, "X-Api-Key", random(), "X-Api-Key", random()), "429")
}

func TestNothingThatIsNotFoundLetsARequestThrough(t *testing.T) {
	text := func(find func() string) func(*http.Request) string {
		return func(*http.Request) string { return find() }
	}
	for name, key := range map[string]func(*http.Request) string{
		"no function": nil, "nothing": text(func() string { return "" }), "no text": text(func() string { return "\xff" + random() }),
		"a panic": text(func() string { panic("no user") }), "no header": penstock.ByHeader("X-Api-Key"),
	} {
		check(t, name, serve(t, penstock.RequestLimits{Limiter: fresh(t, 2), Key: key}).statuses(t, 3), "200 200 429")
	}
	for name, cost := range map[string]func() int64{
		"0": func() int64 { return 0 }, "below": func() int64 { return -5 }, "a panic": func() int64 { panic("no cost") },
	} {
		found := func(*http.Request) int64 { return cost() }
		check(t, name, serve(t, penstock.RequestLimits{Limiter: fresh(t, 2), Cost: found}).statuses(t, 3), "200 200 429")
	}
	huge := serve(t, penstock.RequestLimits{Limiter: fresh(t, 2), Cost: func(*http.Request) int64 { return 1 << 62 }})
	check(t, "impossible", huge.statuses(t, 2), "429 429")
	plans := map[string]*penstock.RateLimiter{"free": fresh(t, 1), "paid": fresh(t, 3)}
	planned := serve(t, penstock.RequestLimits{Plans: plans, Key: penstock.ByHeader("X-User"), Plan: func(r *http.Request) string {
		if r.Header.Get("X-Plan") == "panic" {
			panic("no plan")
		}
		return r.Header.Get("X-Plan")
	}})
	for plan, want := range map[string]string{"paid": "200 200 200 429", "free": "200 429 429 429", "Paid": "200 429 429 429", "": "200 429 429 429", "panic": "200 429 429 429"} {
		check(t, plan, planned.statuses(t, 4, "X-Plan", plan, "X-User", random()), want)
	}
}

func TestCallersBehindProxies(t *testing.T) {
	ours := serve(t, penstock.RequestLimits{Limiter: fresh(t, 1), TrustedProxies: []string{"127.0.0.1", "10.0.0.0/8"}, Exempt: []string{"192.0.2.0/24"}})
	check(t, "a caller", ours.statuses(t, 2, "X-Forwarded-For", "198.51.100.1"), "200 429")
	check(t, "who claims another", ours.statuses(t, 1, "X-Forwarded-For", "1.1.1.1", "X-Forwarded-For", "198.51.100.1, 10.1.1.1"), "429")
	check(t, "as IPv6", ours.statuses(t, 1, "X-Forwarded-For", "::ffff:198.51.100.1"), "429")
	check(t, "one network", ours.statuses(t, 1, "X-Forwarded-For", "2001:db8::1")+ours.statuses(t, 1, "X-Forwarded-For", "2001:db8::2"), "200429")
	check(t, "exempt", ours.statuses(t, 3, "X-Forwarded-For", "192.0.2.9"), "200 200 200")
	check(t, "not exempt", ours.statuses(t, 1, "X-Forwarded-For", "192.0.2.9, 198.51.100.1"), "429")
	socket := serve(t, penstock.RequestLimits{Limiter: fresh(t, 1), TrustedProxies: []string{"unix"}, Exempt: []string{"unix"}})
	for forwarded, want := range map[string]string{"": "404 404 404", "198.51.100.1": "404 429 429", "nobody": "404 404 404"} {
		var statuses []string
		for range 3 {
			request, answer := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
			request.RemoteAddr = "@"
			request.Header.Set("X-Forwarded-For", forwarded)
			socket.limit(http.NotFoundHandler()).ServeHTTP(answer, request)
			statuses = append(statuses, fmt.Sprint(answer.Code))
		}
		check(t, "on a Unix socket "+forwarded, strings.Join(statuses, " "), want)
	}
	foreign := serve(t, penstock.RequestLimits{Limiter: fresh(t, 1), Exempt: []string{"192.0.2.0/24"}})
	check(t, "no proxy of ours", foreign.statuses(t, 1, "X-Forwarded-For", "198.51.100.1")+foreign.statuses(t, 1, "X-Forwarded-For", "192.0.2.1"), "200429")
}

func TestWhoIsSkippedAndWhatIsDry(t *testing.T) {
	skips := serve(t, penstock.RequestLimits{Limiter: fresh(t, 1), Skip: func(r *http.Request) bool {
		if r.Header.Get("X-Skip") == "panic" {
			panic("no header")
		}
		return r.Header.Get("X-Skip") == "yes"
	}})
	check(t, "skipped", skips.statuses(t, 2, "X-Skip", "yes"), "200 200")
	check(t, "not skipped", skips.statuses(t, 2, "X-Skip", "panic"), "200 429")
	denied := 0
	dry := serve(t, penstock.RequestLimits{DryRun: true, Limiter: fresh(t, 1, penstock.OnOutcome(func(_, _ string, outcome penstock.Outcome) {
		if !outcome.Decision.Allowed() {
			denied++
		}
	}))})
	check(t, "dry", dry.statuses(t, 3), "200 200 200")
	check(t, "told", denied, 2)
	answer, _ := dry.get(t)
	check(t, "no field", answer.Header.Get("RateLimit")+answer.Header.Get("Retry-After"), "")
	wrong := limiterOf(signedIn(t, "Client", "nobody", "wrong"), window)
	check(t, "dry without a decision", serve(t, penstock.RequestLimits{DryRun: true, Limiter: wrong}).statuses(t, 1), "200")
}

func TestPlansWithoutALimitAndLimitsOfRequests(t *testing.T) {
	plan := func(r *http.Request) string { return r.Header.Get("X-Plan") }
	limiter := fresh(t, 1)
	planned := serve(t, penstock.RequestLimits{Plans: map[string]*penstock.RateLimiter{"free": limiter}, Plan: plan, Unlimited: []string{"internal"}})
	check(t, "unlimited", planned.statuses(t, 3, "X-Plan", "internal"), "200 200 200")
	answer, _ := planned.get(t, "X-Plan", "internal")
	check(t, "not counted", answer.Header.Get("RateLimit"), "")
	check(t, "another", planned.statuses(t, 2, "X-Plan", "Internal"), "200 429")
	own := serve(t, penstock.RequestLimits{Limiter: fresh(t, 2), LimitOf: func(r *http.Request) penstock.Limit {
		switch text := r.Header.Get("X-Limit"); text {
		case "panic":
			panic("no limit")
		case "":
			return penstock.Limit{}
		default:
			limit, _ := penstock.ParseLimit(text)
			return limit
		}
	}})
	for _, each := range [][2]string{
		{"fixed-window:1/2h", "200 429"}, {"fixed-window:3/3h", "200 200 200 429"}, {"", "200 200 429"},
		{"panic", "429"}, {"fixed-window:0/1h", "429"}, {"leaky-bucket:9/1s", "429"}, {"unlimited", "429"}, {"fixed-window:1/2h", "429"},
	} {
		check(t, each[0], own.statuses(t, strings.Count(each[1], " ")+1, "X-Limit", each[0]), each[1])
	}
	wrong := serve(t, penstock.RequestLimits{Limiter: fresh(t, 1), LimitOf: func(*http.Request) penstock.Limit { return penstock.FixedWindow(0, time.Hour) }})
	check(t, "out of bounds", wrong.statuses(t, 2), "200 429")
	// Many limits are as many limiters, up to a bound.
	units := int64(0)
	many := serve(t, penstock.RequestLimits{Limiter: fresh(t, 1), LimitOf: func(*http.Request) penstock.Limit {
		units++
		return hours(units)
	}})
	for range 1_100 {
		recorder := httptest.NewRecorder()
		many.limit(http.NotFoundHandler()).ServeHTTP(recorder, httptest.NewRequest("GET", "/", nil))
		check(t, "many", recorder.Code, http.StatusNotFound)
	}
}

func TestAnAnswerOfOnesOwn(t *testing.T) {
	denials := 0
	answer := func(w http.ResponseWriter, _ *http.Request, denied penstock.Decision) {
		denials++
		w.WriteHeader(http.StatusPaymentRequired)
		_, _ = fmt.Fprint(w, "Enough of ", denied.Limit)
	}
	limited := serve(t, penstock.RequestLimits{Limiter: fresh(t, 1), OnDenied: answer})
	check(t, "served", limited.statuses(t, 1), "200")
	denied, body := limited.get(t)
	check(t, "its own", fmt.Sprint(denied.StatusCode, " ", body), "402 Enough of 1")
	check(t, "fields", strings.HasPrefix(denied.Header.Get("RateLimit"), `"api";r=0;`) && denied.Header.Get("Retry-After") != "", true)
	check(t, "no problem", denied.Header.Get("Content-Type") == penstock.ProblemType, false)
	// What is undecided is no denial.
	for _, choice := range []penstock.Choice{penstock.Fail, penstock.Deny} {
		away := limiterOf(redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1}), window, penstock.OnUnavailable(choice))
		check(t, "undecided", serve(t, penstock.RequestLimits{Limiter: away, OnDenied: answer}).statuses(t, 1), "503")
	}
	check(t, "denials", denials, 1)
}

func TestALimitThatIsMountedTwiceIsToldOnce(t *testing.T) {
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	for _, dry := range []bool{false, true} {
		log.Reset()
		limit, err := penstock.LimitRequests(penstock.RequestLimits{Limiter: fresh(t, 4), Timeout: time.Minute, DryRun: dry})
		must(t, err)
		handler := limit(limit(http.NotFoundHandler()))
		for range 3 {
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
		}
		check(t, "told once", strings.Count(log.String(), "counted twice"), 1)
	}
	log.Reset()
	limiter, handler := fresh(t, 4), http.Handler(http.NotFoundHandler())
	for _, subject := range []string{"user", "tenant"} {
		limit, err := penstock.LimitRequests(penstock.RequestLimits{Limiter: limiter, Timeout: time.Minute, Key: func(*http.Request) string { return subject }})
		must(t, err)
		handler = limit(handler)
	}
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	check(t, "two subjects are not one", log.String(), "")
}

func TestTheFieldsOfSeveralLimits(t *testing.T) {
	var vectors struct {
		Several []struct {
			Name   string
			Limits []struct{ Policy, Limit string }
			Cost   int64
			Form   string
			Status int
			Fields [][2]string
		}
	}
	file, err := os.ReadFile(filepath.Join(setting("VECTORS"), "requests.json"))
	must(t, err)
	must(t, json.Unmarshal(file, &vectors))
	formOf := map[string]penstock.HeaderForm{"": penstock.Draft11, "draft-07": penstock.Draft07, "x-rate-limit": penstock.XRateLimit}
	for at, each := range vectors.Several {
		var handler http.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
		for _, inner := range slices.Backward(each.Limits) {
			limit, err := penstock.ParseLimit(inner.Limit)
			must(t, err)
			limiter, err := goredis.New(connect(t, "Client", "REDIS"), inner.Policy, limit, penstock.WithPrefix("t"+random()))
			must(t, err)
			middleware, err := penstock.LimitRequests(penstock.RequestLimits{
				Limiter: limiter, Cost: func(*http.Request) int64 { return each.Cost }, Form: formOf[each.Form], Timeout: time.Minute,
			})
			must(t, err)
			handler = middleware(handler)
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
		check(t, each.Name, answer.Code, each.Status)
		for _, field := range each.Fields {
			check(t, each.Name, strings.Join(answer.Header().Values(field[0]), " and "), field[1])
			answer.Header().Del(field[0])
		}
		for name := range answer.Header() {
			check(t, each.Name+": "+name, strings.Contains(name, "Ratelimit"), false)
		}
		replayed(t, "requests.several", at)
	}
}

func TestWhatAHandlerFindsIsKnownOutside(t *testing.T) {
	limit, err := penstock.LimitRequests(penstock.RequestLimits{Limiter: fresh(t, 9), Timeout: time.Minute})
	must(t, err)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders/{id}", func(_ http.ResponseWriter, r *http.Request) { must(t, r.ParseMultipartForm(0)) })
	request := httptest.NewRequest("POST", "/orders/7", strings.NewReader("--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\nc\r\n--x--"))
	request.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	limit(mux).ServeHTTP(httptest.NewRecorder(), request)
	check(t, "route", request.Pattern, "POST /orders/{id}")
	check(t, "files", len(request.MultipartForm.File["a"]), 1)
	must(t, request.MultipartForm.RemoveAll())
}

func TestACallerWhoGoesIsCharged(t *testing.T) {
	limit, err := penstock.LimitRequests(penstock.RequestLimits{Limiter: fresh(t, 1, penstock.OnUnavailable(penstock.Allow)), Timeout: time.Minute})
	must(t, err)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, want := range []int{http.StatusNotFound, http.StatusTooManyRequests} {
		answer := httptest.NewRecorder()
		limit(http.NotFoundHandler()).ServeHTTP(answer, httptest.NewRequest("GET", "/", nil).WithContext(gone))
		check(t, "status", answer.Code, want)
	}
}

var statusOf = map[penstock.Choice]int{penstock.Fail: 503, penstock.Allow: 200, penstock.Deny: 503}

func TestRequestsWithoutADecision(t *testing.T) {
	for _, choice := range []penstock.Choice{penstock.Fail, penstock.Allow, penstock.Deny} {
		options := []penstock.Option{penstock.OnUnavailable(choice), penstock.WithPrefix("t" + random())}
		undecided := func(port, fault, end string) {
			t.Helper()
			client := connect(t, "Client", port)
			through, err := goredis.New(client, "api", hours(1), options...)
			must(t, err)
			asked(t, client)
			limited := serve(t, penstock.RequestLimits{Limiter: through, Timeout: 300 * time.Millisecond})
			serversDo(t, "", fault)
			answer, body := limited.get(t)
			serversDo(t, "", end)
			check(t, fault, answer.StatusCode, statusOf[choice])
			check(t, "no figures", answer.Header.Get("RateLimit"), "")
			if answer.StatusCode != http.StatusOK {
				check(t, "not served", limited.served, 0)
				check(t, "problem", body, `{"type":"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity","title":"Temporarily reduced capacity","status":503,"violated-policies":[]}`)
			}
			check(t, "waits", answer.Header.Get("Retry-After") != "", choice == penstock.Deny)
			healed := serve(t, penstock.RequestLimits{Limiter: through})
			for tries := 0; healed.statuses(t, 2) != "429 429"; tries++ {
				check(t, "limited again", tries < 20, true)
			}
		}
		undecided("PROXY", "stop", "cont")
		undecided("PROXY", "down", "up")
		undecided("REDIS", "crash", "revive")
		for _, name := range names {
			wrong := limiterOf(signedIn(t, name, "nobody", "wrong"), window, append(options, penstock.OnOverload(penstock.Allow))...)
			check(t, "a wrong password", serve(t, penstock.RequestLimits{Limiter: wrong}).statuses(t, 2), "503 503")
		}
	}
	nobody := limiterOf(redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1}), window)
	is := ""
	told := serve(t, penstock.RequestLimits{Limiter: nobody, OnError: func(w http.ResponseWriter, _ *http.Request, err error) {
		is = err.Error()
		w.WriteHeader(http.StatusTeapot)
	}})
	check(t, "answered by the program", told.statuses(t, 1), "418")
	check(t, "told", strings.Contains(is, "refused"), true)
}

func TestWhatRequestLimitsRefuse(t *testing.T) {
	limiter := fresh(t, 1)
	plan := func(*http.Request) string { return "" }
	for want, limits := range map[string]penstock.RequestLimits{
		"limits must have a Limiter, or Plans and Plan":                                  {},
		"limits must have a Limiter, or Plans and Plan\x00":                              {Limiter: limiter, Plan: plan},
		"limits must have a Limiter, or Plans and Plan\x00\x00":                          {Plans: map[string]*penstock.RateLimiter{"a": limiter}},
		`Plans must be limiters: "a" is nil`:                                             {Plan: plan, Plans: map[string]*penstock.RateLimiter{"a": nil}},
		`Unlimited must be names of plans that Plan finds, and of none of Plans: "a"`:    {Limiter: limiter, Unlimited: []string{"a"}},
		`Unlimited must be names of plans that Plan finds, and of none of Plans: "free"`: {Plan: plan, Plans: map[string]*penstock.RateLimiter{"free": limiter}, Unlimited: []string{"free"}},
		"Timeout must be at least 1 millisecond: -1ns":                                   {Limiter: limiter, Timeout: -1},
		"Timeout must be at least 1 millisecond: 200ns":                                  {Limiter: limiter, Timeout: 200},
		"Form must be Draft11, Draft07, Draft06 or XRateLimit: 4":                        {Limiter: limiter, Form: 4},
		`TrustedProxies must be addresses, networks such as 10.0.0.0/8 with nothing set after the prefix, and not everybody, IPv4 in its own notation: "proxy"`: {Limiter: limiter, TrustedProxies: []string{"proxy"}},
		"limits must not make callers wait, because a request needs an immediate response: leaky-bucket:1/1s": {
			Limiter: limiterOf(connect(t, "Client", "REDIS"), penstock.LeakyBucket(1, 1, time.Second)),
		},
		`Exempt must be addresses, networks such as 10.0.0.0/8 with nothing set after the prefix, and not everybody, IPv4 in its own notation: "10.0.0.1/8"`: {Limiter: limiter, Exempt: []string{"10.0.0.1/8"}},
	} {
		_, err := penstock.LimitRequests(limits)
		if err == nil || err.Error() != strings.TrimRight(want, "\x00") {
			t.Errorf("%v, not %s", err, want)
		}
	}
}

func TestOneCallMakesLimiterAndMiddleware(t *testing.T) {
	limits := penstock.RequestLimits{Timeout: time.Minute, Cost: func(*http.Request) int64 { return 1000 }}
	limit, err := goredis.LimitRequests(connect(t, "Client", "REDIS"), "api", window, limits, penstock.WithPrefix("t"+random()))
	must(t, err)
	for _, want := range []int{http.StatusNotFound, http.StatusTooManyRequests} {
		answer := httptest.NewRecorder()
		limit(http.NotFoundHandler()).ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
		check(t, "status", answer.Code, want)
	}
	for want, made := range map[string]func() (func(http.Handler) http.Handler, error){
		"limits must have neither Limiter nor Plans: penstock.LimitRequests takes limiters": func() (func(http.Handler) http.Handler, error) {
			return goredis.LimitRequests(connect(t, "Client", "REDIS"), "api", window, penstock.RequestLimits{Limiter: fresh(t, 1)})
		},
		"client must not be nil": func() (func(http.Handler) http.Handler, error) {
			return goredis.LimitRequests(nil, "api", window, limits)
		},
	} {
		_, err := made()
		check(t, "refused", fmt.Sprint(err), want)
	}
}

func TestTheReadmesMiddleware(t *testing.T) {
	example, err := os.ReadFile("requests_example_test.go")
	must(t, err)
	readme, err := os.ReadFile("../README.md")
	must(t, err)
	_, code, _ := strings.Cut(string(example), "func perUser")
	check(t, "the README has the example", strings.Contains(string(readme), "```go\nfunc perUser"+code+"```"), true)
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS")})
	defer client.Close()
	handler, err := perUser(client, http.NotFoundHandler())
	must(t, err)
	key, answer := random(), httptest.NewRecorder()
	// A machine that stalls lets a deadline pass, and the call is allowed then.
	for requests := 0; answer.Code != http.StatusTooManyRequests && requests < 10_000; requests++ {
		request := httptest.NewRequest("GET", "/", nil)
		request.Header.Set("X-Api-Key", key)
		answer = httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
	}
	check(t, "denied", answer.Code, http.StatusTooManyRequests)
	check(t, "fields", strings.HasPrefix(answer.Header().Get("RateLimit"), `"api";r=0;t=1`), true)
}
