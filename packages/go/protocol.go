// Package penstock limits rates exactly in Redis and Valkey: Penstock's scripts, its protocol, and a limiter over the
// client that a program has. Package goredis, a module of its own, is for go-redis.
package penstock

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	mostUnits      = 1_000_000_000_000
	mostTiers      = 16
	longestSubject = 128
	// Never is RetryAfter of a call that costs more than its limit: no wait helps.
	Never = time.Duration(math.MaxInt64)
)

var namePattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Script is one of the protocol's scripts. Marker and Unmarked make the end of a key: a letter, and how many of a
// tier's first numbers it lacks. Tier and Most are the names and upper bounds of a tier's numbers.
type Script struct {
	Name     string
	SHA1     string
	Function string
	Marker   string
	Unmarked int
	Tier     []string
	Most     []int64
	Source   string
}

// DropIn is a script that stands in for another limiter's script; docs/drop-ins.md has its contract.
type DropIn struct {
	Name   string
	SHA1   string
	Source string
}

// Limit is a script and the numbers of its 1 to 16 tiers. A call is charged to all tiers or to none.
type Limit struct {
	script *Script
	tiers  [][]int64
	err    error
}

// NewLimit makes the limit of a script from the numbers of its tiers, times in microseconds.
func NewLimit(script *Script, tiers ...[]int64) Limit {
	limit := Limit{script: script, tiers: tiers}
	if len(tiers) < 1 || len(tiers) > mostTiers {
		limit.err = fmt.Errorf("tiers must be 1 to %d: %d", mostTiers, len(tiers))
	}
	for _, tier := range tiers {
		if len(tier) != len(script.Tier) {
			limit.err = fmt.Errorf("a tier must be %s: %v", strings.Join(script.Tier, " "), tier)
			break
		}
		for at, value := range tier {
			limit.err = errors.Join(limit.err, inBounds(script.Tier[at], value, script.Most[at]))
		}
	}
	return limit
}

// A number of a tier, and what is wrong with it.
type number struct {
	value int64
	err   error
}

func units(value int64) number { return number{value: value} }

func micros(name string, time time.Duration) number {
	if time.Nanoseconds()%1000 != 0 {
		return number{1, fmt.Errorf("%s must be whole microseconds: %v", name, time)}
	}
	return number{value: time.Microseconds()}
}

func newLimit(script *Script, numbers ...number) Limit {
	tier := make([]int64, len(numbers))
	var wrong error
	for at, number := range numbers {
		tier[at] = number.value
		wrong = errors.Join(wrong, number.err)
	}
	limit := NewLimit(script, tier)
	limit.err = errors.Join(limit.err, wrong)
	return limit
}

// And is this limit and another one of the same script.
func (l Limit) And(other Limit) Limit {
	if err := errors.Join(l.Err(), other.Err()); err != nil {
		return Limit{script: l.script, err: err}
	}
	if other.script != l.script {
		return Limit{script: l.script, err: fmt.Errorf("tiers must be of one script: %s and %s", l.script.Name, other.script.Name)}
	}
	return NewLimit(l.script, append(append([][]int64{}, l.tiers...), other.tiers...)...)
}

// Err is what is wrong with the limit's numbers, if anything is; New returns it too.
func (l Limit) Err() error {
	if l.script == nil {
		return errors.New("the limit must be made by a function of this package")
	}
	return l.err
}

// Script decides about the limit.
func (l Limit) Script() *Script { return l.script }

// Marker is the end of the key.
func (l Limit) Marker() string {
	tiers := make([]string, len(l.tiers))
	for at, tier := range l.tiers {
		tiers[at] = strings.Join(decimals(tier[l.script.Unmarked:]), ".")
	}
	return l.script.Marker + strings.Join(tiers, "-")
}

// Args are the arguments that follow the cost.
func (l Limit) Args() []string {
	var args []string
	for _, tier := range l.tiers {
		args = append(args, decimals(tier)...)
	}
	return args
}

func decimals(values []int64) []string {
	texts := make([]string, len(values))
	for at, value := range values {
		texts[at] = strconv.FormatInt(value, 10)
	}
	return texts
}

// Key is <prefix>:<policy>:{<subject>}:<marker>, the subject escaped, or hashed if it is longer than 128 bytes.
func Key(prefix, policy, subject string, limit Limit) (string, error) {
	for _, part := range [][2]string{{"prefix", prefix}, {"policy", policy}} {
		if !namePattern.MatchString(part[1]) {
			return "", fmt.Errorf("%s must match [A-Za-z0-9._-]{1,64}: %q", part[0], part[1])
		}
	}
	if subject == "" {
		return "", errors.New("subject must not be empty")
	}
	if !utf8.ValidString(subject) {
		return "", fmt.Errorf("subject must be UTF-8: %q", subject)
	}
	return prefix + ":" + policy + ":{" + escaped(subject) + "}:" + limit.Marker(), nil
}

func escaped(subject string) string {
	if len(subject) > longestSubject {
		return fmt.Sprintf("%%sha256-%x", sha256.Sum256([]byte(subject)))
	}
	var text strings.Builder
	for _, octet := range []byte(subject) {
		if octet < ' ' || octet == 0x7f || octet == '%' || octet == '{' || octet == '}' {
			fmt.Fprintf(&text, "%%%02X", octet)
		} else {
			text.WriteByte(octet)
		}
	}
	return text.String()
}

// Decision is the script's answer. Granted is 0 or 1; of cost*calls it is how many of the calls were charged.
type Decision struct {
	Granted, Limit, Remaining, WaitMicros, ResetMicros, Tier int64
}

// Allowed is whether the call may go ahead.
func (d Decision) Allowed() bool { return d.Granted > 0 }

// RetryAfter is how long a denied caller should wait: zero if the call was allowed, Never if no wait helps.
func (d Decision) RetryAfter() time.Duration {
	switch {
	case d.Allowed():
		return 0
	case d.WaitMicros < 0:
		return Never
	}
	return time.Duration(d.WaitMicros) * time.Microsecond
}

// RetryAfterSeconds is RetryAfter in whole seconds, rounded up, as HTTP's Retry-After takes it: 0 if the call was
// allowed, and also if no wait helps.
func (d Decision) RetryAfterSeconds() int64 {
	wait := d.RetryAfter()
	if wait == Never {
		return 0
	}
	seconds := int64(wait / time.Second)
	if wait%time.Second > 0 {
		seconds++
	}
	return seconds
}

// Delay is how long an allowed call should wait before it goes ahead: its place in a leaky bucket's queue.
func (d Decision) Delay() time.Duration {
	if !d.Allowed() {
		return 0
	}
	return time.Duration(d.WaitMicros) * time.Microsecond
}

// ResetAfter is how long until the tier that decided is entirely unused.
func (d Decision) ResetAfter() time.Duration { return time.Duration(d.ResetMicros) * time.Microsecond }

// ReadReply reads a reply to a cost, or to as many calls as cost*calls names; anything but six integers within their
// bounds is an error.
func ReadReply(reply any, calls int64) (Decision, error) {
	unreadable := fmt.Errorf("the reply must be six integers of the protocol: %v", reply)
	values, ok := reply.([]any)
	if !ok || len(values) != 6 {
		return Decision{}, unreadable
	}
	var six [6]int64
	for at, value := range values {
		if six[at], ok = value.(int64); !ok {
			return Decision{}, unreadable
		}
	}
	read := Decision{six[0], six[1], six[2], six[3], six[4], six[5]}
	least := int64(-1)
	if read.Allowed() {
		least = 0
	}
	if min(read.Granted, read.Remaining, read.ResetMicros) < 0 || read.WaitMicros < least || read.Granted > calls ||
		read.Limit < 1 || read.Tier < 1 || read.Tier > mostTiers {
		return Decision{}, unreadable
	}
	return read, nil
}

// ErrNoDecision is in the tree of every error of a call that could not be decided: no answer came, there was no
// connection, or the server was not able to. It is not in that of a mistake: an argument out of bounds, or a server that
// refuses this user, this script or this key.
var ErrNoDecision = errors.New("no decision could be made")

// MaybeChargedError says that no answer tells whether the call ran, so it may or may not have been charged. It wraps
// the client's own error.
type MaybeChargedError struct{ Err error }

func (e *MaybeChargedError) Error() string {
	return "no answer tells whether the call ran, so it may have been charged: " + e.Err.Error()
}

// Unwrap is ErrNoDecision and the client's own error.
func (e *MaybeChargedError) Unwrap() []error { return []error{ErrNoDecision, e.Err} }

// NotSentError says that a call was never sent, so nothing was charged. It wraps the reason.
type NotSentError struct{ Err error }

func (e *NotSentError) Error() string { return "the call was not sent: " + e.Err.Error() }

// Unwrap is the reason.
func (e *NotSentError) Unwrap() error { return e.Err }

// ProvesNotRun is whether an error proves that the call was not charged: it is an answer of the server that says so, or
// no connection could be made.
func ProvesNotRun(err error) bool {
	var notSent *NotSentError
	if errors.As(err, &notSent) {
		return true
	}
	var dial *net.OpError
	if errors.As(err, &dial) {
		return dial.Op == "dial"
	}
	text := serverText(err)
	return oneOf(unavailableBegins, unavailableWords, text) || isMistake(text)
}

// Whether the server said that something is set up wrong.
func isMistake(text string) bool { return oneOf(mistakeBegins, mistakeWords, text) }

// The text of an error of the server; clients mark one by the method RedisError.
func serverText(err error) string {
	var answer interface {
		error
		RedisError()
	}
	if errors.As(err, &answer) {
		return answer.Error()
	}
	return ""
}

// Whether the text begins with one of the words, or has one of the others.
func oneOf(begins, words []string, text string) bool {
	for _, word := range begins {
		if strings.HasPrefix(text, word) && endsWord(text[len(word):]) {
			return true
		}
	}
	for _, word := range words {
		for from := 0; ; {
			at := strings.Index(text[from:], word)
			if at < 0 {
				break
			}
			at += from
			if (at == 0 || endsWord(text[at-1:])) && endsWord(text[at+len(word):]) {
				return true
			}
			from = at + 1
		}
	}
	return false
}

// Whether the text is empty or begins with what is no part of a word.
func endsWord(text string) bool {
	if text == "" {
		return true
	}
	c := text[0]
	return !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z')
}

func inBounds(name string, value, most int64) error {
	if value < 1 || value > most {
		return fmt.Errorf("%s must be from 1 to %d: %d", name, most, value)
	}
	return nil
}
