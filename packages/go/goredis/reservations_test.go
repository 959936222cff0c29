package goredis_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/goredis"
	"github.com/redis/go-redis/v9"
)

var (
	budget = penstock.NewEntryLimit("tpm", penstock.FixedWindow(1000, time.Hour))
	places = penstock.Concurrency("in-flight", 2)
)

func reservations(t *testing.T, client goredis.Client, keep time.Duration, options ...penstock.Option) *penstock.Reservations {
	t.Helper()
	made, err := goredis.NewReservations(client, "llm", keep, append(options, penstock.WithPrefix(prefix), penstock.WithTimeout(min(keep, time.Minute)))...)
	must(t, err)
	return made
}

func reserve(t *testing.T, llm *penstock.Reservations, group string, entries ...penstock.EntryCost) *penstock.Reservation {
	t.Helper()
	call, err := llm.Reserve(context.Background(), group, entries...)
	must(t, err)
	return call
}

// The remaining and held units of a call's entries.
func left(call *penstock.Reservation) string {
	texts := []string{fmt.Sprintf("%v", call.Allowed())}
	for _, usage := range call.Usages {
		texts = append(texts, fmt.Sprintf("%d/%d", usage.Remaining, usage.Held))
	}
	return strings.Join(texts, " ")
}

func settled(t *testing.T, want penstock.SettleResult) func(penstock.SettleResult, error) {
	return func(got penstock.SettleResult, err error) {
		t.Helper()
		must(t, err)
		check(t, "settled", got, want)
	}
}

func TestTheVectorsOfReservations(t *testing.T) {
	var vectors struct {
		Sequences []struct {
			Name  string
			Steps []struct {
				Script string
				Keys   []string
				Args   []any
				Reply  []int64
				Error  string
				Before map[string]*struct{ Value, Hex string }
			}
		}
	}
	file, err := os.ReadFile(filepath.Join(setting("VECTORS"), "reservation.json"))
	must(t, err)
	must(t, json.Unmarshal(file, &vectors))
	scripts := append([]*penstock.Script{penstock.ReserveScript, penstock.SettleScript}, penstock.Scripts...)
	for _, name := range names {
		for _, form := range append(forms(), "EVAL") {
			t.Run(name+" "+form, func(t *testing.T) {
				ctx, client := context.Background(), connect(t, name, "REDIS")
				if form == "FCALL" {
					must(t, reservations(t, client, time.Minute).LoadFunctions(ctx))
				}
				for _, script := range scripts {
					serversDo(t, script.Source, "load")
				}
				for at, sequence := range vectors.Sequences {
					replayed(t, "reservation.sequences", at)
					for _, step := range sequence.Steps {
						for _, key := range step.Keys {
							must(t, client.Del(ctx, key).Err())
						}
					}
					for at, step := range sequence.Steps {
						for key, state := range step.Before {
							must(t, client.Del(ctx, key).Err())
							if state != nil {
								bytes, err := hex.DecodeString(state.Hex)
								must(t, err)
								must(t, client.Set(ctx, key, state.Value+string(bytes), 0).Err())
							}
						}
						var script *penstock.Script
						for _, each := range scripts {
							if each.Name == step.Script {
								script = each
							}
						}
						called := map[string]string{"EVALSHA": script.SHA1, "FCALL": script.Function, "EVAL": script.Source}[form]
						words := []any{form, called, len(step.Keys)}
						for _, key := range step.Keys {
							words = append(words, key)
						}
						got, err := client.Do(ctx, append(words, step.Args...)...).Int64Slice()
						if step.Error != "" {
							check(t, fmt.Sprint(sequence.Name, at, err), err != nil && strings.Contains(err.Error(), step.Script+": "+step.Error+" "), true)
						} else {
							must(t, err)
							check(t, fmt.Sprint(sequence.Name, at), fmt.Sprint(got), fmt.Sprint(step.Reply))
						}
					}
				}
			})
		}
	}
}

func TestAllThatAReservationDoes(t *testing.T) {
	ctx := context.Background()
	for _, name := range names {
		for _, form := range forms() {
			t.Run(name+" "+form, func(t *testing.T) {
				var options []penstock.Option
				var events []string
				tell := penstock.OnReservation(func(event penstock.ReservationEvent) { events = append(events, string(event.Kind)) })
				if form == "FCALL" {
					options = append(options, penstock.WithFunctions())
				}
				llm := reservations(t, connect(t, name, "REDIS"), time.Hour, append(options, tell)...)
				if form == "FCALL" {
					must(t, llm.LoadFunctions(ctx))
				} else {
					serversDo(t, "", "flush")
				}
				group, user := random(), "a/{b}"
				rate := penstock.NewEntryLimit("rpm", penstock.TokenBucket(10, 1, time.Hour))
				own, all := budget.Reserve(400).Within(user), budget.Reserve(400)
				call := reserve(t, llm, group, rate.Charge(1), own, all, places.Reserve(1))
				check(t, "held", left(call), "true 9/0 600/400 600/400 1/1")
				check(t, "no wait", call.RetryAfter()+call.Delay()+call.AskAgainAfter(), 0)
				settled(t, penstock.Settled)(call.Renew(ctx, 100))
				second := reserve(t, llm, group, own, places.Reserve(1))
				check(t, "in part", left(second), "true 200/700 0/2")
				denied := reserve(t, llm, group, budget.Reserve(1), places.Reserve(1))
				check(t, "denied", left(denied), "false 600/300 0/2")
				check(t, "denying", denied.Denying, 1)
				check(t, "a pace of its own", denied.RetryAfter() > time.Minute && denied.AskAgainAfter() <= 250*time.Millisecond, true)
				settled(t, penstock.NothingHeld)(denied.Settle(ctx, 1))
				must(t, denied.Close())
				_, err := call.SettleEntries(ctx, budget.Reserve(5).Used(1))
				check(t, "another entry", err != nil && strings.Contains(err.Error(), "totals must name entries of this call"), true)
				_, err = call.SettleEntries(ctx, own.Used(1), own.Used(1))
				check(t, "twice", err != nil, true)
				_, err = call.SettleEntries(ctx, call.Usages[3].Entry.Used(1))
				check(t, "a place has no total", err != nil, true)
				_, err = call.Settle(ctx, -1)
				check(t, "total", fmt.Sprint(err), "total must be from 0 to 1000000000000: -1")
				settled(t, penstock.Settled)(call.SettleEntries(ctx, own.Used(150)))
				settled(t, penstock.NothingHeld)(call.Settle(ctx, 1))
				settled(t, penstock.NothingHeld)(call.Renew(ctx, 1))
				must(t, call.Close())
				settled(t, penstock.Settled)(second.Cancel(ctx))
				third := reserve(t, llm, group, budget.Debit(10).Within(user), budget.Debit(10), places.Reserve(1))
				check(t, "settled by entry, and cancelled", left(third), "true 840/0 590/0 1/1")
				must(t, third.Close())
				check(t, "events", strings.Join(events, " "), "reserved renewed reserved denied settled cancelled reserved settled")
				never := reserve(t, llm, group, budget.Reserve(1001))
				check(t, "never", never.RetryAfter() == penstock.Never && never.AskAgainAfter() == penstock.Never, true)
			})
		}
	}
}

func TestAnEndWithoutAWordSettlesTheEstimates(t *testing.T) {
	llm := reservations(t, connect(t, "Client", "REDIS"), time.Hour)
	group := random()
	func() {
		call := reserve(t, llm, group, budget.Reserve(400), places.Reserve(1))
		defer call.Close()
	}()
	check(t, "charged", left(reserve(t, llm, group, budget.Debit(1), places.Reserve(1))), "true 599/0 1/1")
}

func TestAnIDFindsItsReservation(t *testing.T) {
	ctx, llm, group, id := context.Background(), reservations(t, connect(t, "Client", "REDIS"), time.Hour), random(), penstock.NewCallID()
	first, err := llm.ReserveID(ctx, id, group, budget.Reserve(400))
	must(t, err)
	again, err := llm.ReserveID(ctx, id, group, budget.Reserve(400))
	must(t, err)
	check(t, "again", left(again), "true 600/400")
	check(t, "repeated", again.Repeated && !first.Repeated && again.ID == id, true)
	_, err = llm.ReserveID(ctx, id, group, budget.Reserve(401))
	is(t, err, "misconfigured", "id")
	settled(t, penstock.Settled)(first.Settle(ctx, 300))
	settled(t, penstock.Settled)(again.Settle(ctx, 200))
	check(t, "the larger", left(reserve(t, llm, group, budget.Debit(1))), "true 699/0")
	_, err = llm.ReserveID(ctx, id, group, budget.Reserve(400))
	is(t, err, "misconfigured", "id")
}

func TestAnAnswerThatIsLostOnce(t *testing.T) {
	ctx := context.Background()
	once := penstock.NewEntryLimit("once", penstock.FixedWindow(1000, time.Hour))
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			serversDo(t, penstock.ReserveScript.Source, "load")
			serversDo(t, penstock.SettleScript.Source, "load")
			client, group := connect(t, name, "PROXY"), random()
			connected(t, client, group)
			llm := reservations(t, client, time.Hour)
			serversDo(t, "", "lose")
			call := reserve(t, llm, group, once.Reserve(400))
			check(t, "once", left(call), "true 600/400")
			check(t, "repeated", call.Repeated, true)
			serversDo(t, "", "lose")
			settled(t, penstock.Settled)(call.Settle(ctx, 300))
			check(t, "charged once", left(reserve(t, llm, group, once.Debit(1))), "true 699/0")
		})
	}
}

func TestWhatARenewalCountedIsChargedThoughItNeverArrived(t *testing.T) {
	ctx, client, group := context.Background(), connect(t, "Client", "PROXY"), random()
	connected(t, client, group)
	asked(t, client)
	llm := reservations(t, client, time.Hour)
	call := reserve(t, llm, group, budget.Reserve(100))
	serversDo(t, "", "down")
	within, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	_, err := call.Renew(within, 150)
	cancel()
	serversDo(t, "", "up")
	is(t, err, "outage", "")
	connected(t, client, group)
	must(t, call.Close())
	check(t, "charged", left(reserve(t, llm, group, budget.Debit(1))), "true 849/0")
}

func TestTooLateToSettle(t *testing.T) {
	ctx, group := context.Background(), random()
	llm := reservations(t, connect(t, "Client", "REDIS"), 3*time.Second)
	call := reserve(t, llm, group, budget.Reserve(400), places.Reserve(1))
	time.Sleep(3500 * time.Millisecond)
	settled(t, penstock.RanOut)(call.Settle(ctx, 1))
	settled(t, penstock.NothingHeld)(call.Settle(ctx, 1))
	check(t, "charged as estimated", left(reserve(t, llm, group, budget.Debit(1), places.Reserve(1))), "true 599/0 1/1")
}

func TestReservationsWithoutAServer(t *testing.T) {
	group, client := random(), connect(t, "Client", "REDIS")
	fail, allow, deny := reservations(t, client, time.Hour), reservations(t, client, time.Hour, penstock.OnUnavailable(penstock.Allow)),
		reservations(t, client, time.Hour, penstock.OnUnavailable(penstock.Deny))
	within := func(llm *penstock.Reservations) (*penstock.Reservation, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		return llm.Reserve(ctx, group, budget.Reserve(1), places.Reserve(1))
	}
	held, heldToo := reserve(t, fail, random(), budget.Reserve(1)), reserve(t, allow, random(), budget.Reserve(1))
	asked(t, client)
	serversDo(t, "", "stop")
	defer serversDo(t, "", "cont")
	call, err := within(fail)
	maybe(t, err, true)
	check(t, "no object", call == nil && errors.Is(err, penstock.ErrNoDecision), true)
	for choice, llm := range map[penstock.Choice]*penstock.Reservations{penstock.Allow: allow, penstock.Deny: deny} {
		call, err = within(llm)
		must(t, err)
		check(t, "undecided", left(call), fmt.Sprintf("%v 0/0 0/0", choice == penstock.Allow))
		check(t, "limits", call.Undecided && call.Denying == -1 && call.Usages[0].Limit == 1000 && call.Usages[1].Limit == 2, true)
		check(t, "the wait", call.RetryAfter() > 0, choice == penstock.Deny)
		settled(t, penstock.NothingHeld)(call.Settle(context.Background(), 1))
		must(t, call.Close())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err = held.Settle(ctx, 1)
	is(t, err, "outage", "and the held units expire: ")
	settled(t, penstock.SettleUndecided)(heldToo.Settle(ctx, 1))
	must(t, held.Close())
	serversDo(t, "", "cont")
	settled(t, penstock.Settled)(held.Settle(context.Background(), 1))
}

func TestReservationsOfAFullServer(t *testing.T) {
	ctx, client, group := context.Background(), connect(t, "Client", "REDIS"), random()
	memory := func(bytes string) { must(t, client.ConfigSet(ctx, "maxmemory", bytes).Err()) }
	defer memory("0")
	byDefault := reservations(t, client, time.Hour, penstock.OnUnavailable(penstock.Allow))
	fails := reservations(t, client, time.Hour, penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Fail))
	allows := reservations(t, client, time.Hour, penstock.OnOverload(penstock.Allow))
	held := []*penstock.Reservation{
		reserve(t, fails, group, budget.Reserve(400), places.Reserve(1)), reserve(t, allows, group, budget.Reserve(400), places.Reserve(1)),
	}
	memory("1")
	call, err := fails.Reserve(ctx, random(), budget.Reserve(1))
	is(t, err, "overloaded", "OOM")
	check(t, "no object", call == nil, true)
	for llm, want := range map[*penstock.Reservations]string{byDefault: "false 0/0", allows: "true 0/0"} {
		call = reserve(t, llm, random(), budget.Reserve(1))
		check(t, "undecided", left(call), want)
		check(t, "nobody decided", call.Undecided, true)
		settled(t, penstock.NothingHeld)(call.Settle(ctx, 1))
	}
	// A settlement frees more than it takes, so it runs in a full memory.
	for _, call := range held {
		settled(t, penstock.Settled)(call.Settle(ctx, 100))
	}
	memory("0")
	check(t, "what was used", left(reserve(t, fails, group, budget.Debit(1))), "true 799/0")
}

func TestAServerThatIsFullAfterALostAnswer(t *testing.T) {
	ctx, client, group := context.Background(), connect(t, "Client", "PROXY"), random()
	serversDo(t, penstock.ReserveScript.Source, "load")
	connected(t, client, group)
	llm := reservations(t, client, time.Hour, penstock.OnOverload(penstock.Fail))
	must(t, client.ConfigSet(ctx, "maxmemory", "1").Err())
	defer client.ConfigSet(ctx, "maxmemory", "0")
	serversDo(t, "", "lose")
	_, err := llm.Reserve(ctx, group, penstock.NewEntryLimit("once", penstock.FixedWindow(1000, time.Hour)).Reserve(1))
	is(t, err, "overloaded", "overloaded, and the call may have been charged: ")
	// Redis 6 has other words around it.
	is(t, err, "overloaded", "OOM")
	check(t, "proof", penstock.ProvesNotRun(err), false)
}

func TestAWrongPasswordOpensNoReservation(t *testing.T) {
	for _, name := range names {
		client := signedIn(t, name, "nobody", "wrong")
		llm := reservations(t, client, time.Hour, penstock.OnUnavailable(penstock.Allow), penstock.OnOverload(penstock.Allow))
		call, err := llm.Reserve(context.Background(), random(), budget.Reserve(1))
		is(t, err, "misconfigured", "WRONGPASS")
		check(t, "no object", call == nil, true)
	}
}

func TestTryagainIsSentAgain(t *testing.T) {
	group, client := random(), connect(t, "ClusterClient", "CLUSTER")
	llm := reservations(t, client, time.Hour)
	must(t, reserve(t, llm, group, budget.Reserve(1), places.Reserve(1)).Close())
	slotsKey := "x:{" + group + "}"
	serversDo(t, "", "ask", slotsKey)
	var err error
	// On a machine that stalls an attempt may have no answer in time.
	for err == nil || !strings.Contains(err.Error(), "TRYAGAIN") {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		call, reason := llm.Reserve(ctx, group, budget.Reserve(1), places.Reserve(1))
		check(t, "granted", reason == nil && call.Allowed(), false)
		err = reason
		cancel()
	}
	is(t, err, "outage", "TRYAGAIN")
	calls := make(chan error)
	go func() {
		call, err := llm.Reserve(context.Background(), group, budget.Reserve(1), places.Reserve(1))
		if err == nil && left(call) != "true 999/1 1/1" {
			err = errors.New(left(call))
		}
		calls <- err
	}()
	time.Sleep(200 * time.Millisecond)
	serversDo(t, "", "settle", slotsKey)
	must(t, <-calls)
}

func TestPermitsInFlight(t *testing.T) {
	ctx, renewed := context.Background(), make(chan penstock.EventKind, 100)
	limiter, err := goredis.NewConcurrencyLimiter(connect(t, "Client", "REDIS"), "exports", 1, 6*time.Second, penstock.WithPrefix(prefix),
		penstock.WithTimeout(6*time.Second), penstock.OnReservation(func(event penstock.ReservationEvent) { renewed <- event.Kind }))
	must(t, err)
	who := random()
	permit, err := limiter.TryAcquire(ctx, who)
	must(t, err)
	check(t, "the only one", left(permit), "true 0/1")
	other, err := limiter.TryAcquireID(ctx, penstock.NewCallID(), who)
	must(t, err)
	check(t, "full", left(other), "false 0/1")
	permit.KeepAlive()
	for _, want := range []penstock.EventKind{penstock.EventReserved, penstock.EventDenied, penstock.EventRenewed, penstock.EventRenewed} {
		check(t, "event", <-renewed, want)
	}
	must(t, permit.Close())
	check(t, "closed", <-renewed, penstock.EventSettled)
	third, err := limiter.TryAcquire(ctx, who)
	must(t, err)
	check(t, "free again", left(third), "true 0/1")
	_, err = goredis.NewConcurrencyLimiter(nil, "exports", 1, time.Minute)
	check(t, "nil", err.Error(), "client must not be nil")
	_, err = goredis.NewReservations(nil, "llm", time.Minute)
	check(t, "nil", err.Error(), "client must not be nil")
}

func TestTheReadmesReservations(t *testing.T) {
	example, err := os.ReadFile("reservations_example_test.go")
	must(t, err)
	readme, err := os.ReadFile("../README.md")
	must(t, err)
	_, code, _ := strings.Cut(string(example), "var (")
	check(t, "the README has the example", strings.Contains(string(readme), "```go\nvar ("+code+"```"), true)
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + setting("REDIS")})
	defer client.Close()
	handler, err := gateway(client, func(context.Context) ([]byte, int64) { return []byte("answer"), 30_000 })
	must(t, err)
	codes, tenant := map[int]int{}, random()
	requested := func(user string) int {
		request, answer := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		request.Header.Set("X-Tenant", tenant)
		request.Header.Set("X-User", user)
		handler.ServeHTTP(answer, request)
		return answer.Code
	}
	for range 5 {
		codes[requested("user:42")]++
	}
	check(t, "served until the tokens are used", codes[http.StatusOK] >= 3 && codes[http.StatusTooManyRequests] >= 1, true)
	check(t, "without a user", requested(""), http.StatusServiceUnavailable)
	must(t, client.ConfigSet(context.Background(), "maxmemory", "1").Err())
	tenant = random()
	full := requested("user:42")
	must(t, client.ConfigSet(context.Background(), "maxmemory", "0").Err())
	check(t, "a full memory", full, http.StatusServiceUnavailable)
}
