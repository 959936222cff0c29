// Package penstock limits rates exactly in Redis and Valkey. It contains Penstock's scripts and protocol, and a limiter that uses the
// program's existing client. Package goredis, in a separate module, supports go-redis.
package penstock

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/big"
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
	longestMicros  = 366 * 24 * 3600 * 1_000_000
	centuryMicros  = 36525 * 24 * 3600 * 1_000_000
	// Never is the RetryAfter of a call whose cost exceeds its limit, so waiting does not help.
	Never = time.Duration(math.MaxInt64)
)

var namePattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Script is one of the protocol's scripts. Marker is the letter with which the last part of a key begins, and Unmarked is how many leading
// numbers of each tier that part omits. Tier and Most are the names and the upper bounds of a tier's numbers; Refill is how its units
// refill: evenly, in_batches, at_end of a window, or fading with the older of two windows. Queues is whether an admitted call waits for its
// turn, and Holds is whether units can be reserved and settled later.
type Script struct {
	Name     string
	SHA1     string
	Function string
	Marker   string
	Unmarked int
	Tier     []string
	Most     []int64
	Refill   string
	Queues   bool
	Holds    bool
	Source   string
}

// DropIn is a script that replaces the script of another limiter; docs/drop-ins.md describes its contract.
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

// NewLimit creates a limit from a script and the numbers of its tiers, with times in microseconds.
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
		if limit.err == nil && len(tier) == 3 {
			limit.err = bucketInBounds(script.Refill == "in_batches", tier[0], tier[1], tier[2])
		}
	}
	return limit
}

// One of a tier's numbers, with the error if it is invalid.
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

// And combines this limit with another limit of the same script.
func (l Limit) And(other Limit) Limit {
	if err := errors.Join(l.Err(), other.Err()); err != nil {
		return Limit{script: l.script, err: err}
	}
	if other.script != l.script {
		return Limit{script: l.script, err: fmt.Errorf("tiers must be of one script: %s and %s", l.script.Name, other.script.Name)}
	}
	return NewLimit(l.script, append(append([][]int64{}, l.tiers...), other.tiers...)...)
}

// Err returns the error of an invalid limit; New returns it as well.
func (l Limit) Err() error {
	if l.script == nil {
		return errors.New("the limit must be made by a function of this package")
	}
	return l.err
}

// String returns the limit as text, such as token-bucket:100/1m,burst=20, in the syntax of ParseLimit.
func (l Limit) String() string {
	if err := l.Err(); err != nil {
		return "invalid limit: " + err.Error()
	}
	tiers := make([]string, len(l.tiers))
	for at, tier := range l.tiers {
		tiers[at] = tierText(tier)
	}
	return l.script.Name + ":" + strings.Join(tiers, "+")
}

// Script returns the limit's script.
func (l Limit) Script() *Script { return l.script }

// Marker returns the last part of the key.
func (l Limit) Marker() string {
	tiers := make([]string, len(l.tiers))
	for at, tier := range l.tiers {
		tiers[at] = strings.Join(decimals(tier[l.script.Unmarked:]), ".")
	}
	return l.script.Marker + strings.Join(tiers, "-")
}

// Args returns the arguments that follow the cost.
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

// Key returns <prefix>:<policy>:{<subject>}:<marker> with the subject escaped, or hashed if it is longer than 128 bytes.
func Key(prefix, policy, subject string, limit Limit) (string, error) {
	for _, part := range [][2]string{{"prefix", prefix}, {"policy", policy}} {
		if !namePattern.MatchString(part[1]) {
			return "", fmt.Errorf("%s must match [A-Za-z0-9._-]{1,64}, such as api or orders.get "+
				"(what is limited, as a path, goes to the subject): %q", part[0], part[1])
		}
	}
	if err := checkSubject(subject); err != nil {
		return "", err
	}
	key := appendEscaped([]byte(prefix+":"+policy+":{"), subject)
	return string(key) + "}:" + limit.Marker(), nil
}

func checkSubject(subject string) error {
	if subject == "" {
		return errors.New("subject must not be empty")
	}
	if !utf8.ValidString(subject) {
		return fmt.Errorf("subject must be UTF-8: %q", subject)
	}
	return nil
}

func appendEscaped(key []byte, subject string) []byte {
	if len(subject) > longestSubject {
		return fmt.Appendf(key, "%%sha256-%x", sha256.Sum256([]byte(subject)))
	}
	for at := range len(subject) {
		if octet := subject[at]; octet < ' ' || octet == 0x7f || octet == '%' || octet == '{' || octet == '}' {
			key = fmt.Appendf(key, "%%%02X", octet)
		} else {
			key = append(key, octet)
		}
	}
	return key
}

// Decision is the script's reply. Granted is 0 or 1 or, for cost*calls, the number of calls that were charged.
type Decision struct {
	Granted, Limit, Remaining, WaitMicros, ResetMicros, Tier int64
	// Undecided is true if the server did not make the decision, because of an outage or an overload.
	Undecided bool
	// Remembered is true if a DenialMemory repeated the decision without a round trip.
	Remembered bool
}

// Allowed reports whether the call was allowed.
func (d Decision) Allowed() bool { return d.Granted > 0 }

// RetryAfter returns the time after which a denied call can be retried. It is zero if the call was allowed, and Never if waiting does not
// help.
func (d Decision) RetryAfter() time.Duration {
	switch {
	case d.Allowed():
		return 0
	case d.WaitMicros < 0:
		return Never
	}
	return time.Duration(d.WaitMicros) * time.Microsecond
}

// RetryAfterSeconds returns RetryAfter in whole seconds, rounded up, as in HTTP's Retry-After. It is 0 if the call was allowed. If waiting
// does not help, the second result is false and the number is meaningless.
func (d Decision) RetryAfterSeconds() (int64, bool) {
	wait := d.RetryAfter()
	if wait == Never {
		return -1, false
	}
	seconds := int64(wait / time.Second)
	if wait%time.Second > 0 {
		seconds++
	}
	return seconds, true
}

// Delay returns how long an allowed call must wait for its turn in a leaky bucket's queue before it proceeds. It is 0 for other limits.
func (d Decision) Delay() time.Duration {
	if !d.Allowed() {
		return 0
	}
	return time.Duration(d.WaitMicros) * time.Microsecond
}

// ResetAfter returns the time until the deciding tier is back at full capacity.
func (d Decision) ResetAfter() time.Duration { return time.Duration(d.ResetMicros) * time.Microsecond }

// ReadReply decodes the reply to a call with a cost, or with cost*calls for this number of calls; it returns an error unless the reply
// consists of six integers within their bounds.
func ReadReply(reply any, calls int64) (Decision, error) {
	six, err := readSix(reply, calls)
	if err != nil {
		return Decision{}, err
	}
	return decisionOf(six), nil
}

func decisionOf(six [6]int64) Decision {
	return Decision{Granted: six[0], Limit: six[1], Remaining: six[2], WaitMicros: six[3], ResetMicros: six[4], Tier: six[5]}
}

func readSix(reply any, calls int64) (six [6]int64, err error) {
	values, ok := reply.([]any)
	if !ok || len(values) != 6 {
		return six, unreadable(reply)
	}
	for at, value := range values {
		if six[at], ok = value.(int64); !ok {
			return six, unreadable(reply)
		}
	}
	read := decisionOf(six)
	least := int64(-1)
	if read.Allowed() {
		least = 0
	}
	if min(read.Granted, read.Remaining, read.ResetMicros) < 0 || read.WaitMicros < least || read.Granted > calls ||
		read.Limit < 1 || read.Tier < 1 || read.Tier > mostTiers {
		return six, unreadable(reply)
	}
	return six, nil
}

func unreadable(reply any) error {
	return fmt.Errorf("the reply must be six integers of the protocol: %v", reply)
}

func inBounds(name string, value, most int64) error {
	if value < 1 || value > most {
		return fmt.Errorf("%s must be from 1 to %d: %d", name, most, value)
	}
	return nil
}

// Reports whether a bucket is within the scripts' bounds as a whole.
func bucketInBounds(inBatches bool, capacity, units, period int64) error {
	product := new(big.Int).Mul(big.NewInt(capacity), big.NewInt(period))
	longest := new(big.Int).Mul(big.NewInt(units), big.NewInt(centuryMicros))
	if inBatches {
		product.Mul(big.NewInt((capacity+units-1)/units), big.NewInt(period))
		longest.SetInt64(centuryMicros)
	}
	if product.Cmp(longest) > 0 {
		return fmt.Errorf("capacity must be such that the bucket fills within 100 years: %d", capacity)
	}
	divisor := new(big.Int).GCD(nil, nil, big.NewInt(units), big.NewInt(period))
	if !inBatches && product.Div(product, divisor).BitLen() > 53 {
		return fmt.Errorf("capacity must be such that capacity * period is below 2^53 where units / period is in lowest terms: %d", capacity)
	}
	return nil
}
