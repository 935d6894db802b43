//! Actor and critic as graphs that other programs can run, with the normaliser of observations inside.

use learnery_nn::Mlp;
use learnery_nn::graph::{BATCH, Dim, Element, Graph, Value};

use crate::network::Network;
use crate::task::Task;

impl Network {
    /// The graphs `actor` and `critic`.
    pub fn graphs(&self) -> Vec<Graph> {
        // The name of the actor's output, its explanation, and how it becomes an action.
        let (output, about, meaning) = match self.log_std_range() {
            None => (
                "logits",
                "for each action, the logarithm of its probability up to a constant",
                "the action with the largest logit is the most probable one".to_owned(),
            ),
            Some(range) => {
                let log_stds = self.weights.flat()[range].iter().map(f32::to_string).collect::<Vec<_>>();
                let log_stds = log_stds.join(", ");
                let is_squashed = self.bounds().is_squashed();
                let (greedy, what) = match is_squashed {
                    false => ("most probable action", "actions"),
                    true => ("action without exploration", "the numbers before the hyperbolic tangent"),
                };
                let meaning = format!(
                    "the {greedy} is {}; in training, {what} had a normal distribution around the mean, the \
                     logarithm of its standard deviation is {log_stds}",
                    self.task().meaning_of_numbers(is_squashed)
                );
                ("mean", "the mean of the action", meaning)
            }
        };
        let id = self.task().title();
        let actor = format!("The actor of {id}: what to do.");
        let mut actor = self.graph("actor", &actor, self.actor(), (output, about));
        actor.note("actions", meaning);
        let critic = format!("The critic of {id}: the discounted return that it expects.");
        let about = ("value", "the discounted sum of the rewards to come, as scaled in training");
        [actor, self.graph("critic", &critic, self.critic(), about)].into()
    }

    fn graph(&self, name: &str, about: &str, mlp: &Mlp, (output, meaning): (&str, &str)) -> Graph {
        let mut graph = Graph::new(name, about);
        let id = self.task().title();
        let shape = [BATCH, Dim::Fixed(self.inputs())];
        let source = match self.task() {
            Task::BuiltIn(_) => "as Gymnasium gives them",
            #[cfg(feature = "own-worlds")]
            Task::Own(_) => "divided by their scales",
            Task::External(_) => "as the environment gives them",
        };
        let observations = format!("observations of {id}, {source}");
        let observations = graph.input("observations", Element::F32, &shape, &observations);
        let x = self.normalised(&mut graph, &observations);
        let y = graph.mlp(&x, mlp, &self.weights);
        graph.output(&y, output, &[BATCH, Dim::Fixed(mlp.outputs())], meaning);
        graph.note("world", id);
        graph
    }

    /// The observations as the networks get them.
    fn normalised(&self, graph: &mut Graph, observations: &Value) -> Value {
        let Some((bound, shift, scale)) = self.normaliser.shift_and_scale() else {
            return observations.clone();
        };
        let shift = graph.floats("normaliser/mean", &[shift.len()], shift);
        let scale = graph.floats("normaliser/scale", &[scale.len()], scale);
        let [low, high] = [-bound, bound].map(|bound| graph.float(bound));
        let centred = graph.node("Sub", &[observations, &shift]);
        let scaled = graph.node("Mul", &[&centred, &scale]);
        graph.node("Clip", &[&scaled, &low, &high])
    }
}
