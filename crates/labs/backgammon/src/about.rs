//! The texts of the backgammon lab: its card, presets and metrics.

use learnery_lab::{About, Better, MetricSpec, Preset};

pub const ABOUT: About = About {
    id: "backgammon",
    title: "Backgammon",
    tagline: "It learns backgammon by playing against itself, gammons included.",
    agent: "A small network that estimates the chances to win or lose a position: a single game, a gammon or a backgammon. \
            It makes the play that leaves its opponent the worst position.",
    goal: "Win half a point a game from pubeval, the public benchmark player, without the doubling cube. Its strength is \
           measured while it learns, in pairs of games with the same dice and the seats swapped.",
    picture: "A board on which it plays against itself or against you, with its value of every play. Arrows show where a \
              small tree search looks; a wider arrow means more visits.",
    work: "positions",
    unit: "round",
    presets: &[
        Preset {
            name: "standard",
            title: "Beat pubeval",
            help: "Beats pubeval after a few minutes of training.",
            settings: "{}",
        },
        Preset {
            name: "strong",
            title: "Play for strength",
            help: "A larger network, to be trained for hours: the strongest that TD learning gets here.",
            settings: STRONG,
        },
        Preset {
            name: "small",
            title: "A small network",
            help: "A small network that trains quickly even in a browser without threads.",
            settings: r#"{"games": 64, "hidden": 64, "second": 16, "race": 16, "batch": 256}"#,
        },
        Preset {
            name: "alphazero",
            title: "AlphaZero",
            help: "AlphaZero: learns from tree searches of a hundred positions a turn, guided by its own network.",
            settings: ALPHAZERO,
        },
        Preset {
            name: "tournament",
            title: "Gumbel AlphaZero",
            help: "AlphaZero with Gumbel sampling and sequential halving instead of noise, and lambda 0.9: it learns faster.",
            settings: TOURNAMENT,
        },
        Preset {
            name: "patient",
            title: "Wait for the end",
            help: "Learns from the ends of games only (lambda 1). See how much longer that takes.",
            settings: r#"{"lambda": 1.0}"#,
        },
    ],
    metrics: METRICS,
    charts: &["points", "loss", "surprise", "gammons", "length"],
};

const STRONG: &str = r#"{"hidden": 256, "second": 48, "games": 512, "lambda": 0.4, "learning_rate": 0.003, "replay": 262144,
"eval_every": 200, "eval_games": 2000}"#;

/// The settings with which fcresnet, the network's architecture, was trained elsewhere.
const ALPHAZERO: &str = r#"{"learner": "alphazero", "games": 128, "horizon": 24, "lambda": 1.0, "batch": 256, "reuse": 1.0,
"learning_rate": 0.001, "replay": 100000, "eval_every": 20, "eval_games": 100}"#;

const TOURNAMENT: &str = r#"{"learner": "alphazero", "games": 128, "horizon": 24, "lambda": 0.9, "batch": 256, "reuse": 2.0,
"learning_rate": 0.002, "replay": 100000, "eval_every": 20, "eval_games": 100, "dirichlet_alpha": 0.0, "temperature": 0.0}"#;

const METRICS: &[MetricSpec] = &[
    metric(
        "points",
        "against pubeval",
        "Points won per game against pubeval, without lookahead.",
        "points",
        Better::Higher,
    ),
    metric(
        "margin",
        "margin",
        "Half the width of the 95 % confidence interval of the points.",
        "points",
        Better::Lower,
    ),
    metric("wins", "games won", "Fraction of the games against pubeval that it won.", "", Better::Higher),
    metric("loss", "loss", "Cross-entropy of the five outcome probabilities.", "nats", Better::Lower),
    metric(
        "surprise",
        "surprise",
        "TD error: root mean square difference between its value of a position and the target it learns.",
        "points",
        Better::Lower,
    ),
    metric("games", "games", "Self-play games that ended in this round.", "", Better::Neither),
    metric(
        "gammons",
        "gammons",
        "Fraction of these games that ended in a gammon or a backgammon.",
        "",
        Better::Neither,
    ),
    metric(
        "length",
        "length",
        "Mean length of these games. TD stops a game once both sides bear off, where the value is known exactly.",
        "turns",
        Better::Neither,
    ),
    metric(
        "policyLoss",
        "policy loss",
        "Relative entropy between the visits of AlphaZero's searches and its policy.",
        "nats",
        Better::Lower,
    ),
    metric(
        "entropy",
        "entropy",
        "Entropy of AlphaZero's policy: 0 means that it is certain of one play.",
        "nats",
        Better::Neither,
    ),
    metric("gradNorm", "gradient", "Mean length (L2 norm) of the gradients.", "", Better::Neither),
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
