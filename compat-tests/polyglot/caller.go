// Calls through go-redis what polyglot.py asks for: caller CLIENT PORT RESP
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

const atOnce = 8

var ctx = context.Background()

type question struct {
	Load, Functions                 bool
	Words                           []any
	Script, Prefix, Policy, Subject string
	Tiers                           [][]int64
	Cost                            int64
	Batch, Most                     int
	Whole                           bool
	Group                           string
	Limits                          map[string]string
	Held, Used                      int64
}

func main() {
	protocol, err := strconv.Atoi(os.Args[3])
	must(err)
	// A call is sent once, and waited for longer than a machine stalls.
	client := redis.NewClient(&redis.Options{
		Addr: "127.0.0.1:" + os.Args[2], Protocol: protocol, ReadTimeout: time.Minute, MaxRetries: -1,
	})
	lines, answers := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		must(json.Unmarshal(line, &asked))
		switch {
		case asked.Load:
			must(answers.Encode(load(client, asked.Functions)))
		case asked.Words != nil:
			must(answers.Encode(call(client, asked.Words, asked.Whole)))
		case asked.Held > 0:
			must(answers.Encode(map[string]any{"admitted": hold(client, asked)}))
		default:
			must(answers.Encode(map[string]any{"admitted": share(client, asked)}))
		}
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func load(client *redis.Client, functions bool) map[string][]string {
	if functions {
		limiter, err := goredis.New(client, "api", penstock.FixedWindow(1, time.Second))
		must(err)
		must(limiter.LoadFunctions(ctx))
	}
	loaded := map[string][]string{}
	for _, script := range append([]*penstock.Script{penstock.ReserveScript, penstock.SettleScript}, penstock.Scripts...) {
		sha1, err := client.ScriptLoad(ctx, script.Source).Result()
		must(err)
		loaded[script.Name] = []string{script.SHA1, sha1, script.Function}
	}
	return loaded
}

func call(client *redis.Client, words []any, whole bool) map[string]any {
	reply, err := client.Do(ctx, words...).Result()
	if err != nil {
		return map[string]any{"error": err.Error(), "proves": penstock.ProvesNotRun(err)}
	}
	if whole {
		return map[string]any{"read": reply}
	}
	read, err := penstock.ReadReply(reply, 1e12)
	must(err)
	return map[string]any{"read": []int64{read.Granted, read.Limit, read.Remaining, read.WaitMicros, read.ResetMicros, read.Tier}}
}

func share(client *redis.Client, asked question) int64 {
	options := []penstock.Option{penstock.WithPrefix(asked.Prefix)}
	if asked.Functions {
		options = append(options, penstock.WithFunctions())
	}
	var limit penstock.Limit
	for _, script := range penstock.Scripts {
		if script.Name == asked.Script {
			limit = penstock.NewLimit(script, asked.Tiers...)
		}
	}
	limiter, err := goredis.New(client, asked.Policy, limit, options...)
	must(err)
	var units atomic.Int64
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for range asked.Most {
				allowed := take(limiter, asked)
				units.Add(asked.Cost * int64(allowed))
				if allowed < asked.Batch {
					return
				}
			}
		})
	}
	all.Wait()
	return units.Load()
}

func hold(client *redis.Client, asked question) int64 {
	options := []penstock.Option{penstock.WithPrefix(asked.Prefix), penstock.WithTimeout(time.Minute)}
	if asked.Functions {
		options = append(options, penstock.WithFunctions())
	}
	llm, err := goredis.NewReservations(client, "llm", time.Hour, options...)
	must(err)
	tokens, err := penstock.ParseEntryLimit("tokens", asked.Limits["tokens"])
	must(err)
	places, err := penstock.ParseEntryLimit("places", asked.Limits["places"])
	must(err)
	var units atomic.Int64
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for calls := 0; calls < asked.Most; {
				call, err := llm.Reserve(ctx, asked.Group, tokens.Reserve(asked.Held), places.Reserve(1))
				must(err)
				switch {
				case call.Allowed():
					if result, err := call.Settle(ctx, asked.Used); err != nil || result != penstock.Settled {
						log.Fatal(result, err)
					}
					units.Add(asked.Used)
					calls++
				case call.Denying == 0 && call.Usages[0].Held == 0:
					return
				default:
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	all.Wait()
	return units.Load()
}

func take(limiter *penstock.RateLimiter, asked question) (allowed int) {
	outcomes := make([]penstock.Outcome, 1)
	if asked.Batch > 1 {
		subjects := make([]string, asked.Batch)
		for at := range subjects {
			subjects[at] = asked.Subject
		}
		outcomes = limiter.AcquireAll(ctx, subjects)
	} else {
		outcomes[0].Decision, outcomes[0].Err = limiter.AcquireN(ctx, asked.Subject, asked.Cost)
	}
	for _, outcome := range outcomes {
		must(outcome.Err)
		if outcome.Decision.Allowed() {
			allowed++
		}
	}
	return allowed
}
