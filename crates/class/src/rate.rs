//! Rate limits by token buckets: each request takes a token from its caller's bucket, which fills again with
//! time. (These tokens are not those by which tabs are known.)

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Instant;

/// A limit of requests.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// How many requests may come at once: the tokens of a full bucket.
    pub burst: f64,
    /// How many requests may come each second in the long run: the tokens that a bucket regains in a second.
    pub per_second: f64,
}

/// The buckets of many callers, each known by a `K`, such as its address.
pub struct Buckets<K> {
    rate: Rate,
    /// The tokens of each caller, and when they were counted. A caller without an entry has a full bucket.
    buckets: HashMap<K, (f64, Instant)>,
}

/// With this many buckets or more, full ones are dropped: a missing bucket counts as full.
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
                // So many machines are in no classroom: somebody sends from invented addresses. Then memory
                // counts for more than limits.
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
