//! The vectors, of which each case that was replayed is reported, for the table of docs/languages.md.

use serde_json::Value;
use std::{env, fs, io::Write, string::String, vec::Vec};

/// The cases of a file's list that are `meant`. Each is reported when the next is asked for.
pub fn vectors(file: &str, list: &str, meant: fn(&Value) -> bool) -> impl Iterator<Item = Value> {
    let folder = env::var("PENSTOCK_VECTORS");
    let folder = folder.unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../lua/vectors").into());
    let path = std::format!("{folder}/{file}.json");
    let read: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let cases: Vec<Value> = read[list].as_array().unwrap().clone();
    let name = std::format!("{file}.{list}");
    let mut cases = cases.into_iter().enumerate().filter(move |(_, case)| meant(case));
    let mut last = None;
    std::iter::from_fn(move || {
        if let Some(at) = last.take() {
            replayed(&name, at);
        }
        let (at, case) = cases.next()?;
        last = Some(at);
        Some(case)
    })
}

/// All are.
pub fn all(_: &Value) -> bool {
    true
}

fn replayed(cases: &str, at: usize) {
    if let Ok(path) = env::var("PENSTOCK_REPLAYED") {
        let line: String = std::format!("{cases}:{at}\n");
        let mut file = fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
}
