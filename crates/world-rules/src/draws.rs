//! Which block of random words a random number comes from. A block is the four words that Philox, a
//! counter-based generator, makes from one counter.
//!
//! The counter of Philox has the world's index in two words, the episode in the third, and step and block in
//! the fourth: 24 bits of the step, 8 of the block. The first four uniform numbers of the beginning of an
//! episode are those of `worlds::control`.

/// The last two words of a block's counter, the third one low.
pub(crate) fn sub_index(episode: u32, step: u32, block: u32) -> u64 {
    u64::from(step << 8 | block) << 32 | u64::from(episode)
}

/// The block of uniform number `i` of a step: four come from each block.
pub(crate) fn uniform_block(i: u16) -> u32 {
    u32::from(i / 4)
}

/// The block of normal number `i` of a step. Normal numbers come from blocks of their own, from 128 on,
/// because each is made of two words of a block. Uniform numbers take at most 64 blocks
/// (`limits::MAX_DRAWS`).
pub(crate) fn normal_block(i: u16) -> u32 {
    128 + u32::from(i / 4)
}
