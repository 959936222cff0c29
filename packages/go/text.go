package penstock

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	burstBegin     = ",burst="
	longestExcerpt = 40
	longestMeant   = 200
	// A number with more digits exceeds every bound.
	mostDigits = 15
)

// The units of a period, longest first.
var periodUnits = []struct {
	symbol string
	micros int64
}{{"d", 86_400_000_000}, {"h", 3_600_000_000}, {"m", 60_000_000}, {"s", 1_000_000}, {"ms", 1_000}, {"us", 1}}

var (
	numberPattern = regexp.MustCompile(`^[0-9]+(?:_[0-9]+)*$`)
	periodPattern = regexp.MustCompile(`^([0-9]+(?:_[0-9]+)*)?(us|ms|s|m|h|d)$`)
	wordPattern   = regexp.MustCompile(`[a-z]+|[0-9][0-9_]*|/`)
	// No suggestion is made for a sign, a fraction or a grouped number, because it would be misread.
	noHintPattern = regexp.MustCompile(`[^a-z0-9_\s/:;+,=-]|[0-9_][.,][0-9_]|-[0-9]`)
	perWords      = strings.Fields("/ per every each in a an")
	idleWords     = strings.Fields("r req reqs request requests call calls hit hits and rate")
	unitWords     = [][]string{
		{"us"},
		strings.Fields("ms msec millisecond milliseconds"),
		strings.Fields("s sec secs second seconds"),
		strings.Fields("m min mins minute minutes"),
		strings.Fields("h hr hrs hour hours"),
		strings.Fields("d day days week weeks"),
	}
)

// ParseLimit parses a limit such as token-bucket:100/1m,burst=20 or fixed-window:10/1s+100/1m; Limit.String is the inverse. The error for
// an invalid text has the position (an index from 0), the offending words, and the rule. If the text is in another common notation, such as
// 100/minute, the error also suggests the equivalent text. docs/limits.md has the grammar.
func ParseLimit(text string) (Limit, error) {
	parser := limitParser(text)
	name, rest, hasColon := strings.Cut(text, ":")
	var script *Script
	names := make([]string, len(Scripts))
	for at, each := range Scripts {
		names[at] = each.Name
		if each.Name == name {
			script = each
		}
	}
	if script == nil {
		return Limit{}, parser.wrong(0, name, "a limit must begin with one of "+strings.Join(names, ", ")+", and a colon")
	}
	if !hasColon {
		return Limit{}, parser.wrong(len(text), "", "a colon must follow, as in "+name+":100/1m")
	}
	var tiers [][]int64
	at := len(name) + 1
	for _, part := range strings.Split(rest, "+") {
		if len(tiers) == mostTiers {
			return Limit{}, parser.wrong(at, part, fmt.Sprintf("a limit has at most %d tiers", mostTiers))
		}
		tier, err := parser.tier(at, part, len(script.Tier) == 3)
		if err != nil {
			return Limit{}, err
		}
		if err := NewLimit(script, tier).Err(); err != nil {
			return Limit{}, parser.wrong(at, part, err.Error())
		}
		tiers = append(tiers, tier)
		at += len(part) + 1
	}
	return NewLimit(script, tiers...), nil
}

type limitParser string

func (p limitParser) tier(start int, tier string, holdsBurst bool) ([]int64, error) {
	slash := strings.IndexByte(tier, '/')
	if slash < 0 {
		return nil, p.wrong(start, tier, "a tier must be UNITS/PERIOD, such as 100/1m")
	}
	units, err := p.units("units", start, tier[:slash])
	if err != nil {
		return nil, err
	}
	period, burst, hasComma := tier[slash+1:], "", false
	if comma := strings.IndexByte(period, ','); comma >= 0 {
		period, burst, hasComma = period[:comma], period[comma:], true
	}
	micros, err := p.period(start+slash+1, period)
	switch at := start + slash + 1 + len(period); {
	case err != nil:
		return nil, err
	case hasComma && !holdsBurst:
		return nil, p.wrong(at, burst, "a window has no burst")
	case !holdsBurst:
		return []int64{units, micros}, nil
	case !hasComma:
		return []int64{units, units, micros}, nil
	case !strings.HasPrefix(burst, burstBegin):
		return nil, p.wrong(at, burst, "only ,burst=N may follow the period")
	default:
		capacity, err := p.units("burst", at+len(burstBegin), burst[len(burstBegin):])
		return []int64{capacity, units, micros}, err
	}
}

func (p limitParser) units(name string, at int, number string) (int64, error) {
	if numberPattern.MatchString(number) {
		if units := value(number); units >= 1 && units <= mostUnits {
			return units, nil
		}
	}
	return 0, p.wrong(at, number, fmt.Sprintf("%s must be a whole number from 1 to %d", name, int64(mostUnits)))
}

func (p limitParser) period(at int, period string) (int64, error) {
	found := periodPattern.FindStringSubmatch(period)
	if found == nil {
		return 0, p.wrong(at, period, "a period must be a number with us, ms, s, m, h or d, such as 1m")
	}
	count := int64(1)
	if found[1] != "" {
		count = value(found[1])
	}
	for _, unit := range periodUnits {
		if unit.symbol == found[2] && count >= 1 && count <= longestMicros/unit.micros {
			return count * unit.micros, nil
		}
	}
	return 0, p.wrong(at, period, "a period must be from 1us to 366d")
}

func (p limitParser) wrong(at int, words, rule string) error {
	if letters := []rune(words); len(letters) > longestExcerpt {
		words = string(letters[:longestExcerpt]) + "..."
	}
	hint := ""
	if p == "none" {
		hint = "; as a plan it could be unlimited, or refuse all requests, which no limit does"
	}
	if meant := meantBy(string(p)); meant != "" {
		hint = fmt.Sprintf("; did you mean \"%s\"?", meant)
	}
	return fmt.Errorf("limit \"%s\" at %d, \"%s\": %s%s", string(p), at, words, rule, hint)
}

// Returns the valid text closest to the invalid one; empty if there is none.
func meantBy(text string) string {
	lower := strings.ToLower(text)
	if len(text) > longestMeant || noHintPattern.MatchString(lower) {
		return ""
	}
	words := wordPattern.FindAllString(lower, -1)
	kind := strings.Join(words[:min(2, len(words))], "-")
	named := slices.ContainsFunc(Scripts, func(script *Script) bool { return script.Name == kind })
	if named {
		words = words[2:]
	}
	nginx := !named && slices.Contains(words, "r")
	var tiers []string
	var units, count int64
	per, before := false, ""
	for _, word := range words {
		number := int64(0)
		if numberPattern.MatchString(word) {
			number = value(word)
		}
		unit := unitOf(word)
		switch {
		case before == "burst" && len(tiers) > 0 && number > 0:
			if nginx {
				number++
			}
			tiers[len(tiers)-1] += burstBegin + strconv.FormatInt(number, 10)
		case number > 0 && units == 0:
			units = number
		case number > 0 && per && count == 0:
			count = number
		case slices.Contains(perWords, word) && units > 0 && !per:
			per = true
		case unit != "" && per:
			count = max(1, count)
			if strings.HasPrefix(word, "week") {
				count *= 7
			}
			tiers = append(tiers, fmt.Sprintf("%d/%d%s", units, count, unit))
			units, count, per = 0, 0, false
		case word != "burst" && !slices.Contains(idleWords, word) && !(nginx && word == "nodelay"):
			return ""
		}
		before = word
	}
	if len(tiers) == 0 || units > 0 || before == "burst" {
		return ""
	}
	bursts := slices.ContainsFunc(tiers, func(tier string) bool { return strings.Contains(tier, burstBegin) })
	if nginx && !bursts {
		tiers[len(tiers)-1] += burstBegin + "1"
	}
	switch {
	case named:
	case nginx && bursts && !slices.Contains(words, "nodelay"):
		kind = "leaky-bucket"
	case nginx || bursts:
		kind = "token-bucket"
	default:
		kind = "fixed-window"
	}
	meant := kind + ":" + strings.Join(tiers, "+")
	if meant == text {
		return ""
	}
	if _, err := ParseLimit(meant); err != nil {
		return ""
	}
	return meant
}

func unitOf(word string) string {
	for _, unit := range unitWords {
		if slices.Contains(unit, word) {
			return unit[0]
		}
	}
	return ""
}

func value(number string) int64 {
	digits := strings.TrimLeft(strings.ReplaceAll(number, "_", ""), "0")
	if len(digits) > mostDigits {
		digits = "1" + strings.Repeat("0", mostDigits)
	}
	read, _ := strconv.ParseInt("0"+digits, 10, 64)
	return read
}

func tierText(tier []int64) string {
	capacity, units, period := tier[0], tier[len(tier)-2], tier[len(tier)-1]
	text := ""
	for _, unit := range periodUnits {
		if period%unit.micros == 0 {
			text = fmt.Sprintf("%d/%d%s", units, period/unit.micros, unit.symbol)
			break
		}
	}
	if capacity != units {
		text += burstBegin + strconv.FormatInt(capacity, 10)
	}
	return text
}
