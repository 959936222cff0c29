package goredis

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/internal/numbers"
	"github.com/penstock/penstock/packages/go/internal/verdict"
	"github.com/redis/go-redis/v9"
)

// What is known of a client's servers; all its limiters share it.
type watch struct {
	client Client
	own    bool
	// The server, or a cluster's first nodes until one is known by its key.
	first *nodeLink
	// By their addresses.
	nodes    sync.Map
	loaded   atomic.Bool
	inFlight atomic.Int64
	workers  workers
	mutex    sync.Mutex
	tells    []func(penstock.VerdictChange)
	// Changes that are not told yet.
	changes []penstock.VerdictChange
}

type watchKey struct {
	client Client
	own    bool
}

var (
	watches      = map[watchKey]weak.Pointer[watch]{}
	watchesMutex sync.Mutex
)

func watchOf(client Client, own bool) *watch {
	own = own && canConnect(client)
	key := watchKey{client, own}
	made := &watch{client: client, own: own}
	made.first = newNodeLink(made, nil)
	if !reflect.ValueOf(client).Comparable() {
		return made
	}
	watchesMutex.Lock()
	defer watchesMutex.Unlock()
	if known := watches[key].Value(); known != nil {
		return known
	}
	pointer := weak.Make(made)
	watches[key] = pointer
	runtime.AddCleanup(made, func(key watchKey) {
		watchesMutex.Lock()
		defer watchesMutex.Unlock()
		if watches[key] == pointer {
			delete(watches, key)
		}
	}, key)
	return made
}

var verdicts = map[verdict.Kind]string{verdict.Unknown: "unknown", verdict.Overloaded: "up", verdict.Outage: "silent", verdict.Refused: "refused", verdict.Full: "refused"}

// Tells a change, after those before it, and outside of the node's lock.
func (w *watch) changed(change penstock.VerdictChange) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.changes = append(w.changes, change)
	if len(w.changes) == 1 {
		go w.tell()
	}
}

func (w *watch) tell() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for ; len(w.changes) > 0; w.changes = w.changes[1:] {
		change, tells := w.changes[0], w.tells
		w.mutex.Unlock()
		if change.Err != nil || change.Before != "unknown" && change.Verdict == "up" {
			slog.Warn("penstock: the verdict on a server has changed", "server", change.Server, "verdict", change.Verdict,
				"before", change.Before, "lasted", change.Lasted, "error", change.Err)
		}
		for _, tell := range tells {
			tell(change)
		}
		w.mutex.Lock()
	}
}

// The node of a command: that of its key in a cluster.
func (w *watch) node(ctx context.Context, command penstock.Command) *verdict.Node {
	link := w.first
	if cluster, ok := w.client.(keyed); ok && w.loaded.Load() {
		if master, err := cluster.MasterForKey(ctx, command[3].(string)); err == nil {
			known, ok := w.nodes.Load(master.Options().Addr)
			if !ok {
				known, _ = w.nodes.LoadOrStore(master.Options().Addr, newNodeLink(w, master))
			}
			link = known.(*nodeLink)
		}
	}
	if link.question.Load() == nil {
		question := peek(command)
		link.question.Store(&question)
	}
	return link.node
}

type keyed interface {
	MasterForKey(ctx context.Context, key string) (*redis.Client, error)
}

// The call that asks as much as this one, and takes nothing.
func peek(command penstock.Command) []any {
	keys := command[2].(int)
	if command[0] == "EVAL" {
		sum := sha1.Sum([]byte(command[1].(string)))
		command = slices.Concat(penstock.Command{"EVALSHA", hex.EncodeToString(sum[:])}, command[2:])
	}
	switch {
	case command[1] == penstock.SettleScript.SHA1 || command[1] == penstock.SettleScript.Function:
		// A receipt that there is not.
		return []any{command[0], command[1], 2, command[3], command[2+keys].(string) + ":0", 0, 0, 0}
	case keys == 1:
		made := append([]any{}, command...)
		made[4] = 0
		return made
	}
	// Of a call under several limits the first entry, without a receipt.
	made := append([]any{command[0], command[1], 1, command[3], 0, 0}, command[5+keys:]...)
	tiers, width := made[9].(int), 2
	switch made[7] {
	case "token-bucket":
		width = 3
	case "concurrency":
		width = 1
	}
	made[8] = 0
	return made[:10+tiers*width]
}

// What an answer says of the server, to calls or to the question.
func (w *watch) says(err error, asked bool) verdict.Verdict {
	if err == nil || errors.Is(err, redis.Nil) || redis.HasErrorPrefix(err, "NOSCRIPT") {
		return verdict.Verdict{Kind: verdict.Overloaded}
	}
	switch meaning := penstock.ClassifyError(err); meaning.Kind {
	case penstock.Unavailable:
		return verdict.Verdict{Kind: verdict.Outage, Err: err}
	case penstock.Redirect, penstock.Misconfigured:
		_, cluster := w.client.(keyed)
		if asked && !(cluster && meaning.Kind == penstock.Redirect) {
			return verdict.Verdict{Kind: verdict.Refused, Err: err}
		}
		return verdict.Verdict{Kind: verdict.Overloaded}
	}
	if !asked {
		err = nil
	}
	return verdict.Verdict{Kind: verdict.Overloaded, Err: err}
}

// The time of the process.
type processClock struct{}

func (processClock) Now() time.Time { return time.Now() }

func (processClock) AfterFunc(after time.Duration, then func()) verdict.Timer {
	return time.AfterFunc(after, then)
}

func (l *nodeLink) Spread() time.Duration {
	if l.watch.own {
		go l.knock()
	}
	return rand.N(numbers.VerdictSpread)
}

func (l *nodeLink) Backoff() time.Duration {
	return numbers.VerdictAgain/2 + rand.N(numbers.VerdictAgain)
}

// Goroutines that send calls, as go-redis ends a call late or never when its context is cancelled. Those that wait have the stacks that
// a call of go-redis needs; half a second without a use ends them.
type workers struct {
	mutex sync.Mutex
	idle  []chan job
	// The fewest that were idle lately.
	least int
	trims bool
}

type job struct {
	sender  *sender
	sending *sending
}

func (w *workers) run(s *sender, made *sending) {
	w.mutex.Lock()
	if last := len(w.idle) - 1; last >= 0 {
		worker := w.idle[last]
		w.idle = w.idle[:last]
		w.least = min(w.least, last)
		w.mutex.Unlock()
		worker <- job{s, made}
		return
	}
	w.mutex.Unlock()
	go w.work(make(chan job, 1), job{s, made})
}

func (w *workers) work(jobs chan job, first job) {
	for next, ok := first, true; ok; next, ok = <-jobs {
		next.sender.run(next.sending)
		w.mutex.Lock()
		w.idle = append(w.idle, jobs)
		if !w.trims {
			w.trims, w.least = true, 0
			time.AfterFunc(trimAfter, w.trim)
		}
		w.mutex.Unlock()
	}
}

const trimAfter = 500 * time.Millisecond

func (w *workers) trim() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, jobs := range w.idle[:w.least] {
		close(jobs)
	}
	w.idle = append([]chan job{}, w.idle[w.least:]...)
	w.least = len(w.idle)
	if w.trims = len(w.idle) > 0; w.trims {
		time.AfterFunc(trimAfter, w.trim)
	}
}
