//! Actor and critic as graphs that other programs can run, with the normaliser of observations inside.

use learnery_nn::Mlp;
use learnery_nn::graph::{BATCH, Dim, Element, Graph, Value};
use learnery_worlds::control::Actions;

use crate::network::Network;

impl Network {
    /// The graphs `actor` and `critic`.
    pub fn graphs(&self) -> Vec<Graph> {
        let spec = self.world().kind().spec();
        // The name of the actor's output, its explanation, and how it becomes an action.
        let (output, about, meaning) = match spec.actions {
            Actions::Discrete(_) => (
                "logits",
                "for each action, the logarithm of its probability up to a constant",
                "the action with the largest logit is the most probable one".to_owned(),
            ),
            Actions::Continuous { low, high } => {
                let log_std = self.log_std_range().map_or(0.0, |range| self.weights.flat()[range.start]);
                let meaning = format!(
                    "the most probable action is the mean, clipped to {low} to {high}; in training, actions had a normal \
                     distribution around the mean, the logarithm of its standard deviation is {log_std}"
                );
                ("mean", "the mean of the action", meaning)
            }
        };
        let id = spec.id;
        let actor = format!("The actor of {id}: what to do.");
        let mut actor = self.graph("actor", &actor, self.actor(), (output, about));
        actor.note("actions", meaning);
        let critic = format!("The critic of {id}: the discounted return that it expects.");
        let about = ("value", "the discounted sum of the rewards to come, as scaled in training");
        [actor, self.graph("critic", &critic, self.critic(), about)].into()
    }

    fn graph(&self, name: &str, about: &str, mlp: &Mlp, (output, meaning): (&str, &str)) -> Graph {
        let mut graph = Graph::new(name, about);
        let id = self.world().kind().spec().id;
        let shape = [BATCH, Dim::Fixed(self.inputs())];
        let observations = format!("observations of {id}, as Gymnasium gives them");
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
