// The flood client of go-redis: packages/floods.py has its contract.
package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

type flood struct {
	Address, Kind, CA, Signal string
	Calls, Callers            int
	Deadline                  int64 `json:"deadline_ms"`
	Circuit                   int64 `json:"circuit_ms"`
	Warm, Raw                 bool
	Shares                    *bool
	Limit                     int64
	Seconds                   float64
	client                    redis.UniversalClient
	limiter                   *penstock.RateLimiter
	limit                     penstock.Limit
	subject                   string
	mutex                     sync.Mutex
	each                      [][3]any
	counts                    map[string]int
	slowest                   float64
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func cpu() float64 {
	var used syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

func (f *flood) connect() {
	var config *tls.Config
	if f.CA != "" {
		pem, err := os.ReadFile(f.CA)
		must(err)
		config = &tls.Config{RootCAs: x509.NewCertPool()}
		config.RootCAs.AppendCertsFromPEM(pem)
	}
	if f.Kind == "cluster" {
		f.client = redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{f.Address}, TLSConfig: config, ContextTimeoutEnabled: true})
	} else {
		options, err := redis.ParseURL("redis://" + f.Address)
		must(err)
		options.TLSConfig, options.ContextTimeoutEnabled = config, true
		f.client = redis.NewClient(options)
	}
	octets := make([]byte, 16)
	_, err := rand.Read(octets)
	must(err)
	f.subject = hex.EncodeToString(octets)
	f.limit = penstock.TokenBucket(f.Limit, f.Limit, 24*time.Hour)
	policy := []penstock.Option{penstock.WithPrefix("f" + f.subject[:8]), penstock.OnUnavailable(penstock.Allow)}
	if f.Shares != nil {
		policy = append(policy, penstock.WithSharedTrips(*f.Shares))
	}
	if f.Circuit > 0 {
		breaker, err := penstock.NewCircuitBreaker(time.Duration(f.Circuit) * time.Millisecond)
		must(err)
		policy = append(policy, penstock.WithCircuitBreaker(breaker))
	}
	f.limiter, err = goredis.New(f.client, "flood", f.limit, policy...)
	must(err)
}

// What a call comes to.
func (f *flood) call(ctx context.Context) string {
	if f.Raw {
		words := []any{"EVALSHA", f.limit.Script().SHA1, 1, "flood:{" + f.subject + "}", 1}
		for _, number := range f.limit.Args() {
			words = append(words, number)
		}
		if f.client.Do(ctx, words...).Err() != nil {
			return "thrown"
		}
		return "decided"
	}
	switch decision, err := f.limiter.Acquire(ctx, f.subject); {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return "thrown"
	case decision.Undecided && decision.Allowed():
		return "opened"
	case decision.Undecided:
		return "overloaded"
	case decision.Allowed():
		return "allowed"
	}
	return "denied_by_server"
}

func (f *flood) one() {
	begun := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(f.Deadline)*time.Millisecond)
	outcome := f.call(ctx)
	cancel()
	took := float64(time.Since(begun)) / 1e6
	if f.Raw && outcome == "decided" && took > float64(f.Deadline) {
		outcome = "late"
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.counts[outcome]++
	f.slowest = max(f.slowest, took)
	if outcome == "allowed" || outcome == "denied_by_server" {
		outcome = "decided"
	}
	if f.Seconds > 0 {
		f.each = append(f.each, [3]any{float64(begun.UnixNano()) / 1e9, took, outcome})
	}
}

func (f *flood) begun() {
	if f.Signal != "" {
		must(os.WriteFile(f.Signal, nil, 0o600))
	}
}

// Callers that each make a call when their last one has ended. What began in the first half a second is forgotten.
func (f *flood) closedLoop() {
	var all sync.WaitGroup
	counted := time.Now().Add(500 * time.Millisecond)
	end := counted.Add(time.Duration(f.Seconds * float64(time.Second)))
	for range f.Callers {
		all.Add(1)
		go func() {
			defer all.Done()
			for time.Now().Before(end) {
				f.one()
			}
		}()
	}
	all.Wait()
	var took []float64
	lost := 0
	for _, each := range f.each {
		switch {
		case each[0].(float64) < float64(counted.UnixNano())/1e9:
		case each[2] == "decided":
			took = append(took, each[1].(float64))
		default:
			lost++
		}
	}
	slices.Sort(took)
	said := map[string]any{"decided": len(took), "lost": lost, "median_ms": took[len(took)/2], "slowest_ms": took[len(took)-1]}
	must(json.NewEncoder(os.Stdout).Encode(said))
}

func main() {
	f := &flood{counts: map[string]int{}}
	must(json.Unmarshal([]byte(os.Args[1]), f))
	f.connect()
	ctx := context.Background()
	if f.Raw {
		// Its script is known to the server, as a limiter's is after one call.
		must(f.client.ScriptLoad(ctx, f.limit.Script().Source).Err())
	}
	if f.Warm {
		short, cancel := context.WithTimeout(ctx, time.Second)
		if f.Raw {
			f.client.Ping(short)
		} else {
			_, _ = f.limiter.Peek(short, f.subject)
			time.Sleep(4 * time.Second)
		}
		cancel()
	}
	if f.Callers > 0 {
		f.begun()
		f.closedLoop()
		return
	}
	var all sync.WaitGroup
	gate := make(chan struct{})
	if f.Seconds == 0 {
		for range f.Calls {
			all.Add(1)
			go func() {
				defer all.Done()
				<-gate
				f.one()
			}()
		}
	}
	f.begun()
	before, begun := cpu(), time.Now()
	close(gate)
	for number := range f.Calls {
		if f.Seconds == 0 {
			break
		}
		time.Sleep(time.Until(begun.Add(time.Duration(f.Seconds * float64(number) / float64(f.Calls) * float64(time.Second)))))
		all.Add(1)
		go func() {
			defer all.Done()
			f.one()
		}()
	}
	all.Wait()
	said := map[string]any{"slowest_ms": f.slowest, "cpu_ms": cpu() - before}
	for _, name := range []string{"opened", "allowed", "denied_by_server", "overloaded", "thrown"} {
		said[name] = f.counts[name]
	}
	said["decided"] = f.counts["decided"] + f.counts["allowed"] + f.counts["denied_by_server"]
	if f.Seconds > 0 {
		said["each"] = f.each
	}
	must(json.NewEncoder(os.Stdout).Encode(said))
}
