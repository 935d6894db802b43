//! The texts, presets and metrics of the logic lab.

use learnery_lab::{About, Better, MetricSpec, Preset};

pub const ABOUT: About = About {
    id: "logic",
    title: "Logic",
    tagline: "Every cell runs the same circuit of logic gates. Training chooses the gates, until the cells grow a picture together.",
    agent: "A differentiable logic cellular automaton: a grid of cells that all run one circuit of a few thousand \
            logic gates. In training the gates are soft: each is a mixture of all sixteen logic functions, and \
            training changes the weights of the mixture. In the end they are hard: each computes only its most likely \
            function, and the cells work with bits alone. The hard circuit is the one that is tested and exported.",
    goal: "No wrong cell with hard gates, in three tests in a row. The tasks: the game of life in all 512 \
            neighbourhoods; a checkerboard from new random cells and on a larger grid, or repaired after damage; a \
            figure; a coloured letter.",
    picture: "The same grid twice, with soft gates and with hard gates. One square is one cell; if there is a target, a \
            dot marks a wrong one. Damage it, enlarge it, draw a target of your own, and inspect the circuit of one cell.",
    work: "cell steps",
    unit: "iteration",
    presets: PRESETS,
    metrics: METRICS,
    charts: &["proof", "softError", "hardError", "gap", "changed", "decided"],
};

const PRESETS: &[Preset] = &[
    Preset {
        name: "checkerboard",
        title: "Checkerboard",
        help: "A checkerboard from random cells. Learned fastest.",
        settings: "{}",
    },
    Preset {
        name: "life",
        title: "Game of life",
        help: "The rule of Conway's game of life, from 57 of its 512 neighbourhoods in each update.",
        settings: r#"{"experiment": "life", "batch": 57, "steps": 1, "epochs": 20, "certainty": 10.0,
            "scatter": 0.5, "decided": 0.5, "settle_below": 0.002, "mend": 0, "anew_after": 2000, "looks": "alike"}"#,
    },
    Preset {
        name: "async",
        title: "Asynchronous checkerboard",
        help: "A checkerboard whose cells act at random times. It repairs damage.",
        settings: r#"{"experiment": "async", "batch": 1, "steps": 50, "fire_rate": 0.6, "prove_every": 2,
            "decided": 0.5, "settle_below": 0.002, "mend": 0, "anew_after": 300}"#,
    },
    Preset {
        name: "figure",
        title: "Figure",
        help: "A gecko that grows from a single cell.",
        settings: r#"{"experiment": "figure", "batch": 1, "steps": 12, "epochs": 5, "certainty": 10.0, "settle_below": 0.002, "mend": 0,
            "weight_decay": 0.03, "anew_after": 600}"#,
    },
    Preset {
        name: "letter",
        title: "Coloured letter",
        help: "A coloured letter that grows from an empty grid.",
        settings: r#"{"experiment": "letter", "batch": 1, "steps": 15, "epochs": 5, "decided": 0.5, "settle_below": 0.002, "mend": 0,
            "anew_after": 1500}"#,
    },
    Preset {
        name: "life-published",
        title: "Game of life, as published",
        help: "Settings of the paper (Miotti et al., 2025): 20 neighbourhoods in each update, and all gates soft until the end.",
        settings: r#"{"experiment": "life", "batch": 20, "steps": 1, "epochs": 20, "learning_rate": 0.05,
            "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
    Preset {
        name: "checkerboard-published",
        title: "Checkerboard, as published",
        help: "Settings of the paper (Miotti et al., 2025): all gates are soft until the end.",
        settings: r#"{"learning_rate": 0.05, "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
    Preset {
        name: "async-published",
        title: "Asynchronous checkerboard, as published",
        help: "Settings of the paper (Miotti et al., 2025): all gates are soft until the end.",
        settings: r#"{"experiment": "async", "batch": 1, "steps": 50, "fire_rate": 0.6, "prove_every": 2,
            "learning_rate": 0.05, "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
    Preset {
        name: "figure-published",
        title: "Figure, as published",
        help: "Settings of the paper (Miotti et al., 2025): all gates are soft until the end.",
        settings: r#"{"experiment": "figure", "batch": 1, "steps": 12, "epochs": 5,
            "learning_rate": 0.06, "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
    Preset {
        name: "letter-published",
        title: "Coloured letter, as published",
        help: "Settings of the paper (Miotti et al., 2025): all gates are soft until the end.",
        settings: r#"{"experiment": "letter", "batch": 1, "steps": 15, "epochs": 5,
            "learning_rate": 0.06, "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
];

const METRICS: &[MetricSpec] = &[
    metric(
        "proof",
        "correct cells",
        "Share of the cells that are correct with hard gates in a test (evaluation), where checkerboards start from new random cells. Shown is the worst part of the last tests.",
        "%",
        Better::Higher,
    ),
    metric(
        "softError",
        "soft error",
        "How far the soft gates are from the target: mean squared error of the visible cells, on the training grids, from 0 (best) to 1. Unlike the hard error it counts how wrong a cell is, not only whether. Training makes it smaller.",
        "",
        Better::Lower,
    ),
    metric(
        "hardError",
        "hard error",
        "Share of the visible cells that are wrong with hard gates, on the training grids, from 0 (best) to 1: each cell is 0 or 1, so this is their mean squared error too.",
        "",
        Better::Lower,
    ),
    metric(
        "gap",
        "discretisation gap",
        "How much worse the circuit does the task once each gate is one fixed function (hard) and no longer a mixture of several (soft): hard error minus soft error.",
        "",
        Better::Lower,
    ),
    metric(
        "changed",
        "changed gates",
        "How many gates training has changed. At the start every gate is a plain wire, which passes one of its inputs on. A gate counts as changed once another function is its most likely one.",
        "gates",
        Better::Neither,
    ),
    metric(
        "decided",
        "hard gates in training",
        "Share of the gates that already act as one fixed function (hard) while the others learn as mixtures (soft). They are drawn anew in every update, so that gates learn to work beside fixed ones (quantization noise).",
        "%",
        Better::Neither,
    ),
    metric(
        "mended",
        "gates changed by local search",
        "Gates whose kind local search (hill climbing) changed, because fewer cells were wrong afterwards.",
        "gates",
        Better::Neither,
    ),
    metric(
        "attempt",
        "attempt",
        "The current attempt. Training without progress restarts with new random gates and wires.",
        "",
        Better::Neither,
    ),
    metric(
        "wrong",
        "wrong cells",
        "Cells that were wrong in the last test, in all its parts together.",
        "cells",
        Better::Lower,
    ),
    metric(
        "tested",
        "tested cells",
        "Cells that were tested in the last test, in all its parts together; of the letter, each colour channel counts.",
        "cells",
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
