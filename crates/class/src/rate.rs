//! Limits of rates, as token buckets: each request takes a token, and tokens come back with time.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Instant;

/// How many requests may come at once, and how many each second in the long run.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub burst: f64,
    pub per_second: f64,
}

/// The buckets of many callers. A full bucket says nothing, so full ones are dropped when there are many.
pub struct Buckets<K> {
    rate: Rate,
    buckets: HashMap<K, (f64, Instant)>,
}

/// More buckets than this are tidied up.
const MANY: usize = 1024;

impl<K: Eq + Hash> Buckets<K> {
    pub fn new(rate: Rate) -> Self {
        Self { rate, buckets: HashMap::new() }
    }

    /// Takes a token of a caller. Returns false if there is none.
    pub fn take(&mut self, key: K, now: Instant) -> bool {
        let Rate { burst, per_second } = self.rate;
        let filled = |(tokens, then): (f64, Instant)| {
            (tokens + now.saturating_duration_since(then).as_secs_f64() * per_second).min(burst)
        };
        if self.buckets.len() >= MANY {
            self.buckets.retain(|_, bucket| filled(*bucket) < burst);
            if self.buckets.len() >= 8 * MANY {
                // Nobody has so many machines in a room.
                self.buckets.clear();
            }
        }
        let bucket = self.buckets.entry(key).or_insert((burst, now));
        let tokens = filled(*bucket);
        *bucket = (if tokens >= 1.0 { tokens - 1.0 } else { tokens }, now);
        tokens >= 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn bucket_is_emptied_and_fills_again() {
        let mut buckets = Buckets::new(Rate { burst: 3.0, per_second: 2.0 });
        let start = Instant::now();
        let taken = |buckets: &mut Buckets<_>, now| (0..9).filter(|_| buckets.take("a", now)).count();
        assert_eq!(taken(&mut buckets, start), 3);
        assert!(buckets.take("b", start), "others have buckets of their own");
        assert_eq!(taken(&mut buckets, start + Duration::from_secs(1)), 2);
        assert_eq!(taken(&mut buckets, start + Duration::from_secs(9)), 3);
    }

    #[test]
    fn buckets_of_many_callers_are_bounded() {
        let mut buckets = Buckets::new(Rate { burst: 1.0, per_second: 0.001 });
        let now = Instant::now();
        for caller in 0..20 * MANY {
            buckets.take(caller, now);
        }
        assert!(buckets.buckets.len() <= 8 * MANY);
    }
}
