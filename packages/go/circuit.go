package penstock

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"sync"
	"time"

	"github.com/penstock/penstock/packages/go/internal/numbers"
)

var errOpen = &NotSentError{fmt.Errorf("the circuit is open, since the server did not answer %d calls in a row", numbers.CircuitLostCalls)}

// CircuitBreaker makes calls fail fast while the server is down (rule F1 of docs/protocol.md). Create one for each client, and pass it to
// all limiters and reservations of that client. It is safe for concurrent use.
type CircuitBreaker struct {
	length time.Duration
	now    func() time.Time
	mutex  sync.Mutex
	state  circuit
}

// The state: lost counts the consecutive calls without an answer while the breaker is closed; trials is the number of calls that may be
// sent now, after an answer; answers counts the answers since the breaker opened; next is the time of the next probe.
type circuit struct {
	open                  bool
	lost, trials, answers int
	next                  time.Time
}

// NewCircuitBreaker creates a circuit breaker that stays open for length, 10 milliseconds to 1 hour, after 5 consecutive calls without any
// answer, that is, without a connection or without a reply within the deadline. While it is open, calls for units end as OnUnavailable
// specifies, except that one probe is sent in each such interval. After the first answer, the next two calls are sent; if both are
// answered, the breaker closes.
func NewCircuitBreaker(length time.Duration) (*CircuitBreaker, error) {
	if length < 10*time.Millisecond || length > time.Hour {
		return nil, fmt.Errorf("length must be from 10 milliseconds to 1 hour: %v", length)
	}
	return &CircuitBreaker{length: length, now: time.Now}, nil
}

// WithCircuitBreaker sets the circuit breaker for the client's server, for a limiter or for reservations. Settlements are always sent. This
// option is an error for a cluster client, because the node of a call is not known.
func WithCircuitBreaker(breaker *CircuitBreaker) Option {
	return func(s *settings) {
		s.breaker = breaker
		if breaker == nil {
			s.wrong = errors.Join(s.wrong, errors.New("breaker must not be nil"))
		} else if one, ok := s.sender.(interface{ OneServer() bool }); !ok || !one.OneServer() {
			s.wrong = errors.Join(s.wrong, errors.New("breaker must be for the client of a single server, whose Sender has OneServer() bool"))
		}
	}
}

// Open reports whether the breaker is open or half-open.
func (b *CircuitBreaker) Open() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.state.open
}

// Reports whether a call for units may be sent.
func (b *CircuitBreaker) maySend() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	switch {
	case !b.state.open:
		return true
	case b.state.trials > 0:
		b.state.trials--
	case b.now().Before(b.state.next):
		return false
	}
	b.state.next = b.later()
	return true
}

// Records the outcome of a call. Any reply from the server counts as an answer; a call without a verdict does not count.
func (b *CircuitBreaker) note(err error) {
	lost := false
	if err != nil {
		kind := ClassifyError(err).Kind
		lost = kind == NotSent || kind == NotAnswered
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, ErrNoVerdict) {
		return
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	now := b.state
	switch {
	case !lost && (!now.open || now.answers == numbers.CircuitTrialCalls):
		b.state = circuit{}
	case !lost:
		b.state.answers++
		if now.answers == 0 {
			b.state.trials = numbers.CircuitTrialCalls
		}
		b.state.next = b.later()
	case now.open && now.answers == 0:
	case now.open, now.lost+1 >= numbers.CircuitLostCalls:
		b.state = circuit{open: true, next: b.later()}
	default:
		b.state.lost++
	}
}

// Returns the time of the next probe, which is now plus a random 90 to 100 % of the length, so that processes do not probe simultaneously.
func (b *CircuitBreaker) later() time.Time {
	return b.now().Add(b.length - time.Duration(rand.Float64()*numbers.CircuitSpread*float64(b.length)))
}
