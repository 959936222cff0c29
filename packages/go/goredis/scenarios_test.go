package goredis_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

type scenario struct {
	Name, Policy, Subject string
	Client                struct {
		At, User, Password string
		Database           int
	}
	New, Asked, Stays, Cluster bool
	Commands, Undo             [][]string
	BeforeEach                 []string `json:"before_each"`
	Bed                        [2]string
	Calls, Is                  []string
	DeadlineMS                 time.Duration `json:"deadline_ms"`
	MaybeCharged               *bool         `json:"maybe_charged"`
	Ran                        []int
}

type chosen struct {
	OnUnavailable string `json:"on_unavailable"`
	OnOverload    string `json:"on_overload"`
}

type played struct {
	verb     string
	who      []string
	outcomes []penstock.Outcome
}

var (
	choiceOf = map[string]penstock.Choice{"throw": penstock.Fail, "allow": penstock.Allow, "deny": penstock.Deny}
	classOf  = map[string]string{"not_sent": "outage", "not_answered": "outage", "unavailable": "outage"}
	unitsOf  = map[string]int{"acquire": 1, "up_to": 5, "all": 1}
)

func (p *played) by(made *penstock.RateLimiter, deadline time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	one := func(decision penstock.Decision, err error) {
		p.outcomes = []penstock.Outcome{{Decision: decision, Err: err}}
	}
	switch who := p.who[0]; p.verb {
	case "acquire":
		one(made.Acquire(ctx, who))
	case "up_to":
		one(made.AcquireUpTo(ctx, who, 5, 1))
	case "all":
		p.outcomes = made.AcquireAll(ctx, p.who)
	case "peek":
		one(made.Peek(ctx, who))
	case "refund":
		one(made.Refund(ctx, who, 1))
	case "reset":
		one(made.Reset(ctx, who))
	}
}

func (s scenario) check(t *testing.T, choice chosen, p *played) {
	class, chooses, units := s.Is[0], "throw", unitsOf[p.verb]
	if classOf[class] != "" {
		class = classOf[class]
	}
	if units > 0 && class == "outage" {
		chooses = choice.OnUnavailable
	} else if units > 0 && class == "overloaded" {
		chooses = choice.OnOverload
	}
	for _, outcome := range p.outcomes {
		decision, what := outcome.Decision, fmt.Sprint(p.verb, choice, outcome)
		switch {
		case class == "decided":
			check(t, what, outcome.Err == nil && !decision.Undecided, true)
		case chooses == "throw":
			check(t, what, outcome.Err != nil, true)
			is(t, outcome.Err, class, "")
			var maybe *penstock.MaybeChargedError
			charged := !penstock.ProvesNotRun(outcome.Err)
			if units > 0 && s.MaybeCharged != nil {
				check(t, what, charged, *s.MaybeCharged)
			}
			if units > 0 {
				check(t, what, errors.As(outcome.Err, &maybe), charged && class == "outage")
			}
		default:
			wait := decision.WaitMicros
			check(t, what, wait > 0, chooses == "deny")
			check(t, what, wait <= (s.DeadlineMS*time.Millisecond).Microseconds(), true)
			want := penstock.Decision{Limit: 1000, WaitMicros: wait, Tier: 1, Undecided: true}
			if chooses == "allow" {
				want.Granted = int64(units)
			}
			check(t, what, decision, want)
		}
	}
}

func (s scenario) client(t *testing.T, name, user string) redis.UniversalClient {
	addr := map[string]string{"server": "127.0.0.1:" + setting("REDIS"), "proxy": "127.0.0.1:" + setting("PROXY"), "nobody": "127.0.0.1:1"}[s.Client.At]
	options := &redis.UniversalOptions{
		Addrs: []string{addr}, Username: strings.ReplaceAll(s.Client.User, "$user", user), Password: s.Client.Password, DB: s.Client.Database,
		ReadTimeout: time.Minute, IsClusterMode: name == "ClusterClient",
	}
	if options.IsClusterMode {
		options.Addrs = []string{"127.0.0.1:" + setting("CLUSTER")}
	}
	client := redis.NewUniversalClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func (s scenario) play(t *testing.T, name string, choices []chosen) {
	user, ports := "u"+random(), []string{setting("REDIS")}
	if name == "ClusterClient" {
		ports = strings.Fields(setting("NODES"))
	}
	var admins []*redis.Client
	for _, port := range ports {
		// One connection, which stays where no more are taken.
		admins = append(admins, redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + port, PoolSize: 1}))
		defer admins[len(admins)-1].Close()
	}
	everywhere := func(key string, commands ...[]string) {
		for _, command := range commands {
			words := make([]any, len(command))
			for at, word := range command {
				words[at] = strings.NewReplacer("$user", user, "$key", key).Replace(word)
			}
			for _, admin := range admins {
				must(t, admin.Do(context.Background(), words...).Err())
			}
		}
	}
	bed := func(word string) {
		if word != "" {
			serversDo(t, "", word)
		}
	}
	end := sync.OnceFunc(func() { bed(s.Bed[1]); everywhere("", s.Undo...) })
	defer end()
	isNew := s.New || s.Client.User != "" || s.Client.Database != 0
	client := s.client(t, name, user)
	if !isNew {
		connected(t, client, subjects(20)...)
		if s.Asked {
			asked(t, client)
		}
	}
	everywhere("", s.Commands...)
	bed(s.Bed[0])
	var charges []*played
	for _, choice := range choices {
		made, err := goredis.New(client, s.Policy, window, penstock.WithPrefix(prefix), penstock.OnUnavailable(choiceOf[choice.OnUnavailable]),
			penstock.OnOverload(choiceOf[choice.OnOverload]))
		must(t, err)
		var calls []*played
		for _, verb := range s.Calls {
			call := &played{verb: verb, who: []string{s.Subject + " #" + random()}}
			if verb == "all" {
				call.who = append(call.who, s.Subject+" #"+random())
			}
			if s.BeforeEach != nil {
				everywhere(key(t, s.Policy, call.who[0]), s.BeforeEach)
			}
			calls = append(calls, call)
		}
		var all sync.WaitGroup
		for _, call := range calls {
			all.Add(1)
			go func() {
				defer all.Done()
				call.by(made, s.DeadlineMS*time.Millisecond)
			}()
		}
		all.Wait()
		for _, call := range calls {
			s.check(t, choice, call)
		}
		charges = append(charges, calls...)
	}
	end()
	for _, call := range charges {
		for _, who := range call.who {
			for units := unitsOf[call.verb]; units > 0 && s.Ran != nil && !slices.Contains(s.Ran, used(t, name, s.Policy, who)/units); {
				time.Sleep(50 * time.Millisecond)
			}
		}
	}
	for !s.Stays && acquire(limiterOf(client, window, penstock.OnOverload(penstock.Fail)), time.Minute) != nil {
		time.Sleep(50 * time.Millisecond)
	}
}

func TestFailuresJSON(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(setting("VECTORS"), "failures.json"))
	must(t, err)
	var file struct {
		Choices   []chosen
		Scenarios []scenario
	}
	must(t, json.Unmarshal(text, &file))
	for at, each := range file.Scenarios {
		if each.Policy == "" {
			each.Policy = "api"
		}
		if each.Calls == nil {
			each.Calls = []string{"acquire"}
		}
		if each.DeadlineMS == 0 {
			each.DeadlineMS = 20_000
		}
		for _, name := range names {
			if name == "Client" || each.Cluster {
				t.Run(name+"/"+each.Name, func(t *testing.T) { each.play(t, name, file.Choices) })
			}
		}
		replayed(t, "failures.scenarios", at)
	}
}
