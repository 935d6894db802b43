//! The lab's texts, presets and metrics, as people read them on the page and in the terminal.

use learnery_lab::{About, Better, MetricSpec, Preset};

pub const ABOUT: About = About {
    id: "language",
    title: "Language",
    tagline: "A small transformer (a language model) learns to add numbers, sort letters or write stories by predicting what comes next.",
    agent: "A decoder-only transformer with tens of thousands to millions of parameters: blocks of causal attention read \
            what has been written so far and predict the next token.",
    goal: "Answer 99 of 100 problems exactly, none of which it was trained on; or predict new stories nearly as well as their \
           entropy, the theoretical limit, allows.",
    picture: "In a task, each square is a problem that it is never trained on, green if its answer is right. Below, it \
              continues a prompt, now and after earlier iterations. Press a token to see what it predicts next, and what \
              each attention head attends to.",
    work: "tokens",
    unit: "iteration",
    presets: PRESETS,
    metrics: METRICS,
    charts: &["loss", "exact", "bits", "excess", "gradient", "rate"],
};

const PRESETS: &[Preset] = &[
    Preset {
        name: "addition",
        title: "Addition, two digits",
        help: "Sums of two-digit numbers, learned within a minute.",
        settings: "{}",
    },
    Preset {
        name: "stories",
        title: "Stories, small model",
        help: "Stories byte by byte, with a model small enough for a browser tab.",
        settings: r#"{"source": "stories", "width": 128, "layers": 3, "heads": 4, "batch": 16, "updates": 4, "judge_every": 10,
            "judge_size": 4096, "goal": 20, "optimiser": "muon", "learning_rate": 0.003, "muon_rate": 0.03, "anneal": 4000,
            "echoes": 0.5, "echo_until": 1000}"#,
    },
    Preset {
        name: "a",
        title: "Stories, 3 million parameters",
        help: "Stories byte by byte, with 3.26 million parameters; a quarter of an hour on two cores.",
        settings: r#"{"source": "stories", "width": 256, "layers": 4, "heads": 8, "batch": 32, "updates": 1, "judge_every": 100,
            "judge_size": 8192, "goal": 10, "optimiser": "muon", "learning_rate": 0.005, "muon_rate": 0.03, "anneal": 2200,
            "echoes": 0.5, "echo_until": 500}"#,
    },
    Preset {
        name: "b",
        title: "Stories, 12 million parameters",
        help: "12.3 million parameters, and word pieces as tokens (byte pair encoding).",
        settings: r#"{"source": "stories", "tokens": "pairs", "width": 384, "layers": 6, "heads": 6, "batch": 32, "updates": 1,
            "judge_every": 50, "judge_size": 8192, "goal": 10, "optimiser": "muon", "learning_rate": 0.003, "muon_rate": 0.03,
            "anneal": 1800, "echoes": 0.5, "echo_until": 450}"#,
    },
    Preset {
        name: "gpu",
        title: "Stories, 24 million parameters",
        help: "For a GPU: 24 million parameters and a context of 512 tokens; too slow without a GPU.",
        settings: r#"{"source": "stories", "tokens": "pairs", "width": 512, "layers": 7, "heads": 8, "length": 512, "batch": 32,
            "updates": 1, "judge_every": 50, "judge_size": 8192, "goal": 10, "optimiser": "muon", "learning_rate": 0.003,
            "muon_rate": 0.03, "anneal": 3000, "echoes": 0.5, "echo_until": 450}"#,
    },
    Preset {
        name: "text",
        title: "Your own text",
        help: "Learns to write like a text you bring; stories until you do.",
        settings: r#"{"source": "text", "width": 128, "layers": 4, "heads": 4, "batch": 16, "updates": 4, "judge_every": 10,
            "judge_size": 8192, "optimiser": "muon", "learning_rate": 0.003, "muon_rate": 0.03, "anneal": 0}"#,
    },
    Preset {
        name: "addition3",
        title: "Addition, three digits",
        help: "Sums of three-digit numbers, with a wider model and larger batches.",
        settings: r#"{"size": 3, "width": 128, "batch": 256, "judge_size": 2048, "anneal": 2000}"#,
    },
    Preset {
        name: "sort",
        title: "Sort letters",
        help: "Up to eight letters, put in alphabetical order.",
        settings: r#"{"source": "sort", "size": 8, "anneal": 2000}"#,
    },
    Preset {
        name: "reverse",
        title: "Reverse letters",
        help: "Up to eight letters, written backwards.",
        settings: r#"{"source": "reverse", "size": 8, "anneal": 2000}"#,
    },
    Preset {
        name: "copy",
        title: "Copy letters",
        help: "Up to eight letters, repeated.",
        settings: r#"{"source": "copy", "size": 8, "anneal": 2000}"#,
    },
    Preset {
        name: "brackets",
        title: "Close brackets",
        help: "Up to twelve brackets; it closes all that are still open.",
        settings: r#"{"source": "brackets", "size": 12, "anneal": 2000}"#,
    },
    Preset {
        name: "modular",
        title: "Modular addition",
        help: "Sums modulo 97, known for grokking: the network memorises first and generalises much later.",
        settings: r#"{"source": "modular", "size": 97, "width": 128, "batch": 64, "optimiser": "adamw", "weight_decay": 1.0,
            "learning_rate": 0.001, "anneal": 0}"#,
    },
    Preset {
        name: "parity",
        title: "Parity",
        help: "Whether the number of ones is odd: hard for attention.",
        settings: r#"{"source": "parity", "size": 8, "anneal": 8000}"#,
    },
];

const METRICS: &[MetricSpec] = &[
    metric(
        "loss",
        "training loss",
        "How badly it predicts the text that it trains on: the bits per byte (mostly a letter) that the text would take if it were compressed with its predictions (cross-entropy). With 0 it would be certain of each byte and right; without compression it is 8. In tasks, such as adding, only the answers count.",
        "bits",
        Better::Lower,
    ),
    metric(
        "bits",
        "held-out loss",
        "Evaluation: how badly it predicts text that it never trains on: the bits per byte (mostly a letter) that the text would take if it were compressed with its predictions (cross-entropy). Without compression it is 8.",
        "bits",
        Better::Lower,
    ),
    metric(
        "excess",
        "loss above the entropy",
        "Evaluation: how many percent more bits new stories take, compressed with its predictions, than with those of the best possible predictor (the stories' entropy).",
        "%",
        Better::Lower,
    ),
    metric(
        "exact",
        "exact answers",
        "Evaluation: percentage of problems it is never trained on that are answered without a mistake.",
        "%",
        Better::Higher,
    ),
    metric(
        "exactMargin",
        "margin of error (95%)",
        "How exact the percentage of exact answers is: in 95 of 100 such evaluations, the true one is at most this far from the measured one (two standard deviations).",
        "%",
        Better::Neither,
    ),
    metric(
        "gradient",
        "gradient norm",
        "How large a change the loss asks for (norm of the gradient), before it is limited: the mean over the updates of this iteration.",
        "",
        Better::Neither,
    ),
    metric(
        "rate",
        "learning rate",
        "AdamW's learning rate: about how far the next update moves a parameter. Muon has its own.",
        "",
        Better::Neither,
    ),
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
