//! The settings of the language lab. Their doc comments are the help that users read. Also checks limits that
//! the ranges of single settings cannot express.

use learnery_lab::LabError;
use learnery_nn::{Layout, Transformer, TransformerShape};
use learnery_worlds::text::{Exercise, Task};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The maximum number of parameters, which bounds the memory: it is limited in a browser tab. Training needs
/// about six copies of the parameters (weights, packed weights, gradients, optimiser state).
const MAX_PARAMETERS: usize = 32 << 20;
/// The maximum number of tokens in a batch, which bounds its memory.
const MAX_BATCH_TOKENS: usize = 1 << 18;

/// What the network is trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageSource"))]
pub enum Source {
    /// Short stories generated from a grammar whose entropy is known; no story comes twice.
    Stories,
    /// Repeat the letters.
    Copy,
    /// Write the letters in reverse order.
    Reverse,
    /// Sort the letters alphabetically.
    Sort,
    /// Add two numbers.
    Addition,
    /// Add two numbers modulo a third.
    Modular,
    /// Close all open brackets.
    Brackets,
    /// Tell whether the number of ones is odd.
    Parity,
    /// The user's own text; stories until there is one.
    Text,
}

impl Source {
    /// The task with exact answers; `None` for stories and the user's text.
    pub fn task(self) -> Option<Task> {
        Some(match self {
            Self::Stories | Self::Text => return None,
            Self::Copy => Task::Copy,
            Self::Reverse => Task::Reverse,
            Self::Sort => Task::Sort,
            Self::Addition => Task::Addition,
            Self::Modular => Task::ModularAddition,
            Self::Brackets => Task::Brackets,
            Self::Parity => Task::Parity,
        })
    }
}

/// How stories and the user's text are split into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LanguageTokens"))]
pub enum Tokens {
    /// Single bytes.
    Bytes,
    /// The characters that occur in the text.
    Characters,
    /// Byte pair encoding: frequent sequences of bytes, found by merging pairs repeatedly.
    Pairs,
}

/// The optimiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Optimiser {
    /// Adam with decoupled weight decay.
    Adamw,
    /// Orthogonalised momentum for the matrices inside the blocks, AdamW for all other parameters.
    Muon,
}

/// Settings of the network, its training and its evaluation. The doc comments of the fields are the help that
/// people read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageConfig {
    /// Training data: generated stories, a task with exact answers, or a text of your own.
    #[schemars(extend("x-group" = "data"))]
    pub source: Source,
    /// Problem size of a task: digits of each number, most letters or brackets, number of bits, or the
    /// modulus. Up: harder problems. Down: easier problems.
    #[schemars(extend("x-title" = "problem size"))]
    #[schemars(range(min = 1, max = 997))]
    #[schemars(extend(
        "x-group" = "data",
        "x-main" = true,
        "x-applies" = {"source": ["copy", "reverse", "sort", "addition", "modular", "brackets", "parity"]}
    ))]
    pub size: u32,
    /// Order in which the digits of a sum are written. On: from the last digit to the first, the order in
    /// which carrying works. Off: from the first digit, as people write it, which is harder.
    #[schemars(extend("x-title" = "reversed sums"))]
    #[serde(rename = "backwards")]
    #[schemars(extend("x-group" = "data", "x-applies" = {"source": ["addition"]}))]
    pub reversed_sums: bool,
    /// Tokenizer: splits stories and texts into bytes, characters, or byte pairs (BPE). Tasks use the few
    /// characters they need.
    #[schemars(extend("x-group" = "data", "x-applies" = {"source": ["stories", "text"]}))]
    pub tokens: Tokens,
    /// Vocabulary size: how many different tokens byte pair encoding builds. Up: texts are shorter in tokens,
    /// but the network is larger. Down: the network is smaller, but texts are longer in tokens.
    #[schemars(range(min = 257, max = 16_384), extend("x-unit" = "tokens", "x-log" = true))]
    #[schemars(extend(
        "x-group" = "data",
        "x-applies" = {"tokens": ["pairs"], "source": ["stories", "text"]}
    ))]
    pub vocabulary: u32,
    /// Model width: size of the vector that represents each token inside the network. Up: predicts better,
    /// but computes slower. Down: computes faster, but predicts worse.
    #[schemars(range(min = 8, max = 1024), extend("x-log" = true))]
    #[schemars(extend("x-group" = "network", "x-main" = true))]
    pub width: u32,
    /// Transformer blocks, each an attention layer followed by an MLP (layers of neurons). Up: predicts
    /// better, but computes slower. Down: computes faster, but predicts worse.
    #[schemars(range(min = 1, max = 24), extend("x-unit" = "blocks"))]
    #[schemars(extend("x-group" = "network", "x-main" = true))]
    pub layers: u32,
    /// Attention heads of each block, which share the width equally. Up: looks at more places at once, each
    /// in less detail. Down: looks at fewer places, each in more detail.
    #[schemars(range(min = 1, max = 32), extend("x-unit" = "heads"))]
    #[schemars(extend("x-group" = "network"))]
    pub heads: u32,
    /// Rotary position embeddings: how attention knows the places of tokens. On: it sees how far apart two
    /// tokens are and which came first. Off: it sees only where each token stands.
    #[schemars(extend("x-group" = "network"))]
    pub rotary: bool,
    /// Context length: how many tokens of a story or text the network sees at once. A task's context is its
    /// longest problem. Up: sees further back, but computes slower. Down: computes faster, but forgets
    /// sooner.
    #[schemars(extend("x-title" = "context length"))]
    #[schemars(range(min = 8, max = 1024), extend("x-unit" = "tokens", "x-log" = true))]
    #[schemars(extend("x-group" = "network", "x-main" = true, "x-applies" = {"source": ["stories", "text"]}))]
    pub length: u32,
    /// Batch size: sequences in each update. Up: the loss falls more smoothly, but updates take longer. Down:
    /// updates are quicker, but the loss jumps more.
    #[schemars(range(min = 1, max = 1024), extend("x-unit" = "sequences", "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub batch: u32,
    /// Updates in each iteration. Up: longer iterations, so the numbers on the page change less often. Down:
    /// shorter iterations, so they change more often.
    #[schemars(range(min = 1, max = 1000), extend("x-live" = true, "x-unit" = "updates", "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub updates: u32,
    /// Repeated segments: fraction of the first sequences that repeat their own beginning.
    /// Up: teaches copying earlier (induction heads), but shows less new text. Down: shows more new text.
    #[schemars(extend("x-title" = "repeated segments"))]
    #[serde(rename = "echoes")]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "data", "x-applies" = {"source": ["stories", "text"]}))]
    pub repeat_fraction: f64,
    /// Updates over which the fraction of repeated segments falls evenly to zero. Up: keeps them for longer.
    /// Down: ends them sooner.
    #[schemars(extend("x-title" = "repeat until"))]
    #[serde(rename = "echo_until")]
    #[schemars(range(min = 0, max = 10_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    #[schemars(extend("x-group" = "data", "x-applies" = {"source": ["stories", "text"]}))]
    pub repeat_updates: u32,
    /// Optimiser, the rule that turns gradients into updates. AdamW moves each parameter by a step of its own,
    /// the smaller the larger its gradients have been. Muon moves a matrix of weights as a whole, equally far
    /// in all its directions; it moves the matrices inside the blocks, and AdamW the rest.
    #[schemars(extend("x-group" = "learning"))]
    pub optimiser: Optimiser,
    /// Learning rate of AdamW: how far each update moves a parameter. Up: the loss falls faster, but without
    /// Muon, too high a rate undoes what was learned. Down: it falls more slowly and steadily; 0 leaves these
    /// parameters as they are.
    #[schemars(range(min = 0.0, max = 0.1), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true))]
    pub learning_rate: f64,
    /// Learning rate of Muon: how far each update moves the matrices inside the blocks. Up: the loss falls
    /// faster, but too high a rate undoes what was learned. Down: it falls more slowly and steadily; 0 leaves
    /// these matrices as they are.
    #[schemars(extend("x-title" = "Muon rate"))]
    #[schemars(range(min = 0.0, max = 0.5), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning", "x-main" = true, "x-applies" = {"optimiser": ["muon"]}))]
    pub muon_rate: f64,
    /// Warm-up: updates over which the learning rates rise evenly to their full value. Up: starts more
    /// gently. Down: starts faster, but may be unstable at first.
    #[schemars(extend("x-title" = "warm-up"))]
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "updates"))]
    #[schemars(extend("x-group" = "learning"))]
    pub warm_up: u32,
    /// Annealing: updates after which the learning rates have fallen along half a cosine to a twentieth; 0
    /// keeps them constant. Up: ends better, but later. Down: ends sooner, perhaps before enough is learned.
    #[schemars(extend("x-title" = "annealing"))]
    #[schemars(range(min = 0, max = 10_000_000), extend("x-live" = true, "x-unit" = "updates"))]
    #[schemars(extend("x-group" = "learning"))]
    pub anneal: u32,
    /// Weight decay: each update shrinks every matrix by this fraction times the learning rate. Up: keeps the
    /// weights smaller, against learning the text by heart (overfitting). Down: fits the text more closely,
    /// but may learn it by heart.
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-group" = "learning"))]
    pub weight_decay: f64,
    /// Gradient clipping: a gradient that is longer than this (by its norm) is scaled down to this length.
    /// Up: one unusual batch can change more. Down: no batch changes much at once.
    #[schemars(extend("x-title" = "gradient clipping"))]
    #[schemars(range(min = 0.001, max = 1000.0), extend("x-live" = true, "x-log" = true))]
    #[schemars(extend("x-group" = "learning"))]
    pub clip: f64,
    /// Iterations between two evaluations on held-out data; 0 never evaluates. Up: training is faster, but
    /// progress shows later. Down: progress shows more often, but training is slower.
    #[schemars(extend("x-title" = "eval every"))]
    #[serde(rename = "judge_every")]
    #[schemars(range(min = 0, max = 100_000), extend("x-live" = true, "x-unit" = "iterations"))]
    #[schemars(extend("x-group" = "measuring"))]
    pub evaluate_every: u32,
    /// Evaluation size: bytes of held-out text, or problems of a task. Up: measures more precisely, but takes
    /// longer. Down: quicker, but luck counts more.
    #[schemars(extend("x-title" = "eval size"))]
    #[serde(rename = "judge_size")]
    #[schemars(range(min = 16, max = 1_000_000), extend("x-log" = true))]
    #[schemars(extend("x-group" = "measuring"))]
    pub evaluation_size: u32,
    /// Goal: the percentage of problems answered exactly, or for stories, how many percent the bits per byte
    /// may lie above the entropy. Up: harder for tasks, easier for stories. Down: easier for tasks, harder
    /// for stories.
    #[schemars(range(min = 0.0, max = 100.0), extend("x-unit" = "%"))]
    #[schemars(extend("x-group" = "measuring"))]
    pub goal: f64,
}

impl Default for LanguageConfig {
    fn default() -> Self {
        Self {
            source: Source::Addition,
            size: 2,
            reversed_sums: false,
            tokens: Tokens::Bytes,
            vocabulary: 4096,
            width: 64,
            layers: 2,
            heads: 4,
            rotary: true,
            length: 128,
            batch: 128,
            updates: 10,
            repeat_fraction: 0.0,
            repeat_updates: 500,
            optimiser: Optimiser::Muon,
            learning_rate: 4e-3,
            muon_rate: 0.02,
            warm_up: 20,
            anneal: 800,
            weight_decay: 0.1,
            clip: 1.0,
            evaluate_every: 5,
            evaluation_size: 512,
            goal: 99.0,
        }
    }
}

impl LanguageConfig {
    /// The task with its size; `None` for stories and texts.
    pub fn exercise(&self) -> Result<Option<Exercise>, LabError> {
        let new = |task| {
            Exercise::new(task, self.size, self.reversed_sums)
                .map_err(|e| LabError::setting("size", e.to_string()))
        };
        self.source.task().map(new).transpose()
    }

    /// Context length: the number of tokens in a training sequence, and the maximum number that the network
    /// can attend to.
    pub fn context(&self) -> Result<usize, LabError> {
        Ok(match self.exercise()? {
            // The last character of a problem is a target, but never an input.
            Some(exercise) => exercise.max_length() - 1,
            None => self.length as usize,
        })
    }

    /// The network's shape with a vocabulary of `vocabulary` tokens.
    pub fn shape(&self, vocabulary: usize) -> Result<TransformerShape, LabError> {
        Ok(TransformerShape {
            vocabulary,
            context: self.context()?,
            width: self.width as usize,
            layers: self.layers as usize,
            heads: self.heads as usize,
            rotary: self.rotary,
        })
    }

    /// About how many parameters the network has. Its vocabulary may depend on a text that the settings do
    /// not contain.
    pub fn parameters(&self) -> Result<usize, LabError> {
        // Bytes are 256 tokens. Characters are about as many or fewer, so they count the same here.
        let shape = self.shape(if self.tokens == Tokens::Pairs { self.vocabulary as usize } else { 256 })?;
        let mut layout = Layout::default();
        Transformer::new(&mut layout, "transformer", &shape);
        Ok(layout.len())
    }

    /// Rejects settings that are each within their range but contradict each other, or together need too much
    /// memory.
    pub fn check(&self) -> Result<(), LabError> {
        let Self { width, heads, .. } = *self;
        if !width.is_multiple_of(heads) {
            let message = format!("{heads} heads cannot share a width of {width} equally");
            return Err(LabError::setting("heads", message));
        }
        let parameters = self.parameters()?;
        if parameters > MAX_PARAMETERS {
            let message =
                format!("the network would have {parameters} parameters; the limit is {MAX_PARAMETERS}");
            return Err(LabError::setting("width", message));
        }
        let tokens = self.batch as usize * self.context()?;
        if tokens > MAX_BATCH_TOKENS {
            let message =
                format!("there would be {tokens} tokens in a batch; the limit is {MAX_BATCH_TOKENS}");
            return Err(LabError::setting("batch", message));
        }
        Ok(())
    }
}
