//! Which block of random words a random number comes from.
//!
//! The counter of Philox has the world's index in two words, the episode in the third, and step and block in
//! the fourth: 24 bits of the step, 8 of the block. The first four uniform numbers of the beginning of an
//! episode are those of `worlds::control`.

/// The sub-index of a block.
pub(crate) fn sub_index(episode: u32, step: u32, block: u32) -> u64 {
    u64::from(step << 8 | block) << 32 | u64::from(episode)
}

/// Uniform numbers, four from each block.
pub(crate) fn uniform_block(i: u16) -> u32 {
    u32::from(i / 4)
}

/// Normal numbers come from blocks of their own, because both words of a block go into each of them.
pub(crate) fn normal_block(i: u16) -> u32 {
    128 + u32::from(i / 4)
}
