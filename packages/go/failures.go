package penstock

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
)

// FailureKind is the class of a failure. NotSent, NotAnswered and Unavailable are outages.
type FailureKind string

const (
	NotSent       FailureKind = "not_sent"      // There was no connection.
	NotAnswered   FailureKind = "not_answered"  // No answer arrived.
	Unavailable   FailureKind = "unavailable"   // The server replied that it cannot serve calls now.
	Misconfigured FailureKind = "misconfigured" // Credentials, certificate, database, deployment, permissions, or a key of another type.
	Overloaded    FailureKind = "overloaded"    // The client's pool or the server's memory is full.
	Redirect      FailureKind = "redirect"      // NOSCRIPT, MOVED or ASK.
	Unknown       FailureKind = "unknown"       // The error is unknown.
)

var (
	// ErrNoDecision is wrapped by every error that is caused by an outage, and by no other error.
	ErrNoDecision = errors.New("no decision could be made")
	// ErrMisconfigured is wrapped by every configuration error. Nothing was charged, unless ProvesNotRun returns false because an earlier
	// attempt of a Reservations call was not answered.
	ErrMisconfigured = errors.New("the configuration is wrong")
	// ErrOverloaded is wrapped by the error of every call that was late or cancelled while no outage was known, or that found a resource
	// exhausted. ProvesNotRun reports whether it is certain that nothing was charged.
	ErrOverloaded = errors.New("the client or the server is overloaded")
	// ErrNoVerdict is wrapped by an ErrOverloaded error if it is unknown whether the server answers, because the call was cancelled or was
	// made before the connection for the check was open.
	ErrNoVerdict = errors.New("it is not known whether the server answers")
	// ErrUnknown is wrapped by every unknown failure.
	ErrUnknown = errors.New("unknown failure")
)

// MaybeChargedError means that a call was sent but not answered, so it may or may not have been charged. It wraps the client's own error.
type MaybeChargedError struct{ Err error }

func (e *MaybeChargedError) Error() string {
	return "no answer tells whether the call ran, so it may have been charged: " + e.Err.Error()
}

// Unwrap returns the client's own error, and ErrNoDecision.
func (e *MaybeChargedError) Unwrap() []error { return []error{ErrNoDecision, e.Err} }

// NotSentError means that a call was never sent, so nothing was charged. It wraps the reason.
type NotSentError struct{ Err error }

func (e *NotSentError) Error() string { return "the call was not sent: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *NotSentError) Unwrap() error { return e.Err }

// KnownError is a failure about which a Sender knows more than the client's error says. Nothing was charged unless Charged is true.
type KnownError struct {
	Kind    FailureKind
	Charged bool
	Err     error
}

func (e *KnownError) Error() string { return e.Err.Error() }

// Unwrap returns the client's own error.
func (e *KnownError) Unwrap() error { return e.Err }

// The error of a call whose earlier attempt with the same id was not answered.
type repeatedError struct{ err error }

func (e *repeatedError) Error() string { return e.err.Error() }

func (e *repeatedError) Unwrap() error { return e.err }

// Meaning is the classification of a failure. Charged is false if the failure proves that the call was not charged.
type Meaning struct {
	Kind    FailureKind
	Charged bool
	rule    string
	// Whether an earlier attempt of the call was not answered.
	repeated bool
}

func (m Meaning) outage() bool {
	return m.Kind == NotSent || m.Kind == NotAnswered || m.Kind == Unavailable
}

var (
	unknown = Meaning{Kind: Unknown, Charged: true}
	lost    = Meaning{Kind: NotAnswered, Charged: true}
	unsent  = Meaning{Kind: NotSent}
	// The text that Redis 6 puts around an error raised inside a script.
	around = regexp.MustCompile(`^(?:ERR )?Error running script \(call to f_[0-9A-Za-z]*\): @user_script:\d+: (?:@user_script: \d+: )?-?`)
)

// Classify classifies an error text of the server or of the client.
func Classify(text string) Meaning {
	text = strings.TrimPrefix(text, around.FindString(text))
	for _, rule := range errorRules {
		if begins(text, rule.text) || strings.HasPrefix(rule.text, "ERR ") && begins(text, rule.text[4:]) {
			return Meaning{Kind: FailureKind(rule.class), Charged: rule.charged, rule: rule.text}
		}
	}
	return unknown
}

// Reports whether the text begins with these words, at a word boundary.
func begins(text, words string) bool {
	if !strings.HasPrefix(text, words) || len(text) == len(words) {
		return text == words
	}
	c := text[len(words)]
	return !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z')
}

// ClassifyError classifies a client's error, taking into account all errors that it wraps.
func ClassifyError(err error) Meaning {
	var repeated *repeatedError
	if errors.As(err, &repeated) {
		meaning := ClassifyError(repeated.err)
		meaning.Charged, meaning.repeated = true, true
		return meaning
	}
	var known *KnownError
	var notSent *NotSentError
	var operation *net.OpError
	var timeout net.Error
	switch text := serverText(err); {
	case errors.As(err, &known):
		return Meaning{Kind: known.Kind, Charged: known.Charged}
	case errors.Is(err, context.Canceled):
		return Meaning{Kind: Overloaded, Charged: !errors.As(err, &notSent)}
	case errors.As(err, &notSent):
		return unsent
	case text != "":
		return Classify(text)
	case isCertificate(err), isAddress(err):
		return Meaning{Kind: Misconfigured}
	case isAlert(err):
		return Meaning{Kind: Misconfigured, Charged: true}
	case errors.As(err, &operation) && operation.Op == "dial":
		return unsent
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &timeout),
		errors.Is(err, net.ErrClosed):
		return lost
	}
	return Classify(err.Error())
}

func isCertificate(err error) bool {
	var verification *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	return errors.As(err, &verification) || errors.As(err, &header) || errors.As(err, &authority) || errors.As(err, &hostname)
}

// Reports whether the error is a TLS alert with which the server refuses a connection, such as one without a client certificate.
func isAlert(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "remote error" && operation.Err.Error() != "tls: internal error"
}

// Reports whether the address is invalid, for example because it has no port. An unknown host is an outage.
func isAddress(err error) bool {
	var address *net.AddrError
	var network net.UnknownNetworkError
	var lookup *net.DNSError
	return errors.As(err, &address) || errors.As(err, &network) || errors.As(err, &lookup) && lookup.Err == "unknown port"
}

// ProvesNotRun reports whether an error proves that the call was not charged.
func ProvesNotRun(err error) bool { return !ClassifyError(err).Charged }

// Returns the text of a server's error; clients mark such errors with the method RedisError.
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

// Returns the error with which a call ends; a peek charges nothing.
func thrown(err error, meaning Meaning, charges bool) error {
	maybe := meaning.Charged && charges
	charged := "nothing was charged"
	if maybe || meaning.repeated {
		charged = "the call may have been charged"
	}
	switch meaning.Kind {
	case NotSent, Unavailable:
		return fmt.Errorf("%w, and nothing was charged: %w", ErrNoDecision, err)
	case NotAnswered:
		if maybe {
			return &MaybeChargedError{err}
		}
		return fmt.Errorf("%w, and nothing was charged: %w", ErrNoDecision, err)
	case Misconfigured:
		return fmt.Errorf("%w, and %s: %w", ErrMisconfigured, charged, err)
	case Redirect:
		return fmt.Errorf("%w, and %s: a cluster needs a cluster's client: %w", ErrMisconfigured, charged, err)
	case Overloaded:
		return fmt.Errorf("%w, and %s: %w", ErrOverloaded, charged, err)
	}
	if maybe {
		return fmt.Errorf("%w, and %s: %w", ErrUnknown, charged, err)
	}
	return fmt.Errorf("%w: %w", ErrUnknown, err)
}
