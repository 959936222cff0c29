package penstock

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math/big"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

var addressInBrackets = regexp.MustCompile(`^\[([^]]*:[^]]*)]$`)

// A list of addresses and networks; the zero address matches a connection without an address.
type networks struct {
	listed []netip.Prefix
	none   bool
}

func parseNetworks(name string, texts []string) (made networks, err error) {
	for _, text := range texts {
		if text == "unix" {
			made.none = true
			continue
		}
		network, err := netip.ParsePrefix(text)
		if address, single := netip.ParseAddr(text); single == nil && address.Zone() == "" {
			network, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil || network.Bits() == 0 || network.Addr().Is4In6() || network.Masked() != network {
			return networks{}, fmt.Errorf("%s must be addresses, networks such as 10.0.0.0/8 with nothing set after the prefix, "+
				"and not everybody, IPv4 in its own notation: %q", name, text)
		}
		made.listed = append(made.listed, network)
	}
	return made, nil
}

func (n networks) contain(address netip.Addr) bool {
	return slices.ContainsFunc(n.listed, func(network netip.Prefix) bool { return network.Contains(address) })
}

// Returns the caller's address: the address of the connection, or the one that trusted proxies report in the lines of X-Forwarded-For,
// which are read from the right.
func clientAddress(connection string, forwarded []string, trusted networks) netip.Addr {
	address := parseAddress(connection)
	proxy := trusted.contain(address) || trusted.none && isUnix(connection)
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	slices.Reverse(hops)
	for _, hop := range hops {
		hop = strings.Trim(hop, " \t")
		if hop == "" {
			continue
		}
		before := parseAddress(hop)
		if !proxy || !before.IsValid() {
			break
		}
		address, proxy = before, trusted.contain(before)
	}
	return address
}

// Returns whether a connection has no address, as on a Unix socket.
func isUnix(connection string) bool { return connection == "" || connection == "@" }

// Parses an address with or without a port; returns the zero address if it is invalid. An IPv4-mapped address becomes IPv4.
func parseAddress(text string) netip.Addr {
	address, err := netip.ParseAddr(addressInBrackets.ReplaceAllString(text, "$1"))
	if err != nil {
		port, _ := netip.ParseAddrPort(text)
		address = port.Addr()
	}
	return address.Unmap().WithZone("")
}

// Returns the subject for an address. An IPv6 address is reduced to its /64 network, and all callers without an address share one subject.
func addressSubject(address netip.Addr) string {
	switch {
	case !address.IsValid():
		return "address:unknown"
	case address.Is4():
		return "address:" + address.String()
	}
	network, _ := address.Prefix(64)
	return "address:" + network.String()
}

// Returns the hash of a header's value as the subject, so that the value does not appear in keys.
func headerSubject(value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf("header:%x", sha256.Sum256([]byte(value)))
}

// Converts the cost that a function returned to the units to charge.
func chargedCost(found int64) int64 { return min(max(found, 1), mostUnits) }

// Returns the plan with the lowest sustained rate; ties are broken by the smallest burst, and then by name.
func strictestPlan(limits map[string]Limit) string {
	names := make([]string, 0, len(limits))
	for name := range limits {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.MinFunc(names, func(one, other string) int {
		rate, burst := limits[one].strictness()
		otherRate, otherBurst := limits[other].strictness()
		return cmp.Or(rate.Cmp(otherRate), cmp.Compare(burst, otherBurst))
	})
}

// Returns the lowest rate of the tiers, in units per microsecond, and their smallest capacity.
func (l Limit) strictness() (*big.Rat, int64) {
	var least *big.Rat
	burst := l.tiers[0][0]
	for _, tier := range l.tiers {
		units := tier[len(tier)-2]
		if l.script.Refill == "in_batches" {
			units = min(units, tier[0])
		}
		rate := big.NewRat(units, tier[len(tier)-1])
		if least == nil || rate.Cmp(least) < 0 {
			least = rate
		}
		burst = min(burst, tier[0])
	}
	return least, burst
}
