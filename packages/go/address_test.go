package penstock

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

type requestVectors struct {
	Addresses []struct {
		Name, Connection, Subject string
		Forwarded, Proxies        []string
	}
	WrongNetworks []string `json:"wrong_networks"`
	Headers       []struct {
		Subject string
		Hex     string `json:"value_hex"`
	}
	Costs []struct {
		Given   json.RawMessage
		Charged int64
	}
	Plans []struct {
		Name, Strictest string
		Plans           map[string]string
	}
	ChargeWhen []struct {
		Text          string
		Charged, Free []int
	} `json:"charge_when"`
}

func TestWhomARequestIsCountedFor(t *testing.T) {
	var file requestVectors
	Vectors(t, "requests", &file)
	for at, each := range file.Addresses {
		Replayed(t, "requests.addresses", at)
		trusted, err := parseNetworks("TrustedProxies", each.Proxies)
		if err != nil {
			t.Fatal(err)
		}
		if subject := addressSubject(clientAddress(each.Connection, each.Forwarded, trusted)); subject != each.Subject {
			t.Errorf("%s: %s, not %s", each.Name, subject, each.Subject)
		}
	}
	for at, wrong := range file.WrongNetworks {
		Replayed(t, "requests.wrong_networks", at)
		if _, err := parseNetworks("Exempt", []string{"10.0.0.1", wrong}); err == nil || !strings.HasPrefix(err.Error(), "Exempt must be addresses, networks") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	for at, each := range file.Headers {
		Replayed(t, "requests.headers", at)
		value, err := hex.DecodeString(each.Hex)
		if subject := headerSubject(string(value)); err != nil || subject != each.Subject {
			t.Errorf("%q: %s", value, subject)
		}
	}
	for at, each := range file.Costs {
		var given int64
		if json.Unmarshal(each.Given, &given) == nil && string(each.Given) != "null" {
			Replayed(t, "requests.costs", at)
			if cost := chargedCost(given); cost != each.Charged {
				t.Errorf("%d: %d", given, cost)
			}
		}
	}
	for at, each := range file.Plans {
		Replayed(t, "requests.plans", at)
		limits := map[string]Limit{}
		for name, text := range each.Plans {
			limit, err := ParseLimit(text)
			if err != nil {
				t.Fatal(err)
			}
			limits[name] = limit
		}
		if name := strictestPlan(limits); name != each.Strictest {
			t.Errorf("%s: %s", each.Name, name)
		}
	}
	for at, each := range file.ChargeWhen {
		Replayed(t, "requests.charge_when", at)
		statuses, err := statusesOf(each.Text)
		if (err != nil) != (each.Charged == nil) {
			t.Fatalf("%q: %v", each.Text, err)
		}
		for _, status := range append(slices.Clone(each.Charged), each.Free...) {
			if statuses.MatchString(strconv.Itoa(status)) != slices.Contains(each.Charged, status) {
				t.Errorf("%q: %d", each.Text, status)
			}
		}
	}
	// As net/http has the address of who is on a Unix socket, with a port of others.
	unix := networks{none: true}
	for connection, subject := range map[string]string{"@": "address:192.0.2.1", "": "address:192.0.2.1", "[2001:db8::1]:80": "address:2001:db8::/64", "192.0.2.2:80": "address:192.0.2.2"} {
		if found := addressSubject(clientAddress(connection, []string{"192.0.2.1"}, unix)); found != subject {
			t.Errorf("%s: %s", connection, found)
		}
	}
}
