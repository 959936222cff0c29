package penstock

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/penstock/penstock/packages/go/internal/numbers"
	"github.com/penstock/penstock/packages/go/internal/verdict"
)

// Command is a Redis command with its arguments. In a script call, the key is at index 3.
type Command []any

// Reply is the reply to a command.
type Reply struct {
	Value any
	Err   error
}

// Sender sends commands through a client. It must send each command once, except after MOVED and ASK, and stop when the context ends. It
// returns a *NotSentError if a command was not sent, and a *KnownError if it knows more about a failure.
type Sender interface {
	// Send sends commands in as few round trips as the client allows; each reply is at the index of its command.
	Send(ctx context.Context, commands []Command) []Reply
	// SendToMasters sends a command to every master.
	SendToMasters(ctx context.Context, command Command) error
}

// Option configures a limiter or reservations.
type Option func(*settings)

// The part that limiters and reservations share.
type settings struct {
	sender        Sender
	prefix        string
	functions     bool
	onUnavailable Choice
	onOverload    Choice
	tell          func(policy, subject string, outcome Outcome)
	event         func(ReservationEvent)
	timeout       time.Duration
	memory        *DenialMemory
	breaker       *CircuitBreaker
	wrong         error
	// Whether the check for a late call goes through the client's own pool.
	onPath bool
	// Whether each call is sent on its own.
	alone     bool
	onVerdict func(VerdictChange)
	readOnly  verdict.ReadOnly
}

func (s *settings) set(sender Sender, options []Option) error {
	s.sender, s.prefix, s.onOverload = sender, "penstock", Deny
	for _, option := range options {
		option(s)
	}
	if s.wrong != nil {
		return s.wrong
	}
	for _, choice := range []Choice{s.onUnavailable, s.onOverload} {
		if choice < Fail || choice > Deny {
			return fmt.Errorf("choice must be Fail, Allow or Deny: %d", choice)
		}
	}
	if s.onPath || s.onVerdict != nil {
		asks, ok := sender.(verdictSender)
		if !ok {
			return errors.New("WithVerdictConnection and OnVerdict are for a Sender that asks its servers, such as goredis has")
		}
		asks.AskServers(!s.onPath, s.onVerdict)
	}
	return nil
}

// verdictSender is a Sender that checks its servers when calls are late. own selects separate connections; tell is called when the verdict
// changes.
type verdictSender interface {
	AskServers(own bool, tell func(VerdictChange))
}

// WithPrefix sets the prefix of every key; the default is penstock.
func WithPrefix(prefix string) Option { return func(l *settings) { l.prefix = prefix } }

// WithFunctions makes calls use the Functions library (Redis 7.0, Valkey) instead of scripts; load it first with LoadFunctions.
func WithFunctions() Option { return func(l *settings) { l.functions = true } }

// Choice determines the result of a call for units if the server does not make a decision.
type Choice int

const (
	Fail  Choice = iota // The call returns the error.
	Allow               // The call is allowed; Decision.Undecided is true.
	// Deny denies the call; Decision.Undecided is true, and RetryAfter is the time that the call's context had left at the start of the call,
	// or a second if the context has no deadline.
	Deny
)

// WithVerdictConnection sets whether the server is checked over a separate connection when a call is late, which is the default. There is
// one such connection for each server and client. Otherwise the check goes through the client's own pool, and a full pool looks like an
// outage.
func WithVerdictConnection(own bool) Option { return func(s *settings) { s.onPath = !own } }

// VerdictChange is a change of the verdict on a server. Verdict and Before are "up", "silent" (no answer, or nothing listens), "refused"
// (the server refuses the connection for the check and answers no calls), or "unknown"; Lasted is how long Before lasted. While calls are
// answered beside a refused connection, the verdict is "up", which is reported once with its Err.
type VerdictChange struct {
	Server, Verdict, Before string
	Lasted                  time.Duration
	Err                     error
}

// OnVerdict sets a callback that receives each change of the verdict on a server of the limiter's client; changes are also logged with
// log/slog. It must return quickly.
func OnVerdict(tell func(VerdictChange)) Option { return func(s *settings) { s.onVerdict = tell } }

// OnUnavailable sets the result of a call for units during an outage. The default is Fail, which returns an ErrNoDecision. Configuration
// errors, unknown errors, and errors of peeks and refunds are always returned.
func OnUnavailable(choice Choice) Option { return func(l *settings) { l.onUnavailable = choice } }

// OnOverload sets the result of a call for units if a resource is exhausted although the server answers. Fail returns an ErrOverloaded. The
// default is Deny, because a single caller that sends many calls can fill the pool or the server's memory.
func OnOverload(choice Choice) Option { return func(l *settings) { l.onOverload = choice } }

// OnOutcome sets a callback for metrics and logs that receives every call with its decision, its error, or both if the limiter made the
// decision without the server. It must return quickly and be safe for concurrent use.
func OnOutcome(tell func(policy, subject string, outcome Outcome)) Option {
	return func(l *settings) { l.tell = tell }
}

// RateLimiter is a rate limiter for one policy and one limit, applied to each subject. It is safe for concurrent use.
type RateLimiter struct {
	settings
	policy     string
	limit      Limit
	args       []any
	head, tail string
	options    []Option
	// What shares the trips of calls; nil if they are not shared.
	sharing *tripSharing
}

// New creates a limiter. If a number or a name is invalid, the error says which.
func New(sender Sender, policy string, limit Limit, options ...Option) (*RateLimiter, error) {
	if err := limit.Err(); err != nil {
		return nil, err
	}
	limiter := &RateLimiter{policy: policy, limit: limit, options: options}
	wrong := limiter.set(sender, options)
	if limiter.event != nil || limiter.timeout != 0 {
		wrong = errors.Join(wrong, errors.New("options must be a limiter's: OnReservation and WithTimeout are of reservations"))
	}
	for _, arg := range limit.Args() {
		limiter.args = append(limiter.args, arg)
	}
	key, err := Key(limiter.prefix, limiter.policy, "any", limit)
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	limiter.head, limiter.tail, _ = strings.Cut(key, "any}")
	limiter.tail = "}" + limiter.tail
	if sender == nil {
		return nil, errors.New("sender must not be nil")
	}
	limiter.sharing = newTripSharing(limiter)
	return limiter, nil
}

// Returns this limiter with another limit.
func (l *RateLimiter) withLimit(limit Limit) (*RateLimiter, error) {
	return New(l.sender, l.policy, limit, l.options...)
}

// Acquire takes one unit if every tier has one available. A denial is returned as a decision, not as an error.
func (l *RateLimiter) Acquire(ctx context.Context, subject string) (Decision, error) {
	return l.AcquireN(ctx, subject, 1)
}

// AcquireN takes cost units, 1 to 10^12, if every tier has them available.
func (l *RateLimiter) AcquireN(ctx context.Context, subject string, cost int64) (Decision, error) {
	if err := inBounds("cost", cost, mostUnits); err != nil {
		return Decision{}, err
	}
	return l.one(ctx, subject, cost, 1)
}

// AcquireUpTo takes the units for as many calls of this cost as fit, up to the given number; Granted is their number. The product of calls
// and cost is at most 10^12.
func (l *RateLimiter) AcquireUpTo(ctx context.Context, subject string, calls, cost int64) (Decision, error) {
	if err := inBounds("cost", cost, mostUnits); err != nil {
		return Decision{}, err
	}
	if err := inBounds("calls", calls, mostUnits/cost); err != nil {
		return Decision{}, err
	}
	return l.one(ctx, subject, cost, calls)
}

// Outcome is the outcome of one call of a batch.
type Outcome struct {
	Decision Decision
	Err      error
}

// AcquireAll takes one unit for each subject, in one round trip per node; a call that fails does not affect the others. If there are more
// than 10,000 subjects, nothing is sent and each outcome has the same error.
func (l *RateLimiter) AcquireAll(ctx context.Context, subjects []string) []Outcome {
	calls := make([]SubjectCost, len(subjects))
	for at, subject := range subjects {
		calls[at] = SubjectCost{subject, 1}
	}
	return l.acquireEach(ctx, "subjects", calls)
}

// SubjectCost is one call of a batch.
type SubjectCost struct {
	Subject string
	Cost    int64
}

// AcquireEach is AcquireAll with a cost for each subject, 1 to 10^12.
func (l *RateLimiter) AcquireEach(ctx context.Context, calls []SubjectCost) []Outcome {
	return l.acquireEach(ctx, "calls", calls)
}

func (l *RateLimiter) acquireEach(ctx context.Context, argument string, calls []SubjectCost) []Outcome {
	outcomes := make([]Outcome, len(calls))
	if len(calls) > numbers.BatchCalls {
		err := fmt.Errorf("%s must be at most %d in a batch: %d", argument, numbers.BatchCalls, len(calls))
		for at := range outcomes {
			outcomes[at].Err = err
		}
		return outcomes
	}
	var requests []request
	var places []int
	for at, call := range calls {
		key, err := l.appendKey(nil, call.Subject)
		if err = errors.Join(err, inBounds("cost", call.Cost, mostUnits)); err != nil {
			outcomes[at].Err = err
			continue
		}
		known := false
		if outcomes[at].Decision, known = l.known(key, call.Subject, call.Cost); !known {
			requests, places = append(requests, request{call.Subject, string(key), call.Cost, 1}), append(places, at)
		}
	}
	for at, outcome := range l.all(ctx, requests) {
		outcomes[places[at]] = outcome
	}
	return outcomes
}

// Peek returns the current usage without charging anything.
func (l *RateLimiter) Peek(ctx context.Context, subject string) (Decision, error) {
	return l.one(ctx, subject, 0, 1)
}

// Refund refunds units, 1 to 10^12, but no more than have been used.
func (l *RateLimiter) Refund(ctx context.Context, subject string, units int64) (Decision, error) {
	if err := inBounds("units", units, mostUnits); err != nil {
		return Decision{}, err
	}
	return l.one(ctx, subject, -units, 1)
}

// Reset refunds all used units.
func (l *RateLimiter) Reset(ctx context.Context, subject string) (Decision, error) {
	return l.Refund(ctx, subject, mostUnits)
}

// LoadFunctions loads the Functions library on every master.
func (s *settings) LoadFunctions(ctx context.Context) error {
	return s.sender.SendToMasters(ctx, Command{"FUNCTION", "LOAD", "REPLACE", FunctionsLibrary})
}

// The cost of one call: a positive cost takes units, 0 peeks, and a negative cost refunds.
type request struct {
	subject, key string
	cost, calls  int64
}

func (l *RateLimiter) appendKey(space []byte, subject string) ([]byte, error) {
	if err := checkSubject(subject); err != nil {
		return nil, err
	}
	return append(appendEscaped(append(space, l.head...), subject), l.tail...), nil
}

// Returns the key of a subject, or nil for an invalid one.
func (l *RateLimiter) key(subject string) string {
	key, _ := l.appendKey(nil, subject)
	return string(key)
}

// Returns the remembered denial of a call for units.
func (l *RateLimiter) known(key []byte, subject string, cost int64) (Decision, bool) {
	if l.memory == nil || cost <= 0 {
		return Decision{}, false
	}
	known, ok := l.memory.find(key, &l.limit, cost)
	if ok && l.tell != nil {
		l.tell(l.policy, subject, Outcome{Decision: known})
	}
	return known, ok
}

func (l *RateLimiter) one(ctx context.Context, subject string, cost, calls int64) (Decision, error) {
	var space [256]byte
	key, err := l.appendKey(space[:0], subject)
	if err != nil {
		return Decision{}, err
	}
	if known, ok := l.known(key, subject, cost); ok {
		return known, nil
	}
	if cost < 0 && l.memory != nil {
		l.memory.forget(key)
		defer l.memory.forget(key)
	}
	outcome := l.all(ctx, []request{{subject, string(key), cost, calls}})[0]
	return outcome.Decision, outcome.Err
}

func (l *RateLimiter) all(ctx context.Context, requests []request) []Outcome {
	wait := time.Second
	if deadline, ok := ctx.Deadline(); ok {
		wait = max(time.Until(deadline), 0)
	}
	var sent instant
	if l.memory != nil {
		sent = l.memory.now()
	}
	outcomes := make([]Outcome, len(requests))
	for at, reply := range l.answers(ctx, requests) {
		request := requests[at]
		outcome := l.outcome(request, reply, wait)
		if l.memory != nil && request.cost > 0 && outcome.Err == nil && !outcome.Decision.Allowed() && !outcome.Decision.Remembered {
			l.memory.remember(request.key, l.limit, request.cost, outcome.Decision, sent)
		}
		if l.tell != nil {
			l.tell(l.policy, request.subject, outcome)
		}
		if outcome.Decision.Undecided {
			outcome.Err = nil
		}
		outcomes[at] = outcome
	}
	return outcomes
}

func (l *RateLimiter) command(request request) Command {
	var cost any = request.cost
	if request.calls > 1 {
		cost = fmt.Sprintf("%d*%d", request.cost, request.calls)
	}
	return append(append(l.call(l.limit.script), 1, request.key, cost), l.args...)
}

// Returns the start of a script call.
func (s *settings) call(script *Script) Command {
	if s.functions {
		return Command{"FCALL", script.Function}
	}
	return Command{"EVALSHA", script.SHA1}
}

func (l *RateLimiter) answers(ctx context.Context, requests []request) []Reply {
	replies := make([]Reply, len(requests))
	commands, places := make([]Command, 0, len(requests)), make([]int, 0, len(requests))
	// A call whose context has already ended says nothing about the server.
	watched := l.breaker != nil && ctx.Err() == nil
	for at, request := range requests {
		if watched && request.cost > 0 && !l.breaker.maySend() {
			replies[at].Err = errOpen
			continue
		}
		if l.sharing != nil && len(requests) == 1 && request.cost > 0 && request.calls == 1 {
			reply, counts := l.sharing.send(ctx, request)
			if watched && counts {
				l.breaker.note(reply.Err)
			}
			return []Reply{reply}
		}
		commands, places = append(commands, l.command(request)), append(places, at)
	}
	if len(commands) == 0 {
		return replies
	}
	for at, reply := range l.send(ctx, l.limit.script, commands) {
		replies[places[at]] = reply
		if watched {
			l.breaker.note(reply.Err)
		}
	}
	return replies
}

// Sends calls of a script, including its source if the server does not have it.
func (s *settings) send(ctx context.Context, script *Script, commands []Command) []Reply {
	replies := s.sender.Send(ctx, commands)
	var evals []Command
	var places []int
	for at, reply := range replies {
		if strings.HasPrefix(serverText(reply.Err), "NOSCRIPT") {
			evals = append(evals, append(Command{"EVAL", script.Source}, commands[at][2:]...))
			places = append(places, at)
		}
	}
	if len(evals) > 0 {
		for at, reply := range s.sender.Send(ctx, evals) {
			replies[places[at]] = reply
		}
	}
	return replies
}

// Returns the outcome of a reply. If there is an error and the limiter decides without the server, the outcome has both the error and the
// decision; a denial then has this wait.
func (l *RateLimiter) outcome(request request, reply Reply, wait time.Duration) Outcome {
	err, meaning := reply.Err, unknown
	if shared, ok := reply.Value.(Decision); ok {
		if !shared.Remembered {
			l.readOnly.Decided()
		}
		return Outcome{Decision: shared}
	}
	if err == nil {
		var decision Decision
		if decision, err = ReadReply(reply.Value, request.calls); err == nil {
			l.readOnly.Decided()
			return Outcome{Decision: decision}
		}
	} else {
		meaning = l.meaning(err)
	}
	err = thrown(err, meaning, request.cost != 0)
	choice := l.choice(meaning)
	if choice == Fail || request.cost <= 0 {
		return Outcome{Err: err}
	}
	undecided := Decision{Limit: l.limit.tiers[0][0], Tier: 1, Undecided: true}
	if choice == Allow {
		undecided.Granted = request.calls
	} else {
		undecided.WaitMicros = wait.Microseconds()
	}
	return Outcome{undecided, err}
}

func (s *settings) choice(meaning Meaning) Choice {
	switch {
	case meaning.outage():
		return s.onUnavailable
	case meaning.Kind == Overloaded:
		return s.onOverload
	}
	return Fail
}

// Classifies an error; an address that remains a replica is a configuration error.
func (s *settings) meaning(err error) Meaning {
	meaning := ClassifyError(err)
	if meaning.rule == "READONLY" && s.readOnly.Lasts() {
		meaning.Kind = Misconfigured
	}
	return meaning
}
