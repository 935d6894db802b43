//! The fingerprint of a run: a SHA-256 hash of everything that continues it. Two runs with the same
//! fingerprint go on to the same bits, whatever computed them: any machine, any number of threads, a terminal
//! or a browser tab.
//!
//! It covers the lab, all settings as files have them, the seed, the unit counter, the changes of live settings and of the seed,
//! and the lab's scalars and tensors. It does not cover the metrics of earlier units, the title, times, the
//! device or the stage.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::Checkpoint;
use crate::session::HISTORY_PREFIX;

/// Begins the hashed text. Another definition of the fingerprint needs another version.
const VERSION_LINE: &str = "learnery fingerprint 1";

impl Checkpoint {
    /// The fingerprint of the run, as 64 hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        let header = &self.header;
        let mut hash = Sha256::new();
        let changes: Vec<Value> = header
            .changes
            .iter()
            .map(|change| {
                let mut entry = vec![change.unit.into(), Value::Object(change.after.clone())];
                // Runs without a change of the seed keep the fingerprint that they had before there were any.
                entry.extend(change.seed.map(|seed| seed.after.into()));
                Value::Array(entry)
            })
            .collect();
        let parts: [Value; 6] = [
            header.lab.as_str().into(),
            Value::Object(header.config.clone()),
            header.seed.into(),
            header.units.into(),
            Value::Array(changes),
            header.scalars.clone(),
        ];
        hash.update(VERSION_LINE);
        for part in &parts {
            let mut text = String::from("\n");
            write_canonical(&mut text, part);
            hash.update(text);
        }
        // Tensors are kept in the order of their names. The metrics of earlier units are a record; nothing
        // reads them to continue.
        for (name, tensor) in self.tensors.iter().filter(|(name, _)| !name.starts_with(HISTORY_PREFIX)) {
            hash.update(format!("\n{name} {} {:?}\n", tensor.type_name(), tensor.shape()));
            hash.update(tensor.bytes());
        }
        hexadecimal(hash)
    }
}

/// The hash of a JSON value in its canonical form, see [`write_canonical`].
pub(crate) struct CanonicalHash {
    /// SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// The length of the canonical form.
    pub text_bytes: usize,
}

/// Hashes a JSON value in its canonical form.
pub(crate) fn hash_canonical(value: &Value) -> CanonicalHash {
    let mut text = String::new();
    write_canonical(&mut text, value);
    let mut hash = Sha256::new();
    hash.update(&text);
    CanonicalHash { sha256: hexadecimal(hash), text_bytes: text.len() }
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // writing to a string cannot fail
        text
    })
}

/// Writes JSON in one form only, which is hashed and never parsed: the keys of objects in ascending order, no
/// blanks, whole numbers in decimal, and other numbers as their bits in hexadecimal. Writing to a string
/// cannot fail, so the results of `write!` are ignored.
fn write_canonical(out: &mut String, value: &Value) {
    match value {
        Value::Object(map) => write_object(out, map),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(out, item);
                out.push(',');
            }
            out.push(']');
        }
        Value::Number(number) => {
            let _ = match number.as_f64() {
                // 1 and 1.0 are the same setting.
                Some(x) if number.is_f64() && x.fract() == 0.0 && x.abs() < MAX_EXACT => {
                    write!(out, "{}", x as i64)
                }
                // The bits, because the decimal form of a fraction depends on who writes it.
                Some(x) if number.is_f64() => write!(out, "f{:016x}", x.to_bits()),
                _ => write!(out, "{number}"),
            };
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {
            let _ = write!(out, "{value}");
        }
    }
}

/// Whole numbers below 2^53 are exact in a double-precision number.
const MAX_EXACT: f64 = (1u64 << 53) as f64;

fn write_object(out: &mut String, map: &Map<String, Value>) {
    // The map keeps the order of insertion if some dependency asks serde_json for that.
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    out.push('{');
    for (key, value) in entries {
        let _ = write!(out, "{}:", Value::from(key.as_str()));
        write_canonical(out, value);
        out.push(',');
    }
    out.push('}');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn canonical(value: &Value) -> String {
        let mut text = String::new();
        write_canonical(&mut text, value);
        text
    }

    #[test]
    fn canonical_json_sorts_keys_and_writes_whole_numbers_without_fraction() {
        let value = json!({"b": [1.0, 2, -0.0, 0.1, null], "a": {"d": true, "c": "x\"y"}});
        assert_eq!(canonical(&value), r#"{"a":{"c":"x\"y","d":true,},"b":[1,2,0,f3fb999999999999a,null,],}"#);
        assert_eq!(canonical(&json!(u64::MAX)), u64::MAX.to_string());
    }
}
