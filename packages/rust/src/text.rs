//! Parser of limits as text; docs/limits.md has the grammar.
use crate::protocol::{ArgumentError, Limit, LONGEST_US, MOST_TIERS, MOST_UNITS};
use crate::scripts::SCRIPTS;
use alloc::{format, string::String, vec, vec::Vec};
use core::{fmt, str::FromStr};

const BURST: &str = ",burst=";
const LONGEST_EXCERPT: usize = 40;
const LONGEST_MEANT: usize = 200;
const PER: [&str; 7] = ["/", "per", "every", "each", "in", "a", "an"];
const IDLE: [&str; 11] = ["r", "req", "reqs", "request", "requests", "call", "calls", "hit", "hits", "and", "rate"];
/// Common spellings of the units of a period.
const UNIT_WORDS: [&str; 6] = [
    "us",
    "ms msec millisecond milliseconds",
    "s sec secs second seconds",
    "m min mins minute minutes",
    "h hr hrs hour hours",
    "d day days week weeks",
];
/// The units of a period, longest first.
const PERIODS_US: [(&str, u64); 6] =
    [("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];

/// Parses a limit such as `token-bucket:100/1m,burst=20` or `fixed-window:10/1s+100/1m`; `to_string` is the inverse. The error for an
/// invalid text has the position (an index from 0), the offending words, and the rule. If the text is in another common notation, such as
/// `100/minute`, the error also suggests the equivalent text.
impl FromStr for Limit {
    type Err = ArgumentError;

    fn from_str(text: &str) -> Result<Self, ArgumentError> {
        let parser = LimitParser(text);
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let Some(script) = SCRIPTS.iter().find(|script| script.name == name) else {
            let names: Vec<_> = SCRIPTS.iter().map(|script| script.name).collect();
            return Err(parser.wrong(
                0,
                name,
                &format!("a limit must begin with one of {}, and a colon", names.join(", ")),
            ));
        };
        let Some(rest) = rest else {
            return Err(parser.wrong(text.len(), "", &format!("a colon must follow, as in {name}:100/1m")));
        };
        let mut tiers = Vec::new();
        let mut at = name.len() + 1;
        for part in rest.split('+') {
            if tiers.len() == MOST_TIERS {
                return Err(parser.wrong(at, part, &format!("a limit has at most {MOST_TIERS} tiers")));
            }
            let tier = parser.tier(at, part, script.tier.len() == 3)?;
            Limit::new(script, vec![tier.clone()]).map_err(|error| parser.wrong(at, part, &error.0))?;
            tiers.push(tier);
            at += part.len() + 1;
        }
        Limit::new(script, tiers)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.script().name)?;
        for (at, tier) in self.tiers().iter().enumerate() {
            let &[units, period] = tier.last_chunk().expect("a tier has units and a period");
            let whole = PERIODS_US.iter().find(|(_, length)| period % length == 0);
            let (unit, length) = whole.expect("a period is whole microseconds");
            write!(f, "{}{units}/{}{unit}", if at == 0 { ':' } else { '+' }, period / length)?;
            if tier[0] != units {
                write!(f, "{BURST}{}", tier[0])?;
            }
        }
        Ok(())
    }
}

struct LimitParser<'a>(&'a str);

impl LimitParser<'_> {
    fn tier(&self, start: usize, tier: &str, holds_burst: bool) -> Result<Vec<u64>, ArgumentError> {
        let Some((number, rest)) = tier.split_once('/') else {
            return Err(self.wrong(start, tier, "a tier must be UNITS/PERIOD, such as 100/1m"));
        };
        let units = self.units("units", start, number)?;
        let (period, burst) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
        let at = start + number.len() + 1;
        let period_us = self.period(at, period)?;
        let at = at + period.len();
        if burst.is_empty() {
            return Ok(if holds_burst { vec![units, units, period_us] } else { vec![units, period_us] });
        }
        if !holds_burst {
            return Err(self.wrong(at, burst, "a window has no burst"));
        }
        match burst.strip_prefix(BURST) {
            Some(number) => Ok(vec![self.units("burst", at + BURST.len(), number)?, units, period_us]),
            None => Err(self.wrong(at, burst, "only ,burst=N may follow the period")),
        }
    }

    fn units(&self, name: &str, at: usize, number: &str) -> Result<u64, ArgumentError> {
        match value(number) {
            Some(units @ 1..=MOST_UNITS) => Ok(units),
            _ => Err(self.wrong(at, number, &format!("{name} must be a whole number from 1 to {MOST_UNITS}"))),
        }
    }

    fn period(&self, at: usize, period: &str) -> Result<u64, ArgumentError> {
        let (number, unit) = period.split_at(period.find(|c: char| c.is_ascii_lowercase()).unwrap_or(period.len()));
        let count = if number.is_empty() { Some(1) } else { value(number) };
        let length = PERIODS_US.iter().find(|(symbol, _)| *symbol == unit);
        let (Some(count), Some((_, length))) = (count, length) else {
            return Err(self.wrong(at, period, "a period must be a number with us, ms, s, m, h or d, such as 1m"));
        };
        match count.checked_mul(*length) {
            Some(period_us @ 1..=LONGEST_US) => Ok(period_us),
            _ => Err(self.wrong(at, period, "a period must be from 1us to 366d")),
        }
    }

    fn wrong(&self, at: usize, words: &str, rule: &str) -> ArgumentError {
        let mut excerpt: String = words.chars().take(LONGEST_EXCERPT).collect();
        if excerpt.len() < words.len() {
            excerpt += "...";
        }
        let hint = match meant_by(self.0) {
            _ if self.0 == "none" => {
                String::from("; as a plan it could be unlimited, or refuse all requests, which no limit does")
            }
            Some(meant) => format!("; did you mean \"{meant}\"?"),
            None => String::new(),
        };
        ArgumentError(format!("limit \"{}\" at {at}, \"{excerpt}\": {rule}{hint}", self.0))
    }
}

/// Returns the valid text closest to the invalid one, if there is one.
fn meant_by(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    if text.len() > LONGEST_MEANT || misleads(&lower) {
        return None;
    }
    let mut words = &words_of(&lower)[..];
    let named = SCRIPTS
        .iter()
        .map(|script| script.name)
        .find(|name| words.len() > 1 && name.split_once('-') == Some((words[0], words[1])));
    if named.is_some() {
        words = &words[2..];
    }
    let nginx = named.is_none() && words.contains(&"r");
    let mut tiers: Vec<String> = Vec::new();
    let (mut units, mut count, mut per, mut before) = (0, 0, false, "");
    for &word in words {
        let number = value(word).unwrap_or(0);
        let unit = UNIT_WORDS.iter().find(|known| known.split(' ').any(|each| each == word));
        match (tiers.last_mut(), unit) {
            (Some(tier), _) if before == "burst" && number > 0 => {
                *tier += &format!("{BURST}{}", number.saturating_add(u64::from(nginx)));
            }
            _ if number > 0 && units == 0 => units = number,
            _ if number > 0 && per && count == 0 => count = number,
            _ if units > 0 && !per && PER.contains(&word) => per = true,
            (_, Some(known)) if per => {
                let times = if word.starts_with("week") { 7 } else { 1 };
                let symbol = known.split(' ').next()?;
                tiers.push(format!("{units}/{}{symbol}", u64::max(1, count).saturating_mul(times)));
                (units, count, per) = (0, 0, false);
            }
            _ if word == "burst" || IDLE.contains(&word) || nginx && word == "nodelay" => {}
            _ => return None,
        }
        before = word;
    }
    if units > 0 || before == "burst" {
        return None;
    }
    let bursts = tiers.iter().any(|tier| tier.contains(BURST));
    if nginx && !bursts {
        *tiers.last_mut()? += &format!("{BURST}1");
    }
    let kind = match named {
        Some(name) => name,
        None if nginx && bursts && !words.contains(&"nodelay") => "leaky-bucket",
        None if nginx || bursts => "token-bucket",
        None => "fixed-window",
    };
    let meant = format!("{kind}:{}", tiers.join("+"));
    (!tiers.is_empty() && meant != text && meant.parse::<Limit>().is_ok()).then_some(meant)
}

/// Returns whether a suggestion would misread a sign, a fraction, a grouped number or another letter.
fn misleads(lower: &str) -> bool {
    let number = |c: Option<&u8>| c.is_some_and(|c| c.is_ascii_digit() || *c == b'_');
    let bytes = lower.as_bytes();
    bytes.iter().enumerate().any(|(at, c)| match c {
        b'.' => true,
        b',' => at > 0 && number(bytes.get(at - 1)) && number(bytes.get(at + 1)),
        b'-' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        b'_' | b'/' | b':' | b';' | b'+' | b'=' | b'a'..=b'z' | b'0'..=b'9' => false,
        other => !other.is_ascii_whitespace(),
    })
}

/// Splits a text into words of letters, numbers and slashes.
fn words_of(lower: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = lower[at..].chars().next() {
        let rest = &lower[at..];
        let length = match first {
            'a'..='z' => rest.find(|c: char| !c.is_ascii_lowercase()),
            '0'..='9' => rest.find(|c: char| !c.is_ascii_digit() && c != '_'),
            _ => Some(first.len_utf8()),
        }
        .unwrap_or(rest.len());
        if first == '/' || first.is_ascii_alphanumeric() {
            words.push(&rest[..length]);
        }
        at += length;
    }
    words
}

/// Parses decimal digits, which underscores may group; a number that is too large exceeds every bound.
fn value(number: &str) -> Option<u64> {
    let mut groups = number.split('_');
    if !groups.all(|group| !group.is_empty() && group.bytes().all(|c| c.is_ascii_digit())) {
        return None;
    }
    Some(number.replace('_', "").parse().unwrap_or(u64::MAX))
}
