//! Determines the caller of a request; lua/vectors/requests.json has examples that all languages replay.

use crate::protocol::{ArgumentError, Limit};
use alloc::{format, string::String, vec::Vec};
use core::cmp::Ordering;
use core::net::{IpAddr, Ipv6Addr, SocketAddr};
use sha2::{Digest, Sha256};

/// A list of addresses and networks, and whether it contains connections without an address.
#[derive(Debug, Clone, Default)]
pub(crate) struct Networks {
    listed: Vec<(IpAddr, u32)>,
    unix: bool,
}

impl Networks {
    pub(crate) fn new(name: &str, texts: &[&str]) -> Result<Self, ArgumentError> {
        let mut networks = Self::default();
        for text in texts {
            match network(text) {
                _ if *text == "unix" => networks.unix = true,
                Some(network) => networks.listed.push(network),
                None => {
                    let rule =
                        "addresses, networks such as 10.0.0.0/8 with nothing set after the prefix, and not everybody";
                    return Err(ArgumentError(format!("{name} must be {rule}, IPv4 in its own notation: {text:?}")));
                }
            }
        }
        Ok(networks)
    }

    pub(crate) fn contains(&self, address: Option<IpAddr>) -> bool {
        let Some(address) = address else { return self.unix };
        self.listed.iter().any(|(begin, prefix)| {
            begin.is_ipv4() == address.is_ipv4() && (bits(*begin) ^ bits(address)).leading_zeros() >= *prefix
        })
    }
}

/// Returns the bits of an address, left-aligned.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(address.to_bits()) << 96,
        IpAddr::V6(address) => address.to_bits(),
    }
}

fn network(text: &str) -> Option<(IpAddr, u32)> {
    let (host, prefix) = text.split_once('/').map_or((text, None), |(host, prefix)| (host, Some(prefix)));
    let address: IpAddr = host.parse().ok()?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    let prefix = match prefix {
        None => most,
        Some(digits) if digits.starts_with(|first: char| ('1'..='9').contains(&first)) => digits.parse().ok()?,
        Some(_) => return None,
    };
    let whole = prefix <= most && bits(address).checked_shl(prefix).unwrap_or(0) == 0;
    (whole && address.to_canonical() == address).then_some((address, prefix))
}

/// Returns the caller's address: the connection's, or the one that trusted proxies report in the lines of X-Forwarded-For, read from the
/// right.
pub(crate) fn address_of<'a>(
    connection: Option<IpAddr>,
    forwarded: impl DoubleEndedIterator<Item = &'a [u8]>,
    trusted: &Networks,
) -> Option<IpAddr> {
    let mut address = connection.map(|address| address.to_canonical());
    let elements = forwarded.rev().flat_map(|line| line.rsplit(|octet| *octet == b','));
    let texts = elements.map(|element| core::str::from_utf8(element).unwrap_or("?").trim_matches([' ', '\t']));
    for text in texts.filter(|text| !text.is_empty()) {
        match parsed(text) {
            Some(before) if trusted.contains(address) => address = Some(before),
            _ => break,
        }
    }
    address
}

/// Parses an address with or without a port or a zone; an IPv4-mapped address becomes IPv4.
pub(crate) fn parsed(text: &str) -> Option<IpAddr> {
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let address = match bracketed {
        Some(host) => host.parse::<Ipv6Addr>().ok()?.into(),
        None => match text.split_once('%') {
            Some((host, _)) => host.parse::<Ipv6Addr>().ok()?.into(),
            None => text.parse().or_else(|_| text.parse::<SocketAddr>().map(|with| with.ip())).ok()?,
        },
    };
    Some(IpAddr::to_canonical(&address))
}

/// Returns the subject for an address: an IPv4 address, or the /64 network of an IPv6 address. All callers without an address share one
/// subject.
pub(crate) fn address_subject(address: Option<IpAddr>) -> String {
    match address {
        None => "address:unknown".into(),
        Some(IpAddr::V4(address)) => format!("address:{address}"),
        Some(IpAddr::V6(address)) => format!("address:{}/64", Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

/// Returns the hash of a header's value as the subject, so that the value does not appear in keys.
pub(crate) fn header_subject(value: &[u8]) -> Option<String> {
    (!value.is_empty()).then(|| format!("header:{:x}", Sha256::digest(value)))
}

/// Returns the plan with the lowest sustained rate; ties are broken by the smallest burst, and then by order.
pub(crate) fn strictest<'a, Name>(plans: impl Iterator<Item = (Name, &'a Limit)>) -> Option<Name> {
    plans.min_by(|(_, one), (_, other)| compared(one, other)).map(|(name, _)| name)
}

fn compared(one: &Limit, other: &Limit) -> Ordering {
    let faster =
        |(units, period): &(u128, u128), (other, others): &(u128, u128)| (units * others).cmp(&(other * period));
    let rate = |limit: &Limit| {
        let tiers = limit.tiers().iter().map(|tier| {
            let units = tier[tier.len() - 2];
            let units = if limit.script().refill == "in_batches" { units.min(tier[0]) } else { units };
            (u128::from(units), u128::from(tier[tier.len() - 1]))
        });
        tiers.min_by(faster).unwrap_or((0, 1))
    };
    let burst = |limit: &Limit| limit.tiers().iter().map(|tier| tier[0]).min();
    faster(&rate(one), &rate(other)).then(burst(one).cmp(&burst(other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{all, vectors};
    use alloc::collections::BTreeMap;
    use serde_json::Value;

    #[test]
    fn whom_a_request_is_counted_for() {
        let texts = |value: &Value| -> Vec<String> { serde_json::from_value(value.clone()).unwrap() };
        for each in vectors("requests", "addresses", all) {
            let proxies = texts(&each["proxies"]);
            let trusted = Networks::new("proxies", &proxies.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
            let connection = each["connection"].as_str().unwrap_or("");
            let address = parsed(connection);
            let lines = texts(&each["forwarded"]);
            let found = match address {
                // An invalid address has no counterpart here.
                None if !connection.is_empty() => None,
                _ => address_of(address, lines.iter().map(String::as_bytes), &trusted),
            };
            assert_eq!(address_subject(found), each["subject"], "{each}");
        }
        for wrong in vectors("requests", "wrong_networks", all) {
            let error = Networks::new("exempt", &["10.0.0.1", wrong.as_str().unwrap()]).unwrap_err();
            assert!(error.0.starts_with("exempt must be addresses, networks"), "{error}");
        }
        for each in vectors("requests", "headers", all) {
            let value: Vec<u8> = each["value"].as_str().unwrap().chars().map(|letter| letter as u8).collect();
            assert_eq!(header_subject(&value).as_deref(), each["subject"].as_str());
        }
        for each in vectors("requests", "plans", all) {
            let plans: BTreeMap<String, String> = serde_json::from_value(each["plans"].clone()).unwrap();
            let limits = plans.iter().map(|(name, text)| (name, text.parse::<Limit>().unwrap())).collect::<Vec<_>>();
            let found = strictest(limits.iter().map(|(name, limit)| (*name, limit)));
            assert_eq!(found.map(String::as_str), each["strictest"].as_str(), "{each}");
        }
        for each in vectors("requests", "costs", |each| each["given"].is_u64()) {
            assert_eq!(crate::requests::charged(each["given"].as_u64().unwrap()), each["charged"]);
        }
    }
}
