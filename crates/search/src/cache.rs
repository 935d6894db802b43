//! A direct-mapped cache of evaluations: a new entry overwrites whatever is in its slot. Evaluations depend
//! on the state only, so an overwritten entry only has to be computed again.

/// The key of an empty slot. A state whose mixed key happens to be this is never cached.
const EMPTY: u64 = 0;

/// The slots, as columns. Without slots (`new(None, _)`) nothing is stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    /// The mixed key of the state in each slot, or [`EMPTY`].
    keys: Vec<u64>,
    values: Vec<f32>,
    // [slots, embedding_size]
    embeddings: Vec<f32>,
    embedding_size: usize,
}

impl Cache {
    /// Creates a cache of 2^`bits` slots; `None` disables it.
    pub fn new(bits: Option<u32>, embedding_size: usize) -> Self {
        let slots = bits.map_or(0, |bits| 1 << bits);
        Self {
            keys: vec![EMPTY; slots],
            values: vec![0.0; slots],
            embeddings: vec![0.0; slots * embedding_size],
            embedding_size,
        }
    }

    /// Must be called whenever the evaluator changes.
    pub fn clear(&mut self) {
        self.keys.fill(EMPTY);
    }

    /// The slot of a key: its low bits. `None` if the key cannot be stored.
    fn slot(&self, key: u64) -> Option<usize> {
        let is_cacheable = !self.keys.is_empty() && key != EMPTY;
        is_cacheable.then(|| key as usize & (self.keys.len() - 1))
    }

    /// Returns the value and the embedding stored under a key that [`mix`] returned.
    pub fn get(&self, key: u64) -> Option<(f32, &[f32])> {
        let slot = self.slot(key)?;
        (self.keys[slot] == key).then(|| {
            (self.values[slot], &self.embeddings[slot * self.embedding_size..][..self.embedding_size])
        })
    }

    /// Stores an evaluation under a key that [`mix`] returned, in place of what is in its slot.
    pub fn put(&mut self, key: u64, value: f32, embedding: &[f32]) {
        if let Some(slot) = self.slot(key) {
            self.keys[slot] = key;
            self.values[slot] = value;
            self.embeddings[slot * self.embedding_size..][..self.embedding_size].copy_from_slice(embedding);
        }
    }
}

/// Mixes a key so that every bit depends on all bits of `key`: the finalizer of SplitMix64 (Steele, Lea and
/// Flood, 2014).
pub(crate) fn mix(key: u64) -> u64 {
    let key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ (key >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_returns_the_last_entry_of_a_slot() {
        // Four slots, embeddings of two numbers.
        let mut cache = Cache::new(Some(2), 2);
        assert_eq!(cache.get(5), None);
        cache.put(5, 0.5, &[1.0, 2.0]);
        assert_eq!(cache.get(5), Some((0.5, &[1.0, 2.0][..])));
        // Keys 9 and 5 have the same low two bits, so they share a slot.
        assert_eq!(cache.get(9), None);
        cache.put(9, -0.5, &[3.0, 4.0]);
        assert_eq!((cache.get(5), cache.get(9)), (None, Some((-0.5, &[3.0, 4.0][..]))));
        cache.clear();
        assert_eq!(cache.get(9), None);
    }

    #[test]
    fn cache_without_slots_or_with_the_empty_key_stores_nothing() {
        let mut cache = Cache::new(None, 0);
        cache.put(1, 0.5, &[]);
        assert_eq!(cache.get(1), None);
        let mut cache = Cache::new(Some(1), 0);
        cache.put(EMPTY, 0.5, &[]);
        assert_eq!(cache.get(EMPTY), None);
    }

    #[test]
    fn mix_gives_distinct_keys_and_balanced_low_bits() {
        let mut mixed: Vec<u64> = (1..10_000u64).map(mix).collect();
        mixed.sort_unstable();
        mixed.dedup();
        assert_eq!(mixed.len(), 9_999);
        let ones = (1..10_000u64).filter(|key| mix(*key) & 1 == 1).count();
        assert!((4_800..5_200).contains(&ones), "{ones}");
    }
}
