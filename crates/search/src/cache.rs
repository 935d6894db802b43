//! What the evaluator said of states, by their keys.
//!
//! Direct-mapped: a new answer takes the place of whatever was in its slot, so there is nothing to search and nothing to
//! keep in order. An answer depends on the state alone, hence what was forgotten is only asked again.

/// A slot that was never filled. Keys are mixed before they are stored, and one that should come out as this is not kept.
const EMPTY: u64 = 0;

/// Answers for up to a fixed number of states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    keys: Vec<u64>,
    values: Vec<f32>,
    kept: Vec<f32>, // [slots, width]
    width: usize,
}

impl Cache {
    /// With 2^`bits` slots, or without any.
    pub fn new(bits: Option<u32>, width: usize) -> Self {
        let slots = bits.map_or(0, |bits| 1 << bits);
        Self { keys: vec![EMPTY; slots], values: vec![0.0; slots], kept: vec![0.0; slots * width], width }
    }

    /// Forgets everything, as it must when the evaluator changes.
    pub fn clear(&mut self) {
        self.keys.fill(EMPTY);
    }

    fn slot(&self, key: u64) -> Option<usize> {
        let filled = !self.keys.is_empty() && key != EMPTY;
        filled.then(|| key as usize & (self.keys.len() - 1))
    }

    /// What was said of a state, and what was kept.
    pub fn get(&self, key: u64) -> Option<(f32, &[f32])> {
        let slot = self.slot(key)?;
        (self.keys[slot] == key).then(|| (self.values[slot], &self.kept[slot * self.width..][..self.width]))
    }

    /// Remembers it.
    pub fn put(&mut self, key: u64, value: f32, kept: &[f32]) {
        if let Some(slot) = self.slot(key) {
            self.keys[slot] = key;
            self.values[slot] = value;
            self.kept[slot * self.width..][..self.width].copy_from_slice(kept);
        }
    }
}

/// A key whose bits all depend on all bits of `key`: the last step of SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) fn mix(key: u64) -> u64 {
    let key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ (key >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_gives_back_what_it_was_given_last() {
        let mut cache = Cache::new(Some(2), 2);
        assert_eq!(cache.get(5), None);
        cache.put(5, 0.5, &[1.0, 2.0]);
        assert_eq!(cache.get(5), Some((0.5, &[1.0, 2.0][..])));
        // The same slot.
        assert_eq!(cache.get(9), None);
        cache.put(9, -0.5, &[3.0, 4.0]);
        assert_eq!((cache.get(5), cache.get(9)), (None, Some((-0.5, &[3.0, 4.0][..]))));
        cache.clear();
        assert_eq!(cache.get(9), None);
    }

    #[test]
    fn without_slots_it_remembers_nothing() {
        let mut cache = Cache::new(None, 0);
        cache.put(1, 0.5, &[]);
        assert_eq!(cache.get(1), None);
        let mut cache = Cache::new(Some(1), 0);
        cache.put(EMPTY, 0.5, &[]);
        assert_eq!(cache.get(EMPTY), None);
    }

    #[test]
    fn keys_are_mixed_without_being_lost() {
        let mut mixed: Vec<u64> = (1..10_000u64).map(mix).collect();
        mixed.sort_unstable();
        mixed.dedup();
        assert_eq!(mixed.len(), 9_999);
        // About half of the lowest bits are set.
        let ones = (1..10_000u64).filter(|key| mix(*key) & 1 == 1).count();
        assert!((4_800..5_200).contains(&ones), "{ones}");
    }
}
