package penstock

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
	"sync/atomic"
	"time"
)

const (
	forgetTimes  = 4096
	longestKey   = 512
	noticedNanos = 5_000_000
)

// DenialMemory repeats denials for a short time without a round trip (rules N1 to N6 of docs/protocol.md). Create one for each client, and
// pass it to all limiters of that client. It is safe for concurrent use, and lock-free.
//
// It is a table with two possible slots for each key. A newer denial replaces an expired one or, if there is none, an unexpired one; the
// next call for the replaced denial's key then takes a round trip. Keys longer than 512 bytes are not remembered.
type DenialMemory struct {
	most   int64
	seed   maphash.Seed
	places []atomic.Pointer[denial]
	// The times at which keys were last forgotten; denials of calls that were sent before that time are not remembered. Several keys share a
	// slot.
	forgotten [forgetTimes]atomic.Int64
	now       func() instant
}

// NewDenialMemory creates a memory for this number of denials, 2 to 10^7. Each denial is repeated for at most atMost, 1 microsecond to 1
// minute; after that, a call goes to the server again. An entry takes about 250 bytes plus its key.
func NewDenialMemory(atMost time.Duration, entries int) (*DenialMemory, error) {
	if atMost < time.Microsecond || atMost > time.Minute {
		return nil, fmt.Errorf("atMost must be from 1 microsecond to 1 minute: %v", atMost)
	}
	if entries < 2 || entries > 10_000_000 {
		return nil, fmt.Errorf("entries must be from 2 to 10000000: %d", entries)
	}
	base := time.Now()
	return &DenialMemory{
		most:   atMost.Nanoseconds(),
		seed:   maphash.MakeSeed(),
		places: make([]atomic.Pointer[denial], entries/2*2),
		now: func() instant {
			now := time.Now()
			return instant{1 + now.Sub(base).Nanoseconds(), now.UnixNano()}
		},
	}, nil
}

// RememberDenials makes a limiter use this memory. A remembered denial never causes a call to be allowed, and peeks and refunds always go
// to the server. A refund or reset through a limiter with this memory takes effect at once; any other refund or reset takes effect after
// atMost at the latest.
func RememberDenials(memory *DenialMemory) Option {
	return func(l *settings) {
		l.memory = memory
		if memory == nil {
			l.wrong = errors.Join(l.wrong, errors.New("memory must not be nil"))
		}
	}
}

// A time, measured both on the monotonic clock (which may stop while the machine is suspended) and on the wall clock. If their offset
// changes, earlier denials are not used.
type instant struct{ nanos, wall int64 }

func (i instant) steadySince(earlier instant) bool {
	apart := (i.wall - earlier.wall) - (i.nanos - earlier.nanos)
	return -noticedNanos <= apart && apart <= noticedNanos
}

// A denial by the server, and the time for which it is repeated.
type denial struct {
	hash           uint64
	key            string
	limit          Limit
	cost           int64
	decision       Decision
	sent, answered instant
	life           int64
}

// Returns a denial if a remembered denial implies that the server would also deny this call.
func (m *DenialMemory) find(key []byte, limit *Limit, cost int64) (Decision, bool) {
	hash := maphash.Bytes(m.seed, key)
	first := m.first(hash)
	for at := first; at < first+2; at++ {
		if known := m.places[at].Load(); known != nil && known.hash == hash && known.key == string(key) {
			return m.told(known, limit, cost)
		}
	}
	return Decision{}, false
}

func (m *DenialMemory) told(known *denial, limit *Limit, cost int64) (Decision, bool) {
	now := m.now()
	if !now.steadySince(known.sent) {
		// The goroutine may be suspended between its two clock readings.
		now = m.now()
	}
	if known.isOver(now) || !m.counts(known.hash, known.sent) || !now.steadySince(known.sent) || !known.limit.equal(limit) {
		return Decision{}, false
	}
	longer, ok := longerWait(limit, known.cost, cost, known.decision.Remaining)
	if known.decision.WaitMicros < 0 {
		longer, ok = 0, cost == known.cost
	}
	if !ok {
		return Decision{}, false
	}
	passed := max(now.nanos-known.answered.nanos, 0)
	told := known.decision
	told.Remembered = true
	if told.WaitMicros >= 0 {
		told.WaitMicros = less(told.WaitMicros+longer, passed)
	}
	told.ResetMicros = less(told.ResetMicros, passed)
	return told, true
}

// Remembers the server's denial of a call that was sent at this time and has just been answered.
func (m *DenialMemory) remember(key string, limit Limit, cost int64, decision Decision, sent instant) {
	hash, answered := maphash.String(m.seed, key), m.now()
	life := m.most
	if decision.WaitMicros >= 0 {
		life = min(surely(decision.WaitMicros), life)
	}
	fresh := &denial{hash, key, limit, cost, decision, sent, answered, life}
	if len(key) > longestKey || fresh.isOver(answered) || !answered.steadySince(sent) || !m.counts(hash, sent) {
		return
	}
	first := m.first(hash)
	one, two := m.places[first].Load(), m.places[first+1].Load()
	place := first
	switch {
	case one != nil && one.key == key:
	case two != nil && two.key == key, one != nil && !one.isOver(answered) && (two == nil || two.isOver(answered)):
		place++
	}
	m.places[place].Store(fresh)
}

// Forgets the denials of a key under every limit.
func (m *DenialMemory) forget(key []byte) {
	time, now := &m.forgotten[maphash.Bytes(m.seed, key)%forgetTimes], m.now().nanos
	for last := time.Load(); last < now && !time.CompareAndSwap(last, now); {
		last = time.Load()
	}
}

func (m *DenialMemory) first(hash uint64) uint64 {
	pair, _ := bits.Mul64(hash, uint64(len(m.places)/2))
	return 2 * pair
}

func (m *DenialMemory) counts(hash uint64, asked instant) bool {
	return asked.nanos > m.forgotten[hash%forgetTimes].Load()
}

func (d *denial) isOver(now instant) bool { return now.nanos-d.sent.nanos >= d.life }

func (l *Limit) equal(other *Limit) bool {
	return l.script == other.script && slices.EqualFunc(l.tiers, other.tiers, slices.Equal)
}

// Returns how much longer the wait for another cost is than the wait for the denied cost, in microseconds; the result may be one too large.
// Among several windows or buckets, a different one may decide, and in a sliding window the wait depends on the older window; such calls
// therefore go to the server.
func longerWait(limit *Limit, denied, asked, remaining int64) (int64, bool) {
	tier := limit.tiers[0]
	switch {
	case asked == denied:
		return 0, true
	case asked < denied || len(limit.tiers) > 1 || asked > tier[0]:
		return 0, false
	}
	switch limit.script.Refill {
	case "at_end":
		return 0, true
	case "evenly":
		divisor := commonDivisor(tier[1], tier[2])
		return ceiling((asked-denied)*(tier[2]/divisor), tier[1]/divisor), true
	case "in_batches":
		return (ceiling(asked-remaining, tier[1]) - ceiling(denied-remaining, tier[1])) * tier[2], true
	}
	return 0, false
}

func commonDivisor(a, b int64) int64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

func ceiling(dividend, divisor int64) int64 { return (dividend + divisor - 1) / divisor }

// Converts microseconds to nanoseconds and subtracts a thousandth, because the local clock may drift from the server's by that much.
func surely(micros int64) int64 { return micros * 999 }

// Subtracts from a time in microseconds the part that has certainly passed since then, rounded up.
func less(micros, passedNanos int64) int64 {
	return max(ceiling(micros*1000-surely(passedNanos/1000), 1000), 0)
}
