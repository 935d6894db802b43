//! Discretisation of soft gates. A soft gate is a mixture of the 16 functions of two bits (its kinds),
//! weighted by the softmax of 16 logits. Discretised, it is its most likely kind.

use super::KINDS;
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, store_partial};

/// Writes the kind with the largest logit of each gate to `kinds`. Of equal logits, the lowest kind wins.
/// Shapes: `logits [16, gates] -> kinds [gates]`.
pub fn argmax_kinds(logits: &[f32], kinds: &mut [u8]) {
    assert_eq!(logits.len(), KINDS * kinds.len(), "sixteen logits a gate");
    dispatch(Argmax { logits, kinds });
}

/// The arguments of [`argmax_kinds`], checked.
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
            let logits_of = |kind: usize| &logits[kind * gates + i * S::LANES..][..kinds.len()];
            let (mut best, mut best_kind) = (load_padded(s, logits_of(0), 0.0), s.splat(0.0));
            for kind in 1..KINDS {
                let logit = load_padded(s, logits_of(kind), 0.0);
                let larger = s.lt(best, logit);
                best = s.select(larger, logit, best);
                best_kind = s.select(larger, s.splat(kind as f32), best_kind);
            }
            let mut numbers = [0.0; MAX_LANES];
            store_partial(s, &mut numbers[..S::LANES], best_kind);
            kinds.iter_mut().zip(numbers).for_each(|(kind, number)| *kind = number as u8);
        }
    }
}
