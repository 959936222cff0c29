package penstock

import (
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const concurrencyBegin = "concurrency:"

var placesPattern = regexp.MustCompile(`^[0-9]{1,13}$`)

// NamedLimit is a policy's name and its limit, from which the entries of calls are created. A charge shares its units with a
// RateLimiter of the same name and limit. Reservations and debits count separate units: reserve and debit under one limit,
// never reserve and charge.
type NamedLimit struct {
	policy string
	rate   Limit
	places int64
	err    error
}

// Named is a limit of a rate. The policy's name is 1 to 64 letters, digits, dots, hyphens and underscores.
func Named(policy string, limit Limit) NamedLimit {
	return NamedLimit{policy: policy, rate: limit, err: limit.Err()}
}

// Concurrency is a limit of concurrent calls: 1 to 10^12 places, which are held and never charged.
func Concurrency(policy string, limit int64) NamedLimit {
	return NamedLimit{policy: policy, places: limit, err: inBounds("limit", limit, mostUnits)}
}

// ParseNamed parses a limit in the syntax of ParseLimit, or concurrency:10; String writes it.
func ParseNamed(policy, text string) (NamedLimit, error) {
	number, isConcurrency := strings.CutPrefix(text, concurrencyBegin)
	if !isConcurrency {
		limit, err := ParseLimit(text)
		if err != nil {
			return NamedLimit{}, err
		}
		return Named(policy, limit), nil
	}
	if !placesPattern.MatchString(number) {
		return NamedLimit{}, fmt.Errorf(`limit "%s" must be a number after "concurrency:", such as concurrency:10`, text)
	}
	places, _ := strconv.ParseInt(number, 10, 64)
	limit := Concurrency(policy, places)
	return limit, limit.err
}

// Err is the error of an invalid limit; a call with an entry of it ends with this error.
func (n NamedLimit) Err() error {
	if n.err == nil && n.places == 0 && n.rate.script == nil {
		return errors.New("the limit must be made by a function of this package")
	}
	return n.err
}

// Policy is the policy's name.
func (n NamedLimit) Policy() string { return n.policy }

// String is the limit as text, such as concurrency:10.
func (n NamedLimit) String() string {
	if n.places != 0 {
		return concurrencyBegin + strconv.FormatInt(n.places, 10)
	}
	return n.rate.String()
}

// Charge charges a known cost permanently: 1 to 10^12 units of any rate.
func (n NamedLimit) Charge(units int64) CallEntry { return n.entry(modeCharge, units) }

// Reserve holds an estimate until the call is settled: 1 to 10^12 units of a token bucket, a fixed or sliding window, or
// places of Concurrency, of which a call usually takes 1.
func (n NamedLimit) Reserve(units int64) CallEntry { return n.entry(modeReserve, units) }

// Debit charges a known cost under a limit that is otherwise reserved: 1 to 10^12 units of a token bucket, a fixed or
// sliding window.
func (n NamedLimit) Debit(units int64) CallEntry { return n.entry(modeDebit, units) }

const (
	modeCharge  = "charge"
	modeReserve = "reserve"
	modeDebit   = "debit"
)

// CallEntry is one limit in a call and the cost of the call under it; a NamedLimit creates it. It is a value, and
// comparable.
type CallEntry struct {
	policy, marker, within, mode string
	// Its limit as text.
	limit string
	// The script's arguments: its name, and the tiers' numbers with spaces between.
	script, numbers        string
	tiers                  int
	capacity, units        int64
	isWithin, countsTotals bool
	err                    error
}

func (n NamedLimit) entry(mode string, units int64) CallEntry {
	made := CallEntry{policy: n.policy, mode: mode, units: units, err: n.Err()}
	if made.err != nil {
		return made
	}
	made.limit = n.String()
	var held bool
	if n.places != 0 {
		made.script, made.marker, made.numbers, made.tiers, made.capacity = "concurrency", "c", strconv.FormatInt(n.places, 10), 1, n.places
		held = mode == modeReserve
	} else {
		made.script, made.marker, made.numbers = n.rate.script.Name, n.rate.Marker(), strings.Join(n.rate.Args(), " ")
		made.tiers, made.capacity, made.countsTotals = len(n.rate.tiers), n.rate.tiers[0][0], mode == modeReserve
		held = mode == modeCharge || n.rate.script.Holds
	}
	if mode != modeCharge {
		made.marker = "r" + made.marker
	}
	if !held {
		made.err = fmt.Errorf("limit does not take %s: %v", mode, n)
	} else {
		made.err = inBounds("units", units, mostUnits)
	}
	return made
}

// Within is the entry for one member of the group, such as a tenant's user, instead of for the group itself. The member is a
// text like a subject.
func (e CallEntry) Within(who string) CallEntry {
	e.within, e.isWithin = who, true
	return e
}

// Policy is the name of the entry's policy.
func (e CallEntry) Policy() string { return e.policy }

// Units is the cost of the call under it.
func (e CallEntry) Units() int64 { return e.units }

// String is the entry in a log; it does not contain the subject.
func (e CallEntry) String() string { return fmt.Sprintf("%s %s %d", e.mode, e.policy, e.units) }

// Used is the total that the entry has used, 0 to 10^12, for Reservation.SettleEntries.
func (e CallEntry) Used(total int64) EntryTotal { return EntryTotal{e, total} }

// EntryTotal is the total that an entry has used; CallEntry.Used creates it.
type EntryTotal struct {
	entry CallEntry
	total int64
}

func checkTotal(total int64) error {
	if total < 0 || total > mostUnits {
		return fmt.Errorf("total must be from 0 to %d: %d", int64(mostUnits), total)
	}
	return nil
}

func (e CallEntry) key(prefix, group string) (string, error) {
	if e.err != nil {
		return "", e.err
	}
	if e.mode == "" {
		return "", errors.New("the entry must be made by a NamedLimit")
	}
	head, err := groupKey(prefix, group)
	if err != nil {
		return "", err
	}
	if !namePattern.MatchString(e.policy) {
		return "", fmt.Errorf("policy must match [A-Za-z0-9._-]{1,64}, such as api or orders.get: %q", e.policy)
	}
	key := prefix + ":" + e.policy + strings.TrimPrefix(head, prefix)
	if e.isWithin {
		if err := checkSubject(e.within); err != nil {
			return "", fmt.Errorf("within: %w", err)
		}
		key += "/" + strings.ReplaceAll(string(appendEscaped(nil, e.within)), "/", "%2F")
	}
	return key + ":" + e.marker, nil
}

// The prefix of a receipt's key: <prefix>:{<group>}.
func groupKey(prefix, group string) (string, error) {
	if err := checkSubject(group); err != nil {
		return "", fmt.Errorf("group: %w", err)
	}
	return string(appendEscaped([]byte(prefix+":{"), group)) + "}", nil
}

// CallID is the idempotency key of one call: a repeated call with the same id and entries returns the same answer and is
// charged once. The program generates it. Never take it from a request, such as from its header: a client that chooses the
// id can repeat a call that was allowed, and is allowed again without a charge.
type CallID struct{ text string }

// NewCallID is a unique id: a random UUID.
func NewCallID() CallID {
	var octets [16]byte
	if _, err := rand.Read(octets[:]); err != nil {
		panic(err)
	}
	octets[6], octets[8] = octets[6]&0x0f|0x40, octets[8]&0x3f|0x80
	return CallID{fmt.Sprintf("%x-%x-%x-%x-%x", octets[:4], octets[4:6], octets[6:8], octets[8:10], octets[10:])}
}

// ParseCallID is an id that the program made before: 1 to 64 of A-Z a-z 0-9 . _ -
func ParseCallID(text string) (CallID, error) {
	if !namePattern.MatchString(text) {
		return CallID{}, fmt.Errorf("id must be 1 to 64 of A-Z a-z 0-9 . _ -: %q", text)
	}
	return CallID{text}, nil
}

// String is the id's text.
func (id CallID) String() string { return id.text }

// EntryUsage is the usage of one entry's limit after a call. Held units count as used. Limit and Tier are those of the
// reported tier: the one with the fewest units remaining, or the one that denied.
type EntryUsage struct {
	Entry                                     CallEntry
	Limit, Remaining, Held, ResetMicros, Tier int64
}

// ResetAfter is the time until the tier is entirely unused.
func (u EntryUsage) ResetAfter() time.Duration {
	return time.Duration(u.ResetMicros) * time.Microsecond
}
