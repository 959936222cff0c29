package goredis

import (
	"context"
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	penstock "github.com/penstock/penstock/packages/go"
	"github.com/redis/go-redis/v9"
)

const alertWait = 100 * time.Millisecond

// Why TLS connections are cut. With TLS 1.3 a server hears of a client's certificate when the client's part of the handshake is
// over. What it says of it is lost where the client has sent something meanwhile, so it is asked again by a client that keeps silent.
type alertWatch struct {
	mutex  sync.Mutex
	latest error
	asked  time.Time
}

// The alert that a new connection of a client gets, if one was cut for this error; one asks for all.
func (w *alertWatch) alert(ctx context.Context, client Client, cut error) error {
	single, ok := client.(*redis.Client)
	isCut := errors.Is(cut, io.EOF) || errors.Is(cut, syscall.ECONNRESET) || errors.Is(cut, syscall.EPIPE)
	if !ok || !isCut || single.Options().TLSConfig == nil {
		return nil
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if time.Since(w.asked) >= alertWait {
		ctx, cancel := context.WithTimeout(ctx, 2*alertWait)
		defer cancel()
		heard := make(chan error, 1)
		_ = within(ctx, func() { heard <- alertOf(ctx, single.Options()) })
		w.latest, w.asked = nil, time.Now()
		select {
		case w.latest = <-heard:
		default:
		}
	}
	return w.latest
}

func alertOf(ctx context.Context, options *redis.Options) error {
	connection, err := options.Dialer(ctx, options.Network, options.Addr)
	if err == nil {
		defer connection.Close()
		_ = connection.SetReadDeadline(time.Now().Add(alertWait))
		_, err = connection.Read(make([]byte, 1))
	}
	if err == nil || penstock.ClassifyError(err).Kind != penstock.Misconfigured {
		return nil
	}
	return err
}
