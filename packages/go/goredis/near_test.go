package goredis_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/redis/go-redis/v9"
)

// How many scripts the server has run.
func scriptsRun(t testing.TB, client redis.UniversalClient) (calls int) {
	for _, line := range strings.Split(client.Info(context.Background(), "commandstats").Val(), "\n") {
		for _, name := range []string{"cmdstat_evalsha", "cmdstat_eval", "cmdstat_fcall"} {
			if rest, ok := strings.CutPrefix(line, name+":calls="); ok {
				var each int
				if _, err := fmt.Sscanf(rest, "%d", &each); err != nil {
					t.Fatal(err)
				}
				calls += each
			}
		}
	}
	return calls
}

func TestADenialThatIsKnownIsNotSent(t *testing.T) {
	ctx, client := context.Background(), connect(t, "Client", "REDIS")
	memory, err := penstock.NewDenialMemory(time.Minute, 1000)
	must(t, err)
	limit := penstock.FixedWindow(5, time.Hour)
	made := limiterOf(client, limit, penstock.RememberDenials(memory))
	who := random()
	spent, err := made.AcquireN(ctx, who, 5)
	must(t, err)
	check(t, "the limit", spent.Allowed(), true)
	denied, err := made.Acquire(ctx, who)
	must(t, err)
	check(t, "by the server", denied.Allowed() || denied.Remembered, false)
	before := scriptsRun(t, client)
	var all sync.WaitGroup
	known := make([]int, 8)
	for at := range known {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 100 {
				decision, err := made.AcquireN(ctx, who, 1+int64(at)%5)
				upTo, errUpTo := made.AcquireUpTo(ctx, who, 3, 1)
				outcome := made.AcquireAll(ctx, []string{who})[0]
				for _, each := range []penstock.Outcome{{Decision: decision, Err: err}, {Decision: upTo, Err: errUpTo}, outcome} {
					if each.Err != nil || each.Decision.Allowed() || each.Decision.WaitMicros > denied.WaitMicros {
						t.Errorf("%+v", each)
					} else if each.Decision.Remembered {
						known[at]++
					}
				}
			}
		}()
	}
	all.Wait()
	asked := 2400
	for _, each := range known {
		asked -= each
	}
	// A goroutine that is held up between two clocks asks.
	check(t, fmt.Sprintf("%d asked", asked), asked < 240 && scriptsRun(t, client)-before <= 2*asked, true)
	for name, call := range map[string]func() (penstock.Decision, error){
		"peek":   func() (penstock.Decision, error) { return made.Peek(ctx, who) },
		"refund": func() (penstock.Decision, error) { return made.Refund(ctx, who, 1) },
	} {
		decision, err := call()
		must(t, err)
		check(t, name, decision.Remembered, false)
	}
	after, err := made.Acquire(ctx, who)
	must(t, err)
	check(t, "what was given back is taken again", after.Allowed(), true)
	denied, err = made.Acquire(ctx, who)
	must(t, err)
	_, err = limiterOf(client, limit, penstock.RememberDenials(memory)).Reset(ctx, who)
	must(t, err)
	after, err = made.Acquire(ctx, who)
	must(t, err)
	check(t, "another limiter with this memory has given all back", after.Allowed(), true)
}

func TestWhatNoServerDecidedIsNotRemembered(t *testing.T) {
	memory, err := penstock.NewDenialMemory(time.Minute, 1000)
	must(t, err)
	nobody := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	defer nobody.Close()
	made := limiterOf(nobody, window, penstock.RememberDenials(memory), penstock.OnUnavailable(penstock.Deny))
	for range 3 {
		decision, err := made.Acquire(context.Background(), "a")
		must(t, err)
		check(t, "undecided", decision.Undecided && !decision.Remembered, true)
	}
}

// Calls a second on one subject that is denied, by the raw client, a limiter that asks and one that remembers:
// go test -bench Denied -run none
func BenchmarkDenied(b *testing.B) {
	ctx := context.Background()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS")})
	defer client.Close()
	memory, err := penstock.NewDenialMemory(100*time.Millisecond, 100_000)
	if err != nil {
		b.Fatal(err)
	}
	limit, who := penstock.TokenBucket(10, 1, time.Hour), random()
	asks, remembers := limiterOf(client, limit), limiterOf(client, limit, penstock.RememberDenials(memory))
	key, err := penstock.Key(prefix, "api", who, limit)
	if err != nil {
		b.Fatal(err)
	}
	words := []any{"EVALSHA", limit.Script().SHA1, 1, key, 1}
	for _, arg := range limit.Args() {
		words = append(words, arg)
	}
	if _, err := asks.AcquireN(ctx, who, 10); err != nil {
		b.Fatal(err)
	}
	calls := map[string]func() error{
		"raw":       func() error { return client.Do(ctx, words...).Err() },
		"asking":    func() error { _, err := asks.Acquire(ctx, who); return err },
		"remembers": func() error { _, err := remembers.Acquire(ctx, who); return err },
	}
	for _, name := range []string{"raw", "asking", "remembers"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(each *testing.PB) {
				for each.Next() {
					if err := calls[name](); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
