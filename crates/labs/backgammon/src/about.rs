//! What the backgammon lab says about itself.

use learnery_lab::{About, Better, MetricSpec, Preset};

/// The card of the lab.
pub const ABOUT: About = About {
    id: "backgammon",
    title: "Backgammon",
    tagline: "It plays against itself until it plays well: dice, races, gammons and all.",
    agent: "A small network that says of a position how often it is won, won or lost as a gammon, as a backgammon. It \
            plays whatever leaves its opponent least.",
    goal: "Win half a point a game from pubeval, the public benchmark player, without the cube. Strength is measured as \
           it learns: the same throws for both players, the seats swapped.",
    picture: "A board on which it plays, against itself or against you, with what it thinks of every play. Arrows are where a \
              small search looks, the wider the more often.",
    work: "positions",
    unit: "round",
    presets: &[
        Preset { name: "standard", help: "Plays better than pubeval within minutes.", settings: "{}" },
        Preset {
            name: "strong",
            help: "A larger network for hours: as strong as this way of learning gets.",
            settings: STRONG,
        },
        Preset {
            name: "small",
            help: "A small network, which a browser without threads trains in its sleep.",
            settings: r#"{"games": 64, "hidden": 64, "second": 16, "race": 16, "batch": 256}"#,
        },
        Preset {
            name: "alphazero",
            help: "Learns from searches of a hundred positions a turn, which its own network guides.",
            settings: ALPHAZERO,
        },
        Preset {
            name: "tournament",
            help: "The same with tournaments of plays in place of noise, and an eye on what came next: it learns sooner.",
            settings: TOURNAMENT,
        },
        Preset {
            name: "patient",
            help: "Learns from the ends of games alone: watch how much longer that takes.",
            settings: r#"{"lambda": 1.0}"#,
        },
    ],
    metrics: METRICS,
    charts: &["points", "loss", "surprise", "gammons", "length"],
};

const STRONG: &str = r#"{"hidden": 256, "second": 48, "games": 512, "lambda": 0.4, "learning_rate": 0.003, "replay": 262144,
"eval_every": 200, "eval_games": 2000}"#;

/// The system whose network this is was trained with these.
const ALPHAZERO: &str = r#"{"learner": "alphazero", "games": 128, "horizon": 24, "lambda": 1.0, "batch": 256, "reuse": 1.0,
"learning_rate": 0.001, "replay": 100000, "eval_every": 20, "eval_games": 100}"#;

const TOURNAMENT: &str = r#"{"learner": "alphazero", "games": 128, "horizon": 24, "lambda": 0.9, "batch": 256, "reuse": 2.0,
"learning_rate": 0.002, "replay": 100000, "eval_every": 20, "eval_games": 100, "dirichlet_alpha": 0.0, "temperature": 0.0}"#;

const METRICS: &[MetricSpec] = &[
    metric(
        "points",
        "against pubeval",
        "Points a game won from pubeval, without looking ahead.",
        "points",
        Better::Higher,
    ),
    metric("margin", "margin", "Within which the true figure lies 95 times of 100.", "points", Better::Lower),
    metric("wins", "games won", "Share of the games against pubeval that it won.", "", Better::Higher),
    metric("loss", "loss", "Cross-entropy of the five chances.", "nats", Better::Lower),
    metric(
        "surprise",
        "surprise",
        "How far what it thinks of a position is from what comes of it, in the root mean square.",
        "points",
        Better::Lower,
    ),
    metric("games", "games", "Games against itself that ended in this round.", "", Better::Neither),
    metric("gammons", "gammons", "Share of those that ended with a gammon or more.", "", Better::Neither),
    metric("length", "length", "Turns of those, up to where the rest is known.", "turns", Better::Neither),
    metric(
        "policyLoss",
        "policy loss",
        "How far AlphaZero's policy is from what its searches find.",
        "nats",
        Better::Lower,
    ),
    metric("entropy", "entropy", "How undecided AlphaZero's policy is.", "nats", Better::Neither),
    metric("gradNorm", "gradient", "Length of the gradient.", "", Better::Neither),
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
