//! Number of parameters, independence of a row from its batch, and initial outputs of whole networks.

use learnery_kernels::rng::Stream;

use super::{numbers, random_weights};
use crate::params::WITHOUT_INPUT_GRADIENT;
use crate::{Hidden, Layout, Mlp, ResNet, ResNetShape, Weights};

/// By hand: first layer 44,160, three blocks of 33,536, final norm 256, policy head 120,740, value head
/// 17,413.
#[test]
fn fcresnet_has_283177_parameters() {
    let mut layout = Layout::default();
    ResNet::new(&mut layout, "net", &ResNetShape::fcresnet());
    assert_eq!(layout.len(), 283_177);
}

/// `infer` splits a batch into blocks of rows. This must not change the result of a row.
#[test]
fn resnet_row_has_the_same_bits_in_every_batch() {
    let shape = ResNetShape { inputs: 11, width: 24, ..ResNetShape::fcresnet() };
    let mut layout = Layout::default();
    let net = ResNet::new(&mut layout, "net", &shape);
    let weights = random_weights(layout);
    let rows = 2 * crate::scratch::ROWS + 5;
    let x = numbers(rows * 11, 2);
    let mut scratch = net.scratch();
    // The policy head has 676 outputs and the value head 5.
    let (mut policy, mut value) = (vec![0.0; rows * 676], vec![0.0; rows * 5]);
    net.infer(&weights, &x, rows, &mut scratch, &mut [&mut policy, &mut value]);
    let (mut alone, mut alone_value) = ([0.0; 676], [0.0; 5]);
    for r in 0..rows {
        let row = &x[11 * r..][..11];
        net.infer(&weights, row, 1, &mut scratch, &mut [&mut alone, &mut alone_value]);
        assert_eq!(policy[676 * r..][..676], alone);
        assert_eq!(value[5 * r..][..5], alone_value);
    }
}

#[test]
fn trunk_and_heads_are_bit_identical_to_infer() {
    let shape = ResNetShape { inputs: 11, width: 24, ..ResNetShape::fcresnet() };
    let mut layout = Layout::default();
    let net = ResNet::new(&mut layout, "net", &shape);
    let weights = random_weights(layout);
    let rows = crate::scratch::ROWS + 7;
    let x = numbers(rows * 11, 2);
    let mut scratch = net.scratch();
    let (mut policy, mut value) = (vec![0.0; rows * 676], vec![0.0; rows * 5]);
    net.infer(&weights, &x, rows, &mut scratch, &mut [&mut policy, &mut value]);
    let mut h = vec![0.0; rows * 24];
    net.infer_trunk(&weights, &x, rows, &mut scratch, &mut h);
    for (head, whole) in [policy, value].into_iter().enumerate() {
        let mut alone = vec![0.0; whole.len()];
        net.infer_head(&weights, head, &h, rows, &mut scratch, &mut alone);
        assert_eq!(alone, whole);
    }
}

/// Policy logits are near 0 and outcome probabilities near 0.5.
#[test]
fn resnet_outputs_are_near_zero_after_init() {
    let mut layout = Layout::default();
    let net = ResNet::new(&mut layout, "net", &ResNetShape::fcresnet());
    let mut weights = Weights::new(layout);
    weights.update(|params| net.init(params, Stream::new(1, 2)));
    let x = numbers(3 * 342, 2);
    let (mut policy, mut value) = (vec![0.0; 3 * 676], vec![0.0; 3 * 5]);
    net.infer(&weights, &x, 3, &mut net.scratch(), &mut [&mut policy, &mut value]);
    assert!(policy.iter().all(|v| v.abs() < 0.2) && policy.iter().any(|v| *v != 0.0));
    assert!(value.iter().all(|v| (v - 0.5).abs() < 0.05));
}

#[test]
#[should_panic(expected = "rows on a tape")]
fn tape_rejects_more_rows_than_its_capacity() {
    let mut layout = Layout::default();
    let mlp = Mlp::new(&mut layout, "net", &[1, 1], Hidden::TANH, WITHOUT_INPUT_GRADIENT);
    mlp.forward(&Weights::new(layout), &[0.0; 3], 3, &mut mlp.tape(2));
}
