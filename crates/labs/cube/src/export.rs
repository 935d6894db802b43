//! The network of either puzzle as a graph that other programs can run, and the input of this graph for a
//! state. Where the outputs are distances, the graph gives them in turns.

use learnery_lab::LabError;
use learnery_nn::graph::{BATCH, Dim, Element, Graph, Value};
use learnery_nn::{OneHotMlp, Tensors, Weights};
use learnery_worlds::cube::{ACTIVE_CORNER_INPUTS, COLOURS, CORNER_INPUTS, STICKER_INPUTS, State, turn_name};
use learnery_worlds::puzzle::Turn;

use crate::config::{CubeConfig, Encoding, Method, PuzzleName};
use crate::large::{self, Outputs};
use crate::small;

/// The name of the graph.
const GRAPH_NAME: &str = "network";

/// What the outputs of a network mean.
struct Meaning {
    output: &'static str,
    about: &'static str,
    /// Mean and scale: an output `y` of the last layer means the distance `mean + scale * y`, in turns.
    /// `None` if the outputs are no distances.
    distance: Option<[f32; 2]>,
    /// Whether distances below zero become zero. The lab does this for the 2x2x2 alone, and so does the
    /// graph.
    is_clamped: bool,
}

/// The graph of a network of this lab.
pub fn graph(config: &CubeConfig, network: &Tensors) -> Result<Graph, LabError> {
    match config.puzzle {
        PuzzleName::Two => Ok(small_graph(config, &small::Network::from_tensors(config, network)?)),
        PuzzleName::Three => Ok(large_graph(&large::checked_network(config, network)?)),
    }
}

fn small_graph(config: &CubeConfig, network: &small::Network) -> Graph {
    let (name, [places, values], about) = match config.encoding {
        Encoding::Stickers => (
            "stickers",
            [STICKER_INPUTS / COLOURS, COLOURS],
            "the colours of the 24 stickers, listed face by face in the order U R F D L B, each face row by row: 0 to 5 for the \
             colours of the faces U R F D L B",
        ),
        Encoding::Corners => (
            "corners",
            [ACTIVE_CORNER_INPUTS, CORNER_INPUTS / ACTIVE_CORNER_INPUTS],
            "for each place p from 1 to 7 the number 3 (c - 1) + t. A place is the sum of 1 if it is right, 2 if it is up, and 4 if \
             it is front. c is the home place of the corner that is there. t is its twist: how many sides, clockwise as seen from \
             outside, its sticker of the colour U or D is after the side that faces up or down",
        ),
    };
    let meaning = match config.learner {
        Method::Davi | Method::Cayleypy => Meaning {
            output: "distance",
            about: "the estimated number of turns from solved",
            distance: Some([small::DISTANCE_MEAN, small::DISTANCE_SCALE]),
            is_clamped: true,
        },
        Method::Dqn => Meaning {
            output: "scores",
            about: "for each turn, the expected sum of rewards; the largest is the best",
            distance: None,
            is_clamped: false,
        },
        Method::Efficientcube => LOGITS,
    };
    let firsts: Vec<i64> = (0..places).map(|place| place as i64 * values as i64).collect();
    let input = (name, about, &firsts[..]);
    let mut graph = one_hot_graph("2x2x2", input, network.net(), &network.weights, &meaning);
    let turns = config.metric.to_rules().turns() as u8;
    graph.note("turns", (0..turns).map(turn_name).collect::<Vec<_>>().join(" "));
    graph.note(
        "how the cube is held",
        "the corner of down, back and left is at home, with the colours D, B and L in place; turn the whole cube until it is",
    );
    if config.uses_symmetry() {
        graph.note(
            "symmetry",
            "the network has learned one state of each class of up to 96 (48 symmetries of the cube, and inverses): give it the one with \
             the smallest index, as CubeAgent.inputs of the Python package does",
        );
    }
    graph
}

/// A logit of each turn.
const LOGITS: Meaning = Meaning {
    output: "logits",
    about: "for each turn, the logarithm, up to a constant, of the probability that it leads back to solved",
    distance: None,
    is_clamped: false,
};

fn large_graph(network: &large::Network) -> Graph {
    let distance = Some([large::DISTANCE_MEAN, large::DISTANCE_SCALE]);
    let meaning = match network.outputs() {
        Outputs::Distance => Meaning {
            output: "distance",
            about: "the estimated number of turns from solved",
            distance,
            is_clamped: false,
        },
        Outputs::DistancesAfterTurns => Meaning {
            output: "distances",
            about: "for each turn, the estimated number of turns from solved after it",
            distance,
            is_clamped: false,
        },
        Outputs::Logits => LOGITS,
    };
    let puzzle = network.puzzle();
    let about = "for each place the number of the piece that is there, times the orientations of its kind (the note `kinds`), \
                 plus its orientation. The pieces of a kind are numbered from 0, in the order of their home places in the note \
                 `places`. The letters of a place are its sides; with orientation o, the sticker of the k-th letter of the \
                 piece's home is on the side of letter k + o of the place, where counting begins again after the last";
    let firsts: Vec<i64> = network.first_inputs().iter().map(|first| i64::from(*first)).collect();
    let input = ("state", about, &firsts[..]);
    let mut graph = one_hot_graph("3x3x3", input, network.net(), &network.weights, &meaning);
    let turns = (0..network.turns() as Turn).map(|turn| puzzle.turn_name(turn).to_owned());
    graph.note("turns", turns.collect::<Vec<_>>().join(" "));
    let places: Vec<String> = (0..puzzle.places()).map(|place| puzzle.place_name(place)).collect();
    graph.note("places", places.join(" "));
    let kinds: Vec<String> = puzzle
        .orbits()
        .iter()
        .map(|orbit| {
            format!("{} places of {}s, {} orientations", orbit.places, orbit.kind, orbit.orientations)
        })
        .collect();
    graph.note("kinds", kinds.join("; "));
    graph
}

/// The graph of a network with one-hot inputs. The graph takes a value for each place; the input of the
/// network with the index `first input of the place + value` is one, and the others are zero.
fn one_hot_graph(
    puzzle: &str,
    // The name of the graph's input, what it is, and for each place the index of the first input of the
    // network.
    (name, about_input, firsts): (&str, &str, &[i64]),
    net: &OneHotMlp,
    weights: &Weights,
    meaning: &Meaning,
) -> Graph {
    let about = format!("A network of the {puzzle} cube: what it says of states.");
    let mut graph = Graph::new(GRAPH_NAME, &about);
    let states = graph.input(name, Element::I64, &[BATCH, Dim::Fixed(firsts.len())], about_input);
    let firsts = graph.integers(firsts);
    let ones = graph.node("Add", &[&states, &firsts]);
    let outputs = graph.one_hot_mlp(&ones, net, weights);
    let outputs = meaning.apply(&mut graph, outputs);
    graph.output(&outputs, meaning.output, &[BATCH, Dim::Fixed(net.outputs())], meaning.about);
    graph.note("puzzle", puzzle);
    graph
}

impl Meaning {
    /// Adds the conversion of the last layer's outputs to what they mean.
    fn apply(&self, graph: &mut Graph, outputs: Value) -> Value {
        let Some([mean, scale]) = self.distance else { return outputs };
        let [mean, scale] = [mean, scale].map(|number| graph.float(number));
        let scaled = graph.node("Mul", &[&outputs, &scale]);
        let distances = graph.node("Add", &[&scaled, &mean]);
        if !self.is_clamped {
            return distances;
        }
        let zero = graph.float(0.0);
        graph.node("Max", &[&distances, &zero])
    }
}

impl small::Solver {
    /// The input of the graph for a state. With symmetry it is that of the representative of the state's
    /// class, which is the only state of the class that the network has learned.
    pub fn graph_input(&self, state: State) -> Vec<i64> {
        let (network, space) = (self.network(), self.space());
        let mut ones = vec![0; network.net().ones()];
        network.encode(std::iter::once(space.state(space.node(state))), &mut ones);
        let values = network.net().inputs() / ones.len();
        ones.into_iter().map(|one| i64::from(one) % values as i64).collect()
    }

    /// The output of the graph for a state, computed by the network itself. Tests compare the graph with it.
    pub fn graph_output(&self, state: State) -> Vec<f32> {
        let (network, space) = (self.network(), self.space());
        let mut scratch = network.scratch();
        let mut outputs =
            network.infer(std::iter::once(space.state(space.node(state))), &mut scratch).to_vec();
        if network.predicts_distance() {
            outputs.iter_mut().for_each(|y| *y = small::distance_of_output(*y));
        }
        outputs
    }
}

impl large::Network {
    /// The output of the graph for a state, computed by the network itself. Tests compare the graph with it.
    /// The graph's input is the state as it is.
    pub fn graph_output(&self, state: &learnery_worlds::puzzle::State) -> Vec<f32> {
        let mut outputs = vec![0.0; self.output_count()];
        self.infer(std::iter::once(*state), &mut crate::beam::Guide::scratch(self), &mut outputs);
        if self.outputs() != Outputs::Logits {
            outputs.iter_mut().for_each(|y| *y = large::distance_of_output(*y));
        }
        outputs
    }
}
