package penstock_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/penstock/penstock/packages/go/internal/verdict"
)

// What happens in a scenario of verdict.json, or what must be done.
type occurrence struct {
	At       float64 `json:"at_ms"`
	Node     string
	Begins   string
	Deadline float64 `json:"deadline_ms"`
	On       any
	Answered string
	// The number of a connection or of a question.
	Connected, Refused, Cut, Reply, Written int
	Kind                                    string
	Stands                                  float64 `json:"stands_still_until_ms"`
	Forks, Crowded                          bool
	Cancels, Opens                          string
	May                                     bool
	Connect, Ask, Drop                      int
	End, Outcome                            string
	Close                                   string
}

// The time of a scenario, its timers, and what has been done.
type scenario struct {
	now    time.Time
	still  float64
	timers []*moved
	turns  []func()
	writes []func()
	done   []string
	says   []any
	byhand []int
	drops  bool
	// The calls that were checked.
	checked []any
	// The refusal that was reported beside answered calls.
	beside error
}

type moved struct {
	at      time.Time
	then    func()
	stopped bool
}

func (m *moved) Stop() bool {
	m.stopped = true
	return true
}

func (s *scenario) Now() time.Time { return s.now }

func (s *scenario) AfterFunc(after time.Duration, then func()) verdict.Timer {
	made := &moved{at: s.now.Add(after), then: then}
	s.timers = append(s.timers, made)
	return made
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(ms float64) time.Time { return start.Add(time.Duration(ms * float64(time.Millisecond))) }

func (s *scenario) note(node, what string) {
	s.done = append(s.done, fmt.Sprintf("%v %s: %s", float64(s.now.Sub(start))/1e6, node, what))
}

// Runs the timers that are due until a time, and the further turns after them.
func (s *scenario) until(end time.Time) {
	for {
		s.timers = slices.DeleteFunc(s.timers, func(each *moved) bool { return each.stopped })
		if len(s.timers) == 0 {
			break
		}
		next := slices.MinFunc(s.timers, func(a, b *moved) int { return a.at.Compare(b.at) })
		if len(s.turns) > 0 && next.at.After(s.now) && end.After(s.now) {
			s.turn()
			continue
		}
		if next.at.After(end) {
			break
		}
		if next.at.After(s.now) {
			s.turn()
			s.now = next.at
		}
		next.stopped = true
		next.then()
		s.write()
	}
	if s.now.Before(end) {
		s.turn()
		s.now = end
	}
}

func (s *scenario) turn() {
	for len(s.turns) > 0 {
		then := s.turns[0]
		s.turns = s.turns[1:]
		then()
	}
}

type scriptedLink struct {
	*scenario
	name  string
	node  *verdict.Node
	asked map[int]int
}

func (l *scriptedLink) Connect(number int, _ any) { l.note(l.name, fmt.Sprint("connect ", number)) }

func (l *scriptedLink) Ask(connection, question int, call any) {
	l.checked = append(l.checked, call)
	l.note(l.name, fmt.Sprintf("ask %d on %d", question, connection))
	l.asked[question] = connection
	if !slices.Contains(l.byhand, question) {
		l.writes = append(l.writes, func() { l.node.Written(connection, question) })
	}
}

// The writes return.
func (s *scenario) write() {
	for _, write := range s.writes {
		write()
	}
	s.writes = nil
}

func (l *scriptedLink) Close(number int) {
	if l.drops {
		l.note(l.name, fmt.Sprint("drop ", number))
	}
}

func (l *scriptedLink) Turn(_ int, then func()) { l.turns = append(l.turns, then) }
func (l *scriptedLink) Spread() time.Duration   { return 0 }
func (l *scriptedLink) Backoff() time.Duration  { return 5 * time.Second }

func (l *scriptedLink) Changed(before, now verdict.Verdict, _ time.Duration) {
	if now.Kind == verdict.Overloaded {
		l.beside = now.Err
	}
	if before.Kind != verdict.Unknown || now.Kind != verdict.Overloaded {
		l.says = append(l.says, []any{float64(l.now.Sub(start)) / 1e6, now.Kind.String()})
	}
}

var outcomes = map[verdict.Kind]string{
	verdict.Unknown: "OVERLOADED", verdict.Overloaded: "OVERLOADED", verdict.Outage: "OUTAGE", verdict.Refused: "REFUSED",
}

// What the node of a single server, whose client follows MOVED, makes of an answer.
func says(kind string) verdict.Verdict {
	switch kind {
	case "", "ok", "NOSCRIPT", "MOVED", "ASK":
		return verdict.Verdict{Kind: verdict.Overloaded}
	case "maxclients":
		kind = "ERR max number of clients reached"
	}
	made := verdict.Verdict{Kind: verdict.Overloaded, Err: errors.New(kind)}
	switch penstock.Classify(kind).Kind {
	case penstock.Misconfigured:
		made.Kind = verdict.Refused
	case penstock.Unavailable:
		made.Kind = verdict.Outage
	}
	return made
}

func TestF2LateCalls(t *testing.T) {
	var vectors struct {
		Scenarios []struct {
			Name    string
			Byhand  []int
			In, Out []occurrence
			Says    []any
		}
	}
	penstock.Vectors(t, "verdict", &vectors)
	for number, each := range vectors.Scenarios {
		if slices.ContainsFunc(each.Out, func(out occurrence) bool { return out.Close != "" }) {
			// No two calls share a connection of go-redis, and it ends with its call's context, at deadline + P.
			continue
		}
		t.Run(each.Name, func(t *testing.T) {
			drops := slices.ContainsFunc(each.Out, func(out occurrence) bool { return out.Drop != 0 })
			s := &scenario{now: start, byhand: each.Byhand, drops: drops}
			links, calls, begun := map[string]*scriptedLink{}, map[string]*verdict.Call{}, map[string]time.Time{}
			made := func(name string) *scriptedLink {
				if links[name] == nil {
					links[name] = &scriptedLink{scenario: s, name: name, asked: map[int]int{}}
					links[name].node = verdict.NewNode(s, links[name])
				}
				return links[name]
			}
			end := at(slices.MaxFunc(each.Out, func(a, b occurrence) int { return cmp.Compare(a.At, b.At) }).At)
			for _, in := range each.In {
				if at(in.At).After(end) {
					break
				}
				if s.still == 0 || in.At >= s.still {
					s.until(at(max(in.At, s.still)))
				} else {
					// It happens while the process stands still, and is seen afterwards.
					s.until(at(s.still))
				}
				name := cmp.Or(in.Node, "a")
				link := made(name)
				switch {
				case in.Begins != "":
					begun[in.Begins] = s.now
					calls[in.Begins] = link.node.Begin(time.Duration(in.Deadline*float64(time.Millisecond)), func(v verdict.Verdict) {
						s.note(name, "end "+in.Begins+" "+outcomes[v.Kind])
					}, in.Begins)
					if in.Crowded {
						calls[in.Begins].Crowded()
					}
				case in.Answered != "":
					if calls[in.Answered].Answered(begun[in.Answered], says(in.Kind)) {
						s.note(name, "end "+in.Answered+" DECIDED")
					}
				case in.Connected != 0:
					link.node.Connected(in.Connected)
				case in.Refused != 0:
					why := says(in.Kind)
					if in.Kind == "ECONNREFUSED" {
						why.Kind = verdict.Outage
					} else if why.Kind == verdict.Outage {
						why.Kind = verdict.Full
					}
					link.node.Refused(in.Refused, why)
				case in.Cut != 0:
					link.node.Cut(in.Cut, verdict.Verdict{Kind: verdict.Full, Err: errors.New("cut")})
				case in.Reply != 0:
					link.node.Replied(link.asked[in.Reply], in.Reply, says(in.Kind))
				case in.Written != 0:
					link.node.Written(link.asked[in.Written], in.Written)
				case in.Stands != 0:
					s.still = in.Stands
					s.now = at(in.Stands)
				case in.Forks:
					delete(links, name)
				case in.Cancels != "":
					calls[in.Cancels].Cancel()
				case in.Opens != "":
					ended, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
					may := calls[in.Opens].Opens(ended.Done(), func() bool { return false })
					cancel()
					if may != in.May {
						t.Errorf("at %v, %s may open a connection: %v", in.At, in.Opens, may)
					}
				}
				s.write()
			}
			s.until(end)
			s.turn()
			var want []string
			for _, out := range each.Out {
				what := fmt.Sprint("connect ", out.Connect)
				switch {
				case out.Ask != 0:
					what = fmt.Sprintf("ask %d on %v", out.Ask, out.On)
				case out.Drop != 0:
					what = fmt.Sprint("drop ", out.Drop)
				case out.End != "":
					what = "end " + out.End + " " + out.Outcome
				}
				want = append(want, fmt.Sprintf("%v %s: %s", out.At, cmp.Or(out.Node, "a"), what))
			}
			if got := s.done; !slices.Equal(got, want) {
				t.Fatalf("\n%q, not\n%q", got, want)
			}
			if each.Says != nil && fmt.Sprint(s.says) != fmt.Sprint(each.Says) {
				t.Fatalf("says %v, not %v", s.says, each.Says)
			}
			penstock.Replayed(t, "verdict.scenarios", number)
		})
	}
}

// A link whose node makes connection 1 at once; the attempts after it are 5 s apart.
func scripted() *scriptedLink {
	made := &scriptedLink{scenario: &scenario{now: start}, name: "a", asked: map[int]int{}}
	made.node = verdict.NewNode(made, made)
	made.begins()
	return made
}

// Begins a call, and runs the timers that are due.
func (l *scriptedLink) begins() {
	l.node.Begin(time.Second, func(verdict.Verdict) {}, nil)
	l.until(l.now.Add(1))
}

func TestF2AnotherRefusalIsNoChange(t *testing.T) {
	link := scripted()
	link.node.Refused(1, verdict.Verdict{Kind: verdict.Refused, Err: errors.New("WRONGPASS")})
	link.begins()
	link.until(at(6_000))
	link.node.Refused(2, verdict.Verdict{Kind: verdict.Full, Err: errors.New("ERR max number of clients reached")})
	link.begins()
	link.until(at(11_000))
	link.node.Refused(3, verdict.Verdict{Kind: verdict.Outage, Err: errors.New("connection refused")})
	if got, want := fmt.Sprint(link.says), "[[1e-06 refused] [11000 silent]]"; got != want {
		t.Fatalf("says %v, not %v", got, want)
	}
}

func TestF2ACheckThatIsLostThroughTheClientIsSilenceAndNoRefusal(t *testing.T) {
	lost := verdict.Verdict{Kind: verdict.Lost, Err: errors.New("lost")}
	for _, each := range []struct {
		answers    bool
		says, ends string
	}{{false, "[[1e-06 silent]]", "OUTAGE"}, {true, "[]", "OVERLOADED"}} {
		link := scripted()
		if each.answers {
			link.node.Begin(time.Second, nil, nil).Answered(link.now, says("ok"))
		}
		link.node.Connected(1)
		link.node.Cut(1, lost)
		var ended string
		link.node.Begin(time.Second/2, func(v verdict.Verdict) { ended = outcomes[v.Kind] }, nil)
		link.until(at(501))
		if got := fmt.Sprint(link.says); got != each.says || ended != each.ends || link.beside != nil {
			t.Fatalf("says %v %v and ends calls as %v, not %v and %v", got, link.beside, ended, each.says, each.ends)
		}
	}
}

func TestF2TheCheckIsThatOfTheLateCall(t *testing.T) {
	link := &scriptedLink{scenario: &scenario{now: start}, name: "a", asked: map[int]int{}}
	link.node = verdict.NewNode(link, link)
	begins := func(name string) *verdict.Call {
		defer func() { link.until(link.now.Add(1)) }()
		return link.node.Begin(time.Second, func(verdict.Verdict) {}, name)
	}
	first := begins("first")
	link.node.Connected(1)
	link.node.Replied(1, 1, says("ok"))
	first.Answered(start, says("ok"))
	// Each is checked at half of its time, and the last one when its client ends it.
	begins("late")
	link.until(at(200))
	begins("later")
	begins("other").Failed()
	link.until(at(600))
	link.node.Replied(1, 2, says("ok"))
	ended := begins("ended")
	link.until(at(800))
	link.node.Replied(1, 3, says("ok"))
	link.until(at(999))
	begins("other").Failed()
	ended.Late()
	if got, want := fmt.Sprint(link.checked), "[first late later ended]"; got != want {
		t.Fatalf("checks %v, not %v", got, want)
	}
}
