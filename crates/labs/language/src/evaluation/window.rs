//! The overlapping windows in which a held-out text is evaluated. A window has `length` tokens and begins one
//! stride after the window before it; `strides` is the number of strides in a window. All targets of the
//! first window count, and the last stride of targets in every other window. So each token of the text counts
//! once.

use learnery_nn::transformer::IGNORE;

/// Tokens from the beginning of one window to that of the next.
fn stride_tokens(length: usize, strides: usize) -> usize {
    (length / strides).max(1)
}

/// Returns the number of windows of `length` tokens for a text of `targets` targets.
pub fn count(targets: usize, length: usize, strides: usize) -> usize {
    1 + targets.saturating_sub(length).div_ceil(stride_tokens(length, strides))
}

/// Fills a row with window `index` of a text. The target of an input is the token after it; targets that do
/// not count are set to [`IGNORE`]. Inputs after the end of the text are padded with the text's first token.
pub fn fill(tokens: &[u16], index: usize, strides: usize, inputs: &mut [u16], targets: &mut [u16]) {
    let length = inputs.len();
    let stride = stride_tokens(length, strides);
    let first = index * stride;
    // Inputs of this window that have a token after them.
    let available = length.min(tokens.len() - 1 - first);
    inputs.fill(tokens[0]);
    targets.fill(IGNORE);
    inputs[..available].copy_from_slice(&tokens[first..first + available]);
    let first_counted = if index == 0 { 0 } else { length - stride };
    if first_counted < available {
        targets[first_counted..available]
            .copy_from_slice(&tokens[first + first_counted + 1..=first + available]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_count_every_token_once_and_in_order() {
        // Texts shorter than a window, exactly as long, one token longer, many windows long; and a window
        // whose length is no multiple of the stride. Each token is the number of its place in the text.
        for (size, length, strides) in [(5, 24, 8), (24, 24, 8), (25, 24, 8), (300, 24, 8), (1000, 130, 16)] {
            let tokens: Vec<u16> = (0..=size).collect();
            let (mut inputs, mut targets) = (vec![0; length], vec![0; length]);
            let mut counted = Vec::new();
            for index in 0..count(tokens.len() - 1, length, strides) {
                fill(&tokens, index, strides, &mut inputs, &mut targets);
                for (input, target) in inputs.iter().zip(&targets).filter(|(_, target)| **target != IGNORE) {
                    assert_eq!(*target, input + 1);
                    counted.push(*target);
                }
            }
            assert!(counted.into_iter().eq(1..=size), "{size} tokens in windows of {length}");
        }
    }
}
