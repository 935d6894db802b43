//! The transformer as graphs (for ONNX files) that other programs can run: without and with a KV cache, which
//! holds the keys and values of earlier tokens.

use learnery_nn::graph::{Cache, Graph};

use super::network::Network;

impl Network {
    /// The graphs `network` and `network_with_cache`.
    pub fn graphs(&self) -> Vec<Graph> {
        let whole =
            Graph::new("network", "A transformer: the logits of the token after each token of a text.");
        let cached = Graph::new(
            "network_with_cache",
            "The same transformer, which takes the keys and values of the tokens before, and gives those of all tokens.",
        );
        let graphs = [(whole, Cache::Without), (cached, Cache::With)];
        graphs.into_iter().map(|(graph, cache)| self.complete(graph, cache)).collect()
    }

    /// Adds the transformer to a graph, and notes that say how to use it.
    fn complete(&self, mut graph: Graph, cache: Cache) -> Graph {
        graph.transformer(&self.net, &self.weights, self.tokenizer.len(), cache);
        graph
            .note("context", format!("at most {} tokens, with those of the cache", self.net.shape().context));
        // Writing plain data as JSON cannot fail.
        graph.note("tokenizer", serde_json::to_string(&self.tokenizer).unwrap_or_default());
        if let Some(end) = self.end_of_answer() {
            graph.note("end of an answer", format!("token {end}"));
        }
        graph
    }
}
