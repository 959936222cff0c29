package penstock

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// SettleResult is the result of a settlement.
type SettleResult int

const (
	// Settled means that the call is settled, by this or an earlier settlement.
	Settled SettleResult = iota + 1
	// RanOut means that the reservation no longer exists, because it expired and its held units were charged at that time, or because the
	// server lost it.
	RanOut
	// NothingHeld means that nothing was sent, because the call was denied or undecided, held nothing, or had already ended.
	NothingHeld
	// SettleUndecided means that the server did not answer, and OnUnavailable or OnOverload is not Fail. If the settlement did not reach the
	// server, the held units are charged when the reservation expires.
	SettleUndecided
)

// String returns the name of the result.
func (r SettleResult) String() string {
	names := []string{"settled", "ran out", "nothing held", "undecided"}
	if r < 1 || int(r) > len(names) {
		return fmt.Sprintf("SettleResult(%d)", int(r))
	}
	return names[r-1]
}

// Reservation is the decision about a call under several limits, and the units that the call holds. It is safe for concurrent use.
//
// A reservation that is not settled in time expires, and its estimate is charged. A failed settlement can be repeated, because it sends
// totals rather than differences. In an outage, a settlement is retried until its deadline. It then returns an error, or SettleUndecided if
// OnUnavailable is not Fail.
type Reservation struct {
	ReservationAnswer
	reservations *Reservations
	plan         *callPlan
	mutex        sync.Mutex
	ending       bool
	ended        bool
	timer        *time.Timer
	// The largest total of each entry that was sent so far, whether or not it arrived.
	used []int64
}

// Settle ends the reservation, and reports that the call has used total units, 0 to 10^12, of each rate limit that it reserves. Units above
// the estimate are also charged, even beyond the limit.
func (c *Reservation) Settle(ctx context.Context, total int64) (SettleResult, error) {
	if err := checkTotal(total); err != nil {
		return 0, err
	}
	return c.end(ctx, EventSettled, func(EntryCost) int64 { return total })
}

// SettleEntries ends the reservation with a total for each entry; an entry without a total is charged its estimate.
func (c *Reservation) SettleEntries(ctx context.Context, totals ...EntryTotal) (SettleResult, error) {
	named := map[EntryCost]int64{}
	for _, each := range totals {
		if err := checkTotal(each.total); err != nil {
			return 0, err
		}
		if _, twice := named[each.entry]; twice || !each.entry.countsTotals || !slices.Contains(c.plan.entries, each.entry) {
			return 0, fmt.Errorf("totals must name entries of this call that reserve units of a rate, each once: %v", each.entry)
		}
		named[each.entry] = each.total
	}
	return c.end(ctx, EventSettled, func(entry EntryCost) int64 {
		if total, ok := named[entry]; ok {
			return total
		}
		return entry.units
	})
}

// Cancel ends the reservation without charging anything. Units that an earlier Renew reported stay charged.
func (c *Reservation) Cancel(ctx context.Context) (SettleResult, error) {
	return c.end(ctx, EventCancelled, func(EntryCost) int64 { return 0 })
}

// Renew renews the reservation for another full Keep, and reports that the call has used total units so far of each rate limit that it
// reserves. A total below the largest reported so far is ignored, so 0 renews the reservation without reporting further use.
func (c *Reservation) Renew(ctx context.Context, total int64) (SettleResult, error) {
	if err := checkTotal(total); err != nil {
		return 0, err
	}
	return c.send(ctx, EventRenewed, func(EntryCost) int64 { return total })
}

// KeepAlive renews the reservation in the background every Keep / 3, until it ends or expires. The caller remains responsible for ending
// the reservation. Close also stops the renewals.
func (c *Reservation) KeepAlive() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.timer == nil && !c.ending && !c.ended {
		c.timer = time.AfterFunc(c.reservations.keep/3, c.renewAgain)
	}
}

func (c *Reservation) renewAgain() {
	ctx, cancel := context.WithTimeout(context.Background(), c.reservations.timeout)
	defer cancel()
	// The failure is reported as an event; the next renewal may succeed.
	_, _ = c.Renew(ctx, 0)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.ending && !c.ended {
		c.timer.Reset(c.reservations.keep / 3)
	}
}

// Close ends the reservation with its estimates or with the units reported so far, whichever is more, and releases its permits. If the
// reservation has already ended, Close does nothing and makes no round trip. It takes at most the time set by WithTimeout, even if the
// request's context has ended. After an error, the held units expire, so defer call.Close() is sufficient.
func (c *Reservation) Close() error {
	c.mutex.Lock()
	done := c.ending || c.ended
	c.mutex.Unlock()
	if done {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.reservations.timeout)
	defer cancel()
	_, err := c.end(ctx, EventSettled, func(entry EntryCost) int64 { return entry.units })
	return err
}

func (c *Reservation) end(ctx context.Context, kind EventKind, used func(EntryCost) int64) (SettleResult, error) {
	c.mutex.Lock()
	c.ending = true
	if c.timer != nil {
		c.timer.Stop()
	}
	c.mutex.Unlock()
	return c.send(ctx, kind, used)
}

func (c *Reservation) send(ctx context.Context, kind EventKind, used func(EntryCost) int64) (SettleResult, error) {
	c.mutex.Lock()
	if c.ended {
		c.mutex.Unlock()
		return NothingHeld, nil
	}
	// A total is sent for every entry that holds units; the server ignores that of a concurrency limit.
	totals := make([]int64, len(c.plan.holders))
	for at, entry := range c.plan.holders {
		totals[at] = used(entry)
		if c.used != nil {
			totals[at] = max(totals[at], c.used[at])
		}
	}
	c.used = totals
	c.mutex.Unlock()
	r, begun, keep := c.reservations, time.Now(), time.Duration(0)
	if kind == EventRenewed {
		keep = r.keep
	}
	value, _, err := r.ask(ctx, SettleScript, c.plan.settle(keep, totals))
	done := false
	if err == nil {
		done, err = c.plan.settled(value)
	}
	if err != nil {
		meaning := r.meaning(err)
		err = unsettled(err, meaning)
		r.told(EventUndecided, c, err, begun)
		if r.choice(meaning) == Fail {
			return 0, err
		}
		return SettleUndecided, nil
	}
	r.readOnly.Decided()
	result := Settled
	if !done {
		result, kind = RanOut, EventRanOut
	}
	if kind != EventRenewed {
		c.mutex.Lock()
		c.ended = true
		c.mutex.Unlock()
	}
	r.told(kind, c, nil, begun)
	return result, nil
}

// Returns the error of a settlement. The settlement may be repeated, so the error does not mention charges.
func unsettled(err error, meaning Meaning) error {
	switch {
	case meaning.outage():
		return fmt.Errorf("%w, and the held units expire: %w", ErrNoDecision, err)
	default:
		return thrown(err, meaning, false)
	}
}

// ConcurrencyLimiter limits the number of concurrent calls of each subject. A permit is a Reservation; close it when the call ends, or
// renew it before it expires. If the process crashes, its permits expire and become available again. It is safe for concurrent use.
type ConcurrencyLimiter struct {
	reservations *Reservations
	place        EntryCost
}

// NewConcurrencyLimiter creates a limiter for 1 to 10^12 concurrent calls of each subject. A permit that is not renewed is held for at most
// keep, 1 ms to 366 days.
func NewConcurrencyLimiter(sender Sender, policy string, limit int64, keep time.Duration, options ...Option) (*ConcurrencyLimiter, error) {
	reservations, err := NewReservations(sender, policy, keep, options...)
	place := Concurrency(policy, limit).Reserve(1)
	if err = errors.Join(err, place.err); err != nil {
		return nil, err
	}
	if _, err := place.key(reservations.prefix, "any"); err != nil {
		return nil, err
	}
	return &ConcurrencyLimiter{reservations, place}, nil
}

// TryAcquire takes one permit if one is available.
func (l *ConcurrencyLimiter) TryAcquire(ctx context.Context, subject string) (*Reservation, error) {
	return l.reservations.Reserve(ctx, subject, l.place)
}

// TryAcquireID is like TryAcquire, but with an id that the program generates; see Reservations.ReserveID.
func (l *ConcurrencyLimiter) TryAcquireID(ctx context.Context, id CallID, subject string) (*Reservation, error) {
	return l.reservations.ReserveID(ctx, id, subject, l.place)
}
