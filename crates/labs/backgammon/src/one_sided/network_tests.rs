//! Tests of the network of one side.

use super::super::side;
use super::*;

fn random_network(seed: u32) -> Network {
    let mut network = Network::new([16, 8]);
    network.update(|params| {
        Stream::new(seed, 4).fill_normal(0, params);
        params.iter_mut().for_each(|p| *p *= 0.2);
    });
    network
}

fn turns(network: &Network, sides: &[Side]) -> Vec<Turns> {
    let mut out = Vec::new();
    network.turns(sides, &mut network.scratch(), &mut out);
    out
}

fn sides() -> Vec<Side> {
    let number = |i: u64, at: u64, n| Stream::new(1, 2).below(i, at, n) as usize;
    let draw = |i| {
        let mut side = [0; 26];
        (0..15).for_each(|checker| side[number(i, checker, 21)] += 1);
        side
    };
    let mut sides: Vec<Side> = (0..150).map(draw).collect();
    sides.push(side(&[(6, 5), (2, 3)]));
    sides
}

#[test]
fn distributions_sum_to_one_and_do_not_depend_on_the_batch() {
    let (network, sides) = (random_network(1), sides());
    let together = turns(&network, &sides);
    for (side, together) in sides.iter().zip(&together) {
        let alone = turns(&network, &[*side])[0];
        assert_eq!(*together, alone, "{side:?}");
        for (bins, known) in alone.iter().zip(known(side)) {
            assert!((bins.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{side:?}");
            assert!(known.is_none_or(|known| known == *bins));
        }
    }
}

#[test]
fn untrained_network_knows_what_the_pips_say() {
    let mut network = Network::new([16, 8]);
    network.init(Stream::new(1, 2));
    let turns = turns(&network, &[side(&[(20, 2), (13, 5), (8, 3), (6, 5)])])[0];
    let [all, first, out] =
        turns.map(|bins| bins.iter().enumerate().map(|(turns, p)| turns as f32 * p).sum::<f32>());
    // All must leave the opponent's home board before all are home, and be home before all are off.
    assert!(out < first && first < all && (14.0..22.0).contains(&all), "{all} {first} {out}");
}

#[test]
fn training_pass_has_the_distributions_of_inference_and_their_gradients() {
    let (mut network, sides) = (random_network(1), &sides()[..20]);
    let inferred = turns(&network, sides);
    let mut tape = network.tape(sides.len());
    // Any loss will do: a weighted sum of the logits.
    let weight = |i: usize| ((i % 17) as f32 - 8.0) * 0.01;
    let loss = |network: &Network, tape: &mut Tape| {
        let logits = network.forward(sides, tape);
        logits.iter().enumerate().map(|(i, x)| f64::from(x * weight(i))).sum::<f64>()
    };
    let mut trained = network.forward(sides, &mut tape);
    let gradient: Vec<f32> = (0..trained.len()).map(weight).collect();
    let mut grads = vec![0.0; network.weights().len()];
    network.backward(sides, &gradient, &mut tape, &mut grads);
    softmax(&mut trained, BINS);
    let heads = trained.as_chunks::<BINS>().0.iter().zip(inferred.as_flattened());
    let open = sides.iter().flat_map(|side| known(side).map(|known| known.is_none()));
    for ((trained, inferred), _) in heads.zip(open).filter(|(_, is_open)| *is_open) {
        assert!(trained.iter().zip(inferred).all(|(a, b)| (a - b).abs() < 1e-5));
    }
    for i in (0..grads.len()).step_by(grads.len() / 50) {
        let mut shifted = |by: f32| {
            network.update(|params| params[i] += by);
            loss(&network, &mut tape)
        };
        let difference = (shifted(1e-3) - shifted(-2e-3)) / 2e-3;
        shifted(1e-3);
        let error = (difference - f64::from(grads[i])).abs();
        assert!(error < 0.02 * (1.0 + difference.abs()), "{i}: {difference} {}", grads[i]);
    }
}

#[test]
fn networks_are_found_in_tensors_of_possible_sizes() {
    let (network, sides) = (random_network(1), sides());
    let mut tensors = network.weights().to_tensors();
    let found = Network::find(&tensors).expect("our own tensors").expect("a network");
    assert_eq!(turns(&found, &sides), turns(&network, &sides));
    assert!(Network::find(&Tensors::new()).expect("nothing is wrong").is_none());
    tensors.insert(FIRST_BIAS, &[MOST_NEURONS + 1], &[0.0f32; MOST_NEURONS + 1]);
    let error = Network::find(&tensors).map(|_| ()).expect_err("too wide");
    assert_eq!(error.to_string(), "tensor `turns/first/bias` is 1025 wide, expected 1 to 1024");
    tensors.insert(FIRST_BIAS, &[17], &[0.0f32; 17]);
    assert!(Network::find(&tensors).is_err());
    tensors.remove(SECOND_BIAS);
    assert!(Network::find(&tensors).is_err());
}
