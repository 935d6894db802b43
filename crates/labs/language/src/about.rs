//! What the language lab says about itself.

use learnery_lab::{About, Better, MetricSpec, Preset};

/// The card of the lab.
pub const ABOUT: About = About {
    id: "language",
    title: "Language",
    tagline: "A small transformer learns to write: from noise to words, to sentences, to stories that make sense.",
    agent: "A decoder-only transformer, of tens of thousands to some million parameters: blocks of causal attention that see \
            what was written so far and guess the next token.",
    goal: "Answer 99 of 100 problems exactly that it never saw; or write stories so well that they cost hardly more bits than \
           the grammar they come from has entropy.",
    picture: "A text as it is being written, and how the same beginning was continued earlier. Type your own beginning, look \
              into any token and see where each head looks, or bring a text of your own.",
    work: "tokens",
    unit: "iteration",
    presets: PRESETS,
    metrics: METRICS,
    charts: &["loss", "exact", "bits", "excess", "gradient", "rate"],
};

const PRESETS: &[Preset] = &[
    Preset { name: "addition", help: "Sums of two-digit numbers: learned within a minute.", settings: "{}" },
    Preset {
        name: "stories",
        help: "Small stories, byte by byte, and a network small enough for a tab.",
        settings: r#"{"source": "stories", "width": 128, "layers": 3, "heads": 4, "batch": 16, "updates": 4, "judge_every": 10,
            "judge_size": 4096, "goal": 20, "optimiser": "muon", "learning_rate": 0.003, "muon_rate": 0.03, "anneal": 4000,
            "echoes": 0.5, "echo_until": 1000}"#,
    },
    Preset {
        name: "a",
        help: "Stories with 3.26 million parameters: a quarter of an hour on two cores.",
        settings: r#"{"source": "stories", "width": 256, "layers": 4, "heads": 8, "batch": 32, "updates": 1, "judge_every": 100,
            "judge_size": 8192, "goal": 10, "optimiser": "muon", "learning_rate": 0.005, "muon_rate": 0.03, "anneal": 2200,
            "echoes": 0.5, "echo_until": 500}"#,
    },
    Preset {
        name: "b",
        help: "Stories in pieces of words, with 12.3 million parameters.",
        settings: r#"{"source": "stories", "tokens": "pairs", "width": 384, "layers": 6, "heads": 6, "batch": 32, "updates": 1,
            "judge_every": 50, "judge_size": 8192, "goal": 10, "optimiser": "muon", "learning_rate": 0.003, "muon_rate": 0.03,
            "anneal": 1800, "echoes": 0.5, "echo_until": 450}"#,
    },
    Preset {
        name: "text",
        help: "A text of your own: stories until you bring it.",
        settings: r#"{"source": "text", "width": 128, "layers": 4, "heads": 4, "batch": 16, "updates": 4, "judge_every": 10,
            "judge_size": 8192, "optimiser": "muon", "learning_rate": 0.003, "muon_rate": 0.03, "anneal": 0}"#,
    },
    Preset {
        name: "addition3",
        help: "Sums of three-digit numbers.",
        settings: r#"{"size": 3, "width": 128, "batch": 256, "judge_size": 2048, "anneal": 2000}"#,
    },
    Preset {
        name: "sort",
        help: "Up to eight letters in the order of the alphabet.",
        settings: r#"{"source": "sort", "size": 8, "anneal": 2000}"#,
    },
    Preset {
        name: "reverse",
        help: "Up to eight letters backwards.",
        settings: r#"{"source": "reverse", "size": 8, "anneal": 2000}"#,
    },
    Preset {
        name: "copy",
        help: "Up to eight letters again.",
        settings: r#"{"source": "copy", "size": 8, "anneal": 2000}"#,
    },
    Preset {
        name: "brackets",
        help: "Closing all brackets that are open.",
        settings: r#"{"source": "brackets", "size": 12, "anneal": 2000}"#,
    },
    Preset {
        name: "modular",
        help: "Sums modulo 97: remembered first, understood later.",
        settings: r#"{"source": "modular", "size": 97, "width": 128, "batch": 64, "optimiser": "adamw", "weight_decay": 1.0,
            "learning_rate": 0.001, "anneal": 0}"#,
    },
    Preset {
        name: "parity",
        help: "Whether the ones are odd in number: hard for attention.",
        settings: r#"{"source": "parity", "size": 8, "anneal": 8000}"#,
    },
];

const METRICS: &[MetricSpec] = &[
    metric(
        "loss",
        "loss",
        "What the text that was just learned from cost: bits for each byte that was asked.",
        "bits",
        Better::Lower,
    ),
    metric("bits", "held-out text", "Bits a byte of text that is never learned from.", "bits", Better::Lower),
    metric(
        "excess",
        "above the entropy",
        "How much more that is than the same stories cost who knows their grammar.",
        "%",
        Better::Lower,
    ),
    metric(
        "exact",
        "exact answers",
        "Problems that are never learned from, answered without a mistake.",
        "%",
        Better::Higher,
    ),
    metric(
        "exactMargin",
        "margin of exact answers",
        "How far off that share may be (two standard deviations).",
        "%",
        Better::Neither,
    ),
    metric("gradient", "gradient", "Length of the gradient before it is shortened.", "", Better::Neither),
    metric("rate", "learning rate", "Learning rate of the next update.", "", Better::Neither),
];

const fn metric(
    name: &'static str,
    label: &'static str,
    help: &'static str,
    unit: &'static str,
    better: Better,
) -> MetricSpec {
    MetricSpec { name, label, help, unit, better }
}
