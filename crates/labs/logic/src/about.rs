//! What the logic lab says about itself.

use learnery_lab::{About, Better, MetricSpec, Preset};

/// The card of the lab.
pub const ABOUT: About = About {
    id: "logic",
    title: "Logic",
    tagline: "Cells made of logic gates that learn which gates to be, until together they grow a picture.",
    agent: "One circuit of a few thousand two-input gates, the same in every cell. While it learns, a gate is a mixture of all \
            sixteen kinds; decided, it is the likeliest of them, and a cell is pure logic.",
    goal: "Grow exactly what is asked for with every gate decided: the game of life in all its neighbourhoods, a checkerboard \
           from any start and on a larger grid, the same healed after a wound, a figure, a coloured letter. Three proofs in a \
           row must hold.",
    picture: "The same grid twice, with undecided gates and with decided ones. Wound it, let it grow larger, draw what it is to \
              become; and look into the circuit of one cell.",
    work: "cell steps",
    unit: "iteration",
    presets: PRESETS,
    metrics: METRICS,
    charts: &["proof", "softError", "hardError", "gap", "changed", "decided"],
};

const PRESETS: &[Preset] = &[
    Preset {
        name: "checkerboard",
        help: "A checkerboard out of random cells: the first to watch.",
        settings: "{}",
    },
    Preset {
        name: "life",
        help: "The rule of the game of life, 57 of its 512 neighbourhoods an epoch.",
        settings: r#"{"experiment": "life", "batch": 57, "steps": 1, "epochs": 20, "certainty": 10.0,
            "scatter": 0.5, "decided": 0.5, "settle_below": 0.002, "mend": 0, "anew_after": 2000, "looks": "alike"}"#,
    },
    Preset {
        name: "async",
        help: "The checkerboard where every cell acts when it likes: it heals.",
        settings: r#"{"experiment": "async", "batch": 1, "steps": 50, "fire_rate": 0.6, "prove_every": 2,
            "decided": 0.5, "settle_below": 0.002, "mend": 0, "anew_after": 300}"#,
    },
    Preset {
        name: "figure",
        help: "A figure out of a single cell.",
        settings: r#"{"experiment": "figure", "batch": 1, "steps": 12, "epochs": 5, "certainty": 10.0, "settle_below": 0.002, "mend": 0,
            "weight_decay": 0.03, "anew_after": 600}"#,
    },
    Preset {
        name: "letter",
        help: "A coloured letter out of nothing.",
        settings: r#"{"experiment": "letter", "batch": 1, "steps": 15, "epochs": 5, "decided": 0.5, "settle_below": 0.002, "mend": 0,
            "anew_after": 1500}"#,
    },
    Preset {
        name: "life-published",
        help: "Life as it was published: 20 examples an epoch, and no gate decided before the end.",
        settings: r#"{"experiment": "life", "batch": 20, "steps": 1, "epochs": 20, "learning_rate": 0.05,
            "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
    Preset {
        name: "checkerboard-published",
        help: "The checkerboard as it was published: no gate decided before the end.",
        settings: r#"{"learning_rate": 0.05, "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
    Preset {
        name: "async-published",
        help: "The checkerboard of sleepy cells as it was published: no gate decided before the end.",
        settings: r#"{"experiment": "async", "batch": 1, "steps": 50, "fire_rate": 0.6, "prove_every": 2,
            "learning_rate": 0.05, "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
    Preset {
        name: "figure-published",
        help: "The figure as it was published: no gate decided before the end.",
        settings: r#"{"experiment": "figure", "batch": 1, "steps": 12, "epochs": 5,
            "learning_rate": 0.06, "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
    Preset {
        name: "letter-published",
        help: "The letter as it was published: no gate decided before the end.",
        settings: r#"{"experiment": "letter", "batch": 1, "steps": 15, "epochs": 5,
            "learning_rate": 0.06, "certainty": 10.0, "decided": 0.0, "settle": 0.0, "mend": 0, "anew_after": 0, "looks": "alike"}"#,
    },
];

const METRICS: &[MetricSpec] = &[
    metric(
        "proof",
        "proof",
        "Cells that are right with every gate decided, from starts it did not learn from, in the worst of the last proofs.",
        "%",
        Better::Higher,
    ),
    metric(
        "softError",
        "soft error",
        "Mean squared error of a shown cell: what it learns by.",
        "",
        Better::Lower,
    ),
    metric(
        "hardError",
        "hard error",
        "Share of shown cells that are wrong with every gate decided.",
        "",
        Better::Lower,
    ),
    metric(
        "gap",
        "discretisation gap",
        "What deciding the gates costs: hard error less soft error.",
        "",
        Better::Lower,
    ),
    metric("changed", "gates at work", "Gates that are no longer a mere wire.", "gates", Better::Neither),
    metric(
        "decided",
        "decided",
        "Gates that are decided while the others learn, drawn anew for every epoch.",
        "%",
        Better::Neither,
    ),
    metric(
        "mended",
        "mended",
        "Gates that were made another kind, one after the other, because fewer cells were wrong then.",
        "gates",
        Better::Neither,
    ),
    metric(
        "attempt",
        "attempt",
        "How many times it has begun with fresh gates and wires, having got nowhere for long.",
        "",
        Better::Neither,
    ),
    metric("wrong", "wrong cells", "Cells a grid that were wrong in the last proof.", "cells", Better::Lower),
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
