//! Gates decided: the likeliest of its kinds for each.

use super::KINDS;
use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, store_partial};

/// The kind with the largest logit, of equals the first. // logits [16, gates] -> kinds [gates]
pub fn argmax_kinds(logits: &[f32], kinds: &mut [u8]) {
    assert_eq!(logits.len(), KINDS * kinds.len(), "sixteen logits a gate");
    dispatch(Argmax { logits, kinds });
}

struct Argmax<'a> {
    logits: &'a [f32],
    kinds: &'a mut [u8],
}

impl Op for Argmax<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { logits, kinds } = self;
        let gates = kinds.len();
        for (i, kinds) in kinds.chunks_mut(S::LANES).enumerate() {
            let own = |kind: usize| &logits[kind * gates + i * S::LANES..][..kinds.len()];
            let (mut best, mut which) = (load_padded(s, own(0), 0.0), s.splat(0.0));
            for kind in 1..KINDS {
                let logit = load_padded(s, own(kind), 0.0);
                let more = s.lt(best, logit);
                best = s.select(more, logit, best);
                which = s.select(more, s.splat(kind as f32), which);
            }
            let mut numbers = [0.0; MAX_LANES];
            store_partial(s, &mut numbers[..S::LANES], which);
            kinds.iter_mut().zip(numbers).for_each(|(kind, number)| *kind = number as u8);
        }
    }
}
