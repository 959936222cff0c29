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

// EntryLimit is a limit with the name of its policy. It creates the entries of a call. A charge counts against the same units as a
// RateLimiter with this name and limit. Reservations and debits are counted separately from charges, so combine Reserve with Debit under
// one limit, but never with Charge.
type EntryLimit struct {
	policy string
	rate   Limit
	places int64
	err    error
}

// NewEntryLimit returns a rate limit. The policy's name consists of 1 to 64 letters, digits, dots, hyphens and underscores.
func NewEntryLimit(policy string, limit Limit) EntryLimit {
	return EntryLimit{policy: policy, rate: limit, err: limit.Err()}
}

// Concurrency returns a limit for the number of concurrent calls, 1 to 10^12. A call holds a place while it runs. Places are never charged.
func Concurrency(policy string, limit int64) EntryLimit {
	return EntryLimit{policy: policy, places: limit, err: inBounds("limit", limit, mostUnits)}
}

// ParseEntryLimit parses a limit in the syntax of ParseLimit, or a concurrency limit such as concurrency:10; String is the inverse.
func ParseEntryLimit(policy, text string) (EntryLimit, error) {
	number, isConcurrency := strings.CutPrefix(text, concurrencyBegin)
	if !isConcurrency {
		limit, err := ParseLimit(text)
		if err != nil {
			return EntryLimit{}, err
		}
		return NewEntryLimit(policy, limit), nil
	}
	if !placesPattern.MatchString(number) {
		return EntryLimit{}, fmt.Errorf(`limit "%s" must be a number after "concurrency:", such as concurrency:10`, text)
	}
	places, _ := strconv.ParseInt(number, 10, 64)
	limit := Concurrency(policy, places)
	return limit, limit.err
}

// Err returns the error of an invalid limit; a call with an entry of this limit fails with the same error.
func (n EntryLimit) Err() error {
	if n.err == nil && n.places == 0 && n.rate.script == nil {
		return errors.New("the limit must be made by a function of this package")
	}
	return n.err
}

// Policy returns the name of the policy.
func (n EntryLimit) Policy() string { return n.policy }

// String returns the limit as text, such as concurrency:10.
func (n EntryLimit) String() string {
	if n.places != 0 {
		return concurrencyBegin + strconv.FormatInt(n.places, 10)
	}
	return n.rate.String()
}

// Charge creates an entry that charges a known cost, 1 to 10^12 units, permanently under any rate limit.
func (n EntryLimit) Charge(units int64) EntryCost { return n.entry(modeCharge, units) }

// Reserve creates an entry that holds an estimate of 1 to 10^12 units until the call is settled, under a token bucket, fixed window,
// sliding window or concurrency limit. A call usually holds 1 unit of a concurrency limit.
func (n EntryLimit) Reserve(units int64) EntryCost { return n.entry(modeReserve, units) }

// Debit creates an entry that charges a known cost of 1 to 10^12 units under a limit from which other calls reserve units: a token bucket,
// fixed window or sliding window.
func (n EntryLimit) Debit(units int64) EntryCost { return n.entry(modeDebit, units) }

const (
	modeCharge  = "charge"
	modeReserve = "reserve"
	modeDebit   = "debit"
)

// EntryCost is one limit of a call and the call's cost under this limit. An EntryLimit creates it. It is a comparable value.
type EntryCost struct {
	policy, marker, within, mode string
	// The limit as text.
	limit string
	// The script's arguments: its name, and the numbers of the tiers separated by spaces.
	script, numbers        string
	tiers                  int
	capacity, units        int64
	isWithin, countsTotals bool
	err                    error
}

func (n EntryLimit) entry(mode string, units int64) EntryCost {
	made := EntryCost{policy: n.policy, mode: mode, units: units, err: n.Err()}
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
		made.err = fmt.Errorf("limit does not support %s: %v", mode, n)
	} else {
		made.err = inBounds("units", units, mostUnits)
	}
	return made
}

// Within returns the entry for one member of the group, such as a tenant's user, instead of for the group itself. The member has the syntax
// of a subject.
func (e EntryCost) Within(who string) EntryCost {
	e.within, e.isWithin = who, true
	return e
}

// Policy returns the name of the entry's policy.
func (e EntryCost) Policy() string { return e.policy }

// Units returns the cost of the call under this entry.
func (e EntryCost) Units() int64 { return e.units }

// String returns a description of the entry for logs, without the subject.
func (e EntryCost) String() string { return fmt.Sprintf("%s %s %d", e.mode, e.policy, e.units) }

// Used returns the total that the entry used, 0 to 10^12, to be passed to Reservation.SettleEntries.
func (e EntryCost) Used(total int64) EntryTotal { return EntryTotal{e, total} }

// EntryTotal is the total that an entry used, created by EntryCost.Used.
type EntryTotal struct {
	entry EntryCost
	total int64
}

func checkTotal(total int64) error {
	if total < 0 || total > mostUnits {
		return fmt.Errorf("total must be from 0 to %d: %d", int64(mostUnits), total)
	}
	return nil
}

func (e EntryCost) key(prefix, group string) (string, error) {
	if e.err != nil {
		return "", e.err
	}
	if e.mode == "" {
		return "", errors.New("the entry must be made by an EntryLimit")
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

// Returns the prefix of a receipt's key: <prefix>:{<group>}.
func groupKey(prefix, group string) (string, error) {
	if err := checkSubject(group); err != nil {
		return "", fmt.Errorf("group: %w", err)
	}
	return string(appendEscaped([]byte(prefix+":{"), group)) + "}", nil
}

// CallID is the idempotency key of one call. A call that is repeated with the same id and entries gets the same answer and is charged once.
// Generate the id in your program. Never take it from a request, such as from a header, because a client that chooses the id can repeat an
// allowed call, which is then allowed again without a charge.
type CallID struct{ text string }

// NewCallID returns a unique id, which is a random UUID.
func NewCallID() CallID {
	var octets [16]byte
	if _, err := rand.Read(octets[:]); err != nil {
		panic(err)
	}
	octets[6], octets[8] = octets[6]&0x0f|0x40, octets[8]&0x3f|0x80
	return CallID{fmt.Sprintf("%x-%x-%x-%x-%x", octets[:4], octets[4:6], octets[6:8], octets[8:10], octets[10:])}
}

// ParseCallID parses an id that the program has generated. The id has 1 to 64 characters from A-Z a-z 0-9 . _ -
func ParseCallID(text string) (CallID, error) {
	if !namePattern.MatchString(text) {
		return CallID{}, fmt.Errorf("id must be 1 to 64 of A-Z a-z 0-9 . _ -: %q", text)
	}
	return CallID{text}, nil
}

// String returns the text of the id.
func (id CallID) String() string { return id.text }

// EntryUsage is the usage of an entry's limit after a call. Held units count as used. Limit and Tier describe the reported tier, which is
// the tier that denied the call or, if none did, the tier with the fewest units remaining.
type EntryUsage struct {
	Entry                                     EntryCost
	Limit, Remaining, Held, ResetMicros, Tier int64
}

// ResetAfter returns the time until the reported tier is back at full capacity.
func (u EntryUsage) ResetAfter() time.Duration {
	return time.Duration(u.ResetMicros) * time.Microsecond
}
