//! Attention and rotary embedding, whole and row by row, against references in `f64`; gradients against
//! finite differences.

use crate::{Source, assert_same, on_every_isa};
use learnery_kernels::attention::{Heads, KvCache, Rotary, Workspace, backward, forward, weights};
use learnery_kernels::gemm::{Mat, gemm, gemm_strided, transpose};
use learnery_kernels::reference;

/// Heads and number of rows (tokens) of each test case. The sizes cover odd numbers, whole vectors and
/// several blocks of queries.
const SHAPES: [(Heads, usize); 8] = [
    (Heads { count: 1, size: 1 }, 1),
    (Heads { count: 2, size: 3 }, 5),
    (Heads { count: 3, size: 8 }, 17),
    (Heads { count: 2, size: 16 }, 32),
    (Heads { count: 1, size: 32 }, 33),
    (Heads { count: 2, size: 5 }, 70),
    (Heads { count: 1, size: 64 }, 128),
    (Heads { count: 1, size: 4 }, 300),
];

/// Converts to double precision.
fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().copied().map(f64::from).collect()
}

#[track_caller]
fn assert_near(what: &str, got: &[f32], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        assert!(
            (f64::from(*g) - e).abs() <= tolerance * (1.0 + e.abs()),
            "{what}: value {i} is {g:e}, not {e:e}"
        );
    }
}

#[test]
fn attention_matches_the_reference() {
    on_every_isa(|isa| {
        let mut source = Source::new(40);
        for (heads, max_rows) in SHAPES {
            let mut workspace = Workspace::new(heads, max_rows);
            // A shorter sequence after a longer one, so that stale values in the workspace would show.
            for rows in [max_rows, max_rows.div_ceil(2), 0] {
                let mut qkv = source.numbers(rows * 3 * heads.width());
                qkv.iter_mut().for_each(|v| *v *= 2.0);
                let what = format!("{rows} rows of {heads:?} on {isa}");
                let (expected, tables) = reference::attention(&wide(&qkv), heads);
                let (mut out, mut log_sums) =
                    (vec![f32::NAN; expected.len()], vec![f32::NAN; rows * heads.count]);
                forward(&mut out, &mut log_sums, &qkv, heads, &mut workspace);
                assert_near(&what, &out, &expected, 2e-6);
                let mut table = vec![f32::NAN; rows * rows];
                for (head, expected) in tables.chunks((rows * rows).max(1)).enumerate() {
                    weights(&mut table, &qkv, heads, head, &mut workspace);
                    assert_near(&what, &table, expected, 2e-6);
                }
            }
        }
    });
}

#[test]
fn kv_cache_is_bit_identical_to_the_whole_sequence() {
    on_every_isa(|isa| {
        let mut source = Source::new(41);
        for (heads, rows) in SHAPES {
            let width = heads.width();
            let qkv = source.numbers(rows * 3 * width);
            let (mut out, mut log_sums) = (vec![0.0; rows * width], vec![0.0; rows * heads.count]);
            forward(&mut out, &mut log_sums, &qkv, heads, &mut Workspace::new(heads, rows));
            let mut cache = KvCache::new(heads, rows + 3);
            let mut grown = vec![0.0; rows * width];
            // One row at a time; chunks of random size; all at once.
            for max_rows in [1, 45, rows] {
                cache.clear();
                while cache.len() < rows {
                    let (first, count) = (cache.len(), (1 + source.below(max_rows)).min(rows - cache.len()));
                    let rows = &qkv[first * 3 * width..][..count * 3 * width];
                    cache.forward(&mut grown[first * width..][..count * width], rows);
                }
                assert_same(&format!("{rows} rows of {heads:?} on {isa}"), &grown, &out);
            }
        }
    });
}

#[test]
fn attention_gradients_agree_with_finite_differences() {
    on_every_isa(|isa| {
        let mut source = Source::new(42);
        for (heads, rows) in SHAPES {
            let width = heads.width();
            let (qkv, dout) = (source.numbers(rows * 3 * width), source.numbers(rows * width));
            let mut workspace = Workspace::new(heads, rows + 1);
            let (mut out, mut log_sums) = (vec![0.0; rows * width], vec![0.0; rows * heads.count]);
            forward(&mut out, &mut log_sums, &qkv, heads, &mut workspace);
            let mut dqkv = vec![f32::NAN; qkv.len()];
            backward(&mut dqkv, &dout, &out, &log_sums, &qkv, heads, &mut workspace);
            let mut moved = wide(&qkv);
            // By how far an input moves each way for a finite difference.
            let distance = 1e-5;
            let loss = |qkv: &[f64]| -> f64 {
                reference::attention(qkv, heads).0.iter().zip(&dout).map(|(y, d)| y * f64::from(*d)).sum()
            };
            // For long sequences, only 12 random inputs, because each takes two passes of the reference.
            for _ in 0..if rows < 20 { qkv.len() } else { 12 } {
                let i = source.below(qkv.len());
                let middle = moved[i];
                moved[i] = middle + distance;
                let above = loss(&moved);
                moved[i] = middle - distance;
                let slope = (above - loss(&moved)) / (2.0 * distance);
                moved[i] = middle;
                assert_near(
                    &format!("{i} of {rows} rows of {heads:?} on {isa}"),
                    &dqkv[i..=i],
                    &[slope],
                    2e-5,
                );
            }
            assert!(dqkv.iter().all(|d| d.is_finite()), "every gradient is written");
        }
    });
}

/// Special values do not cause a panic; large numbers do not overflow.
#[test]
fn attention_accepts_nan_and_does_not_overflow() {
    on_every_isa(|isa| {
        let mut source = Source::new(43);
        let heads = Heads { count: 2, size: 5 };
        let mut workspace = Workspace::new(heads, 40);
        for with_special_values in [true, false] {
            // 40 rows of 2 heads of 5 features: `qkv` has 30 values per row.
            let mut qkv = source.numbers_with_special_values(40 * 30);
            if !with_special_values {
                qkv = source.numbers(40 * 30);
                qkv.iter_mut().for_each(|v| *v *= 1e4);
            }
            // The output has 10 values per row, and there is one log-sum-exp per row and head.
            let [mut out, dout] = [vec![0.0; 40 * 10], source.numbers(40 * 10)];
            let (mut log_sums, mut dqkv) = (vec![0.0; 40 * 2], vec![0.0; qkv.len()]);
            forward(&mut out, &mut log_sums, &qkv, heads, &mut workspace);
            backward(&mut dqkv, &dout, &out, &log_sums, &qkv, heads, &mut workspace);
            assert!(
                with_special_values || out.iter().chain(&dqkv).all(|v| v.is_finite()),
                "overflow on {isa}"
            );
        }
    });
}

#[test]
fn gemm_strided_writes_only_its_columns_and_transpose_pads_with_zeros() {
    on_every_isa(|isa| {
        let mut source = Source::new(44);
        for _ in 0..40 {
            let [rows, inner, cols] = [source.below(20), source.below(40), 1 + source.below(60)];
            let out_row = cols + source.below(5);
            let (a, b) = (source.numbers(rows * inner), source.numbers(inner * cols));
            let (a, b) = (Mat::new(&a, rows, inner), Mat::new(&b, inner, cols));
            let before = source.numbers(rows * out_row);
            for accumulate in [false, true] {
                let mut plain: Vec<f32> =
                    before.chunks(out_row).flat_map(|row| row[..cols].to_vec()).collect();
                gemm(&mut plain, a, b, accumulate);
                let mut out = before.clone();
                gemm_strided(&mut out, out_row, a, b, accumulate);
                for (r, row) in out.chunks(out_row).enumerate() {
                    assert_same(isa, &row[..cols], &plain[r * cols..][..cols]);
                    assert_same(isa, &row[cols..], &before[r * out_row + cols..][..out_row - cols]);
                }
            }
            let width = rows.next_multiple_of(16) + 16;
            let mut out = vec![f32::NAN; inner * width];
            transpose(&mut out, width, a);
            for (j, row) in out.chunks_exact(width).enumerate() {
                let expected = |i: usize| if i < rows { a.at(i, j) } else { 0.0 };
                assert_same(isa, row, &(0..width).map(expected).collect::<Vec<_>>());
            }
        }
    });
}

/// Queries and keys match the reference, and values stay unchanged. In chunks of any size behind a cache, the
/// result is bit-identical.
#[test]
fn rotary_matches_the_reference_at_once_and_behind_a_cache() {
    on_every_isa(|isa| {
        let mut source = Source::new(45);
        for (heads, rows) in SHAPES {
            let rotary = Rotary::new(heads, rows);
            let row = 3 * heads.width();
            let qkv = source.numbers(rows * row);
            let (mut applied, mut expected) = (qkv.clone(), wide(&qkv));
            reference::rotary(&mut expected, heads);
            rotary.apply(&mut applied);
            let what = format!("{rows} rows of {heads:?} on {isa}");
            assert_near(&what, &applied, &expected, 2e-6);
            for max_rows in [1, 45] {
                let mut grown = qkv.clone();
                let (mut cache, mut out) = (KvCache::new(heads, rows), vec![0.0; rows * heads.width()]);
                while cache.len() < rows {
                    let (first, count) = (cache.len(), (1 + source.below(max_rows)).min(rows - cache.len()));
                    let chunk = &mut grown[first * row..][..count * row];
                    rotary.apply_behind(chunk, &mut cache);
                    cache.forward(&mut out[..count * heads.width()], chunk);
                }
                assert_same(&what, &grown, &applied);
            }
        }
    });
}

/// `apply` is linear, so `backward` must be its transpose: `d . apply(x) = backward(d) . x`.
#[test]
fn rotary_backward_is_the_transpose_of_apply() {
    on_every_isa(|isa| {
        let mut source = Source::new(46);
        let sum = |a: &[f32], b: &[f32]| -> f64 {
            a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        for (heads, rows) in SHAPES {
            let rotary = Rotary::new(heads, rows);
            let size = rows * 3 * heads.width();
            let [x, d] = [source.numbers(size), source.numbers(size)];
            let [mut forward_result, mut backward_result] = [x.clone(), d.clone()];
            rotary.apply(&mut forward_result);
            rotary.backward(&mut backward_result);
            let (one, other) = (sum(&d, &forward_result), sum(&backward_result, &x));
            let scale = 1.0 + (size as f64).sqrt();
            assert!((one - other).abs() < 1e-5 * scale, "{rows} rows of {heads:?} on {isa}: {one}, {other}");
        }
    });
}
