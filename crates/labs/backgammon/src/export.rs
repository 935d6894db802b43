//! The networks as graphs that other programs can run, and the inputs that a position has for them.

use learnery_backgammon_play::outcomes::{OUTCOMES, Outcomes};
use learnery_backgammon_play::position_and_dice;
use learnery_kernels::activation::Activation;
use learnery_nn::graph::{BATCH, Dim, Element, Graph, Value};
use learnery_nn::{ResNet, Weights};
use learnery_worlds::backgammon::{OBSERVATION_SIZE, observe};

use crate::afterstates::{self, Inputs, RAW_INPUTS};
use crate::alphazero;
use crate::networks::TrainedNetwork;

/// The graphs of the afterstate network, for contact positions and for races.
const BODY_GRAPHS: [&str; 2] = ["contact", "race"];
/// The graph of AlphaZero's network.
const NETWORK_GRAPH: &str = "network";

/// What the inputs of the afterstate network are.
const RAW_INPUTS_MEANING: &str = "260 raw inputs: for the side on roll, then for the other side, 26 places (off, points 1 to 24 in its own \
                      numbering, bar), each with five inputs: at least one, two, three, four checkers, and half the number of \
                      checkers beyond four";
const EXPERT_INPUTS_MEANING: &str = "; then expert inputs, half of them for each side, as crates/labs/backgammon/src/afterstates/expert/ \
                      computes them; BackgammonAgent.inputs of the Python package gives all of them";
const OUTCOME_MEANING: &str = "probabilities of the side on roll: to win, to win at least a gammon, to win a backgammon, to lose at \
                               least a gammon, to lose a backgammon";
const RACES_NOTE: &str = "the agent values races with another network, from the turns that each side needs alone, which is not exported; \
                          this one is less exact";
const EXACT_VALUES_NOTE: &str =
    "finished games and races that the bear-off table holds have exact values, for which no network is asked";

impl TrainedNetwork {
    /// The graphs of its networks.
    pub fn graphs(&self) -> Vec<Graph> {
        match self {
            Self::Afterstates(network, weights) => {
                (0..BODY_GRAPHS.len()).map(|i| body_graph(network, weights, i)).collect()
            }
            Self::AlphaZero(network) => vec![resnet_graph(&network.plan, &network.weights)],
        }
    }

    /// The network that values a position, by the name of its graph, and the row of its inputs. The line is a
    /// position, and dice where the network knows only positions with a roll.
    pub fn inputs(&self, line: &str) -> Result<(&'static str, Vec<f32>), String> {
        let (board, dice) = position_and_dice(line)?;
        match self {
            Self::Afterstates(network, _) => {
                if Outcomes::exact(&board).is_some() {
                    return Err("this position has an exact value, for which no network is asked".into());
                }
                let i = afterstates::Network::body_for(&board);
                let body = network.body(i);
                let mut inputs = vec![0.0; body.inputs()];
                body.encode(&board, &mut inputs);
                Ok((BODY_GRAPHS[i], inputs))
            }
            Self::AlphaZero(network) => {
                if dice.is_none() && alphazero::policy_head(&network.plan).is_some() {
                    return Err(
                        "this network knows only positions with dice; expected a position and two dice"
                            .into(),
                    );
                }
                let mut row = [0.0; OBSERVATION_SIZE];
                observe(&board, dice, &mut row);
                Ok((NETWORK_GRAPH, row.to_vec()))
            }
        }
    }
}

fn body_graph(network: &afterstates::Network, weights: &Weights, i: usize) -> Graph {
    let body = network.body(i);
    let kind = ["contact positions, in which the sides can still hit each other", "races"][i];
    let about = format!("The outcome probabilities of {kind}, before the roll of the side on roll.");
    let mut graph = Graph::new(BODY_GRAPHS[i], &about);
    let shape = [BATCH, Dim::Fixed(body.inputs())];
    let inputs =
        graph.input("inputs", Element::F32, &shape, "the inputs of positions, seen from the side on roll");
    let hidden = graph.dense(&inputs, &body.first, weights);
    let hidden = graph.activation(&hidden, Activation::Relu);
    let logits = graph.mlp(&hidden, &body.rest, weights);
    let outcomes = graph.activation(&logits, Activation::Sigmoid);
    let outcomes = possible(&mut graph, &inputs, &outcomes);
    graph.output(&outcomes, "outcomes", &[BATCH, Dim::Fixed(OUTCOMES)], OUTCOME_MEANING);
    graph.note(
        "inputs",
        if body.kind == Inputs::Raw {
            RAW_INPUTS_MEANING.into()
        } else {
            format!("{RAW_INPUTS_MEANING}{EXPERT_INPUTS_MEANING}")
        },
    );
    graph.note("exact values", EXACT_VALUES_NOTE);
    if BODY_GRAPHS[i] == "race" && network.races().is_some() {
        graph.note("races", RACES_NOTE);
    }
    graph
}

/// [`Outcomes::clamped_to_possible`]. The first input of the place "off" is one if the side has a checker
/// there.
fn possible(graph: &mut Graph, inputs: &Value, outcomes: &Value) -> Value {
    let one = graph.float(1.0);
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] =
        [0, 1, 2, 3, 4].map(|i| graph.columns(outcomes, i..i + 1));
    let loss = graph.node("Sub", &[&one, &win]);
    let mut gammons = |most: &Value, gammon: &Value, backgammon: &Value, off: usize| {
        let is_off = graph.columns(inputs, off..off + 1);
        let none_off = graph.node("Sub", &[&one, &is_off]);
        let gammon = graph.node("Min", &[gammon, most]);
        let gammon = graph.node("Mul", &[&gammon, &none_off]);
        let backgammon = graph.node("Min", &[backgammon, &gammon]);
        [gammon, backgammon]
    };
    // The other side's places come second.
    let [gammon, backgammon] = gammons(&win, &gammon, &backgammon, RAW_INPUTS / 2);
    let [lost_gammon, lost_backgammon] = gammons(&loss, &lost_gammon, &lost_backgammon, 0);
    graph.concat(&[&win, &gammon, &backgammon, &lost_gammon, &lost_backgammon], 1)
}

fn resnet_graph(plan: &ResNet, weights: &Weights) -> Graph {
    let about = "AlphaZero's network: the outcome probabilities of a position and a roll, and the policy if it has one.";
    let mut graph = Graph::new(NETWORK_GRAPH, about);
    let shape = [BATCH, Dim::Fixed(plan.shape().inputs)];
    let observations = graph.input(
        "observations",
        Element::F32,
        &shape,
        "positions with their rolls, seen from the side on roll",
    );
    let heads = graph.resnet(&observations, plan, weights);
    let policy = alphazero::policy_head(plan);
    for (i, (head, shape)) in heads.iter().zip(&plan.shape().heads).enumerate() {
        let (name, about) = match policy {
            Some(policy) if policy == i => (
                "policy",
                "a table [from, to] of places (off, points 1 to 24, bar): the logit of a play is the sum of the entries of the \
                 checkers that it moves, and of the entries [0, point] of the points where it hits",
            ),
            _ => ("outcomes", OUTCOME_MEANING),
        };
        graph.output(head, name, &[BATCH, Dim::Fixed(shape.outputs)], about);
    }
    graph.note(
        "inputs",
        "342 numbers, as crates/worlds/src/backgammon/observation.rs lists them; BackgammonAgent.inputs of the Python package \
         gives them",
    );
    if policy.is_none() {
        graph.note("before the roll", "the network also values positions without a roll");
    }
    graph.note(
        "impossible outcomes",
        "outcomes can contradict each other; players clamp a gammon to the probability of a win, a backgammon to that of a \
         gammon, and both to zero for a loser with a checker off",
    );
    graph
}
