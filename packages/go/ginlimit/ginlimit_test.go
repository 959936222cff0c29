// Runs on a server and proxies.
package ginlimit_test

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/ginlimit"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

// Runs the tests on what packages/test started, or else by packages/testbed.py, which starts the redis-server of the PATH.
func TestMain(m *testing.M) {
	if reason := os.Getenv("PENSTOCK_SKIP"); reason != "" {
		fmt.Println("skipped:", reason)
		return
	}
	if os.Getenv("PENSTOCK_REDIS") != "" {
		os.Exit(m.Run())
	}
	tests := exec.Command("python3", append([]string{"../../testbed.py", "run"}, os.Args...)...)
	tests.Stdout, tests.Stderr = os.Stdout, os.Stderr
	if err := tests.Run(); errors.Is(err, exec.ErrNotFound) {
		fmt.Println("skipped: python3, which starts the servers, is not on the PATH")
	} else if err != nil {
		os.Exit(1)
	}
}

func setting(name string) string {
	value := os.Getenv("PENSTOCK_" + name)
	if value == "" {
		panic("PENSTOCK_" + name + " is not set: packages/test and packages/testbed.py set it")
	}
	return value
}

func serversDo(t *testing.T, command string) {
	t.Helper()
	control, err := net.Dial("tcp", "127.0.0.1:"+setting("CONTROL"))
	must(t, err)
	defer control.Close()
	_, err = fmt.Fprintln(control, command)
	must(t, err)
	must(t, control.(*net.TCPConn).CloseWrite())
	answer, err := io.ReadAll(control)
	must(t, err)
	if !strings.HasPrefix(string(answer), "done ") {
		t.Fatal(command)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func random() string {
	octets := make([]byte, 8)
	_, _ = rand.Read(octets)
	return hex.EncodeToString(octets)
}

// A limiter of so many requests an hour, whose keys nobody else has, on the port of that name.
func limiter(t *testing.T, limit int64, port, user string, options ...penstock.Option) *penstock.RateLimiter {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting(port), Username: user, Password: user})
	t.Cleanup(func() { _ = client.Close() })
	options = append(options, penstock.WithPrefix("gin"+random()))
	made, err := goredis.New(client, "api", penstock.FixedWindow(limit, time.Hour), options...)
	must(t, err)
	return made
}

// A server with a middleware that knows the user, one that limits, and a handler behind them; and how many it served.
func serve(t *testing.T, limits penstock.RequestLimits) (*httptest.Server, *int) {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	limit, err := ginlimit.New(limits)
	must(t, err)
	served, router := 0, gin.New()
	router.Use(func(c *gin.Context) { c.Set("user", c.GetHeader("X-User")) }, limit)
	router.GET("/orders/:id", func(c *gin.Context) {
		served++
		c.String(http.StatusOK, "order "+c.Param("id"))
	})
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	return server, &served
}

// The statuses of so many requests of a user.
func statuses(t *testing.T, server *httptest.Server, requests int, user string) string {
	t.Helper()
	var statuses []string
	for range requests {
		request, err := http.NewRequest("GET", server.URL+"/orders/7", nil)
		must(t, err)
		request.Header.Set("X-User", user)
		answer, err := http.DefaultClient.Do(request)
		must(t, err)
		_ = answer.Body.Close()
		if (answer.Header.Get("Content-Type") == penstock.ProblemType) != (answer.StatusCode != http.StatusOK) {
			t.Fatal(answer)
		}
		statuses = append(statuses, fmt.Sprint(answer.StatusCode))
	}
	return strings.Join(statuses, " ")
}

func TestUsersAndRoutes(t *testing.T) {
	server, served := serve(t, penstock.RequestLimits{
		Limiter: limiter(t, 20, "REDIS", ""), Timeout: time.Minute,
		Key: ginlimit.Of(func(c *gin.Context) string { return c.GetString("user") }),
		Cost: ginlimit.Of(func(c *gin.Context) int64 {
			return map[string]int64{"/orders/:id": 10}[c.FullPath()]
		}),
	})
	for _, user := range []string{"a", "b", "", "a"} {
		want := "200 200 429"
		if user == "a" && *served > 2 {
			want = "429 429 429"
		}
		if got := statuses(t, server, 3, user); got != want {
			t.Fatalf("%q: %s, not %s", user, got, want)
		}
	}
	if *served != 6 {
		t.Fatal(*served)
	}
}

func TestAnAnswerOfOnesOwn(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	limit, err := ginlimit.New(penstock.RequestLimits{
		Limiter: limiter(t, 1, "REDIS", ""), Timeout: time.Minute,
		OnDenied: ginlimit.Answer(func(c *gin.Context, denied penstock.Decision) { c.JSON(402, gin.H{"limit": denied.Limit}) }),
	})
	must(t, err)
	served, router := 0, gin.New()
	router.GET("/", limit, func(*gin.Context) { served++ })
	for _, want := range []string{"200 ", `402 {"limit":1}`} {
		answer := httptest.NewRecorder()
		router.ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
		if got := fmt.Sprint(answer.Code, " ", answer.Body); got != want || answer.Header().Get("RateLimit") == "" {
			t.Fatalf("%s, not %s", got, want)
		}
	}
	if served != 1 {
		t.Fatal(served)
	}
}

func TestWithoutADecision(t *testing.T) {
	for choice, want := range map[penstock.Choice]string{penstock.Fail: "503 503", penstock.Allow: "200 200", penstock.Deny: "503 503"} {
		for _, fault := range [][3]string{{"stop", "cont", "PROXY"}, {"down", "up", "PROXY"}, {"crash", "revive", "REDIS"}} {
			known := make(chan struct{}, 100)
			running := limiter(t, 1, fault[2], "", penstock.OnUnavailable(choice), penstock.OnVerdict(func(penstock.VerdictChange) { known <- struct{}{} }))
			server, _ := serve(t, penstock.RequestLimits{Limiter: running, Timeout: 300 * time.Millisecond})
			// Until it is known that the server answers, a late call is no outage.
			for up := false; !up; {
				_ = statuses(t, server, 1, "")
				select {
				case <-known:
					up = true
				case <-time.After(10 * time.Millisecond):
				}
			}
			serversDo(t, fault[0])
			got := statuses(t, server, 2, "")
			serversDo(t, fault[1])
			if got != want {
				t.Fatalf("%s, choice %d: %s", fault[0], choice, got)
			}
			healed, _ := serve(t, penstock.RequestLimits{Limiter: running, Timeout: time.Minute})
			for tries := 0; statuses(t, healed, 2, "") != "429 429"; tries++ {
				if tries > 20 {
					t.Fatal("it never limits again")
				}
			}
		}
		wrong, served := serve(t, penstock.RequestLimits{Limiter: limiter(t, 1, "PROXY", "nobody", penstock.OnUnavailable(choice)), Timeout: time.Minute})
		if got := statuses(t, wrong, 2, ""); got != "503 503" || *served != 0 {
			t.Fatalf("a wrong password: %s", got)
		}
	}
	if _, err := ginlimit.New(penstock.RequestLimits{}); err == nil {
		t.Fatal("no limits")
	}
}

func TestTheFieldsOfSeveralLimits(t *testing.T) {
	outer, err := ginlimit.New(penstock.RequestLimits{Limiter: limiter(t, 3, "REDIS", ""), Timeout: time.Minute})
	must(t, err)
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS")})
	defer client.Close()
	users, err := goredis.New(client, "users", penstock.FixedWindow(2, time.Hour), penstock.WithPrefix("gin"+random()))
	must(t, err)
	inner, err := ginlimit.New(penstock.RequestLimits{Limiter: users, Timeout: time.Minute})
	must(t, err)
	router, was := gin.New(), (*http.Request)(nil)
	router.Use(func(c *gin.Context) {
		was = c.Request
		c.Next()
		if c.Request != was {
			t.Error("another request")
		}
	}, outer, inner)
	router.POST("/", func(c *gin.Context) {
		_, err := c.FormFile("a")
		must(t, err)
	})
	for _, want := range []string{`200 "users";r=1;t=3600, "api";r=2;t=3600`, `200 "users";r=0;`, `429 "users";r=0;`} {
		request := httptest.NewRequest("POST", "/", strings.NewReader("--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\nc\r\n--x--"))
		request.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		answer := httptest.NewRecorder()
		router.ServeHTTP(answer, request)
		if got := fmt.Sprint(answer.Code, " ", strings.Join(answer.Header().Values("RateLimit"), " and ")); !strings.HasPrefix(got, want) {
			t.Errorf("%s, not %s", got, want)
		}
		if answer.Code == 200 && request.MultipartForm == nil {
			t.Error("the server removes no files")
		}
	}
}

func TestChargesByTheResponse(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	for _, handler := range []gin.HandlerFunc{
		func(c *gin.Context) { c.String(http.StatusUnauthorized, "wrong") },
		func(c *gin.Context) { c.AbortWithStatus(http.StatusForbidden) },
		func(*gin.Context) { panic("a mistake") },
	} {
		limits := penstock.RequestLimits{Limiter: limiter(t, 1, "REDIS", ""), ChargeWhen: "status 401, 403, 500", Timeout: time.Minute}
		limit, err := ginlimit.New(limits)
		must(t, err)
		router := gin.New()
		router.Use(gin.CustomRecoveryWithWriter(nil, func(c *gin.Context, _ any) { c.AbortWithStatus(http.StatusInternalServerError) }), limit)
		router.GET("/right", func(c *gin.Context) { c.String(http.StatusOK, "right") })
		router.GET("/wrong", handler)
		codes := ""
		for _, path := range []string{"/right", "/right", "/wrong", "/right"} {
			answer := httptest.NewRecorder()
			router.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
			codes += fmt.Sprintf("%d ", answer.Code)
		}
		if !strings.HasPrefix(codes, "200 200 ") || !strings.HasSuffix(codes, " 429 ") {
			t.Fatal(codes)
		}
	}
}
