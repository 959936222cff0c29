package verdict

import (
	"sync/atomic"
	"time"
)

// A server that answers READONLY for this long without a decision in between is a replica, not a primary in failover.
const replicaAfter = 10 * time.Second

// ReadOnly is the time since which a server has answered READONLY without a decision in between.
type ReadOnly struct{ since atomic.Pointer[time.Time] }

// Decided records a decision.
func (r *ReadOnly) Decided() {
	if r.since.Load() != nil {
		r.since.Store(nil)
	}
}

// Lasts records a READONLY, and reports whether the address is a replica's.
func (r *ReadOnly) Lasts() bool {
	now := time.Now()
	r.since.CompareAndSwap(nil, &now)
	since := r.since.Load()
	return since != nil && now.Sub(*since) >= replicaAfter
}
