//! The texts of the backgammon lab: its card, presets and metrics.

use learnery_lab::{About, Better, MetricSpec, Preset};

pub const ABOUT: About = About {
    id: "backgammon",
    title: "Backgammon",
    tagline: "Self-play: an agent learns backgammon from nothing but the rules and games against itself.",
    agent: "A small neural network that estimates, from a position, the probabilities of winning and losing the \
            game, a gammon (which counts double) or a backgammon (triple). The agent makes the play that leaves its \
            opponent the lowest equity: the score that the opponent can expect.",
    goal: "Win half a point per game on average against pubeval, a program from 1993 that never changes, without the \
            doubling cube. It is tested while it learns, in pairs of games with the same dice and the sides \
            exchanged.",
    picture: "A board on which the agent plays against itself or against you. Thick arrows \
            show the play that it makes, thin ones others that it tries by looking ahead (a small tree \
            search). The bar shows how likely it thinks each side is to win, the list how good each play is for the \
            side that rolled.",
    work: "positions",
    unit: "round",
    presets: &[
        Preset {
            name: "standard",
            title: "TD(lambda)",
            help: "Learns from its own estimates of later positions. Beats the program pubeval after a few minutes of training.",
            settings: "{}",
        },
        Preset {
            name: "strong",
            title: "TD(lambda), large network",
            help: "A larger network, to be trained for hours, which also sees counts that players use: shots, escapes, primes and contact. The strongest preset. It becomes stronger still if it looks one roll ahead in its last rounds, which take longer (the setting “lookahead from”).",
            settings: STRONG_SETTINGS,
        },
        Preset {
            name: "small",
            title: "TD(lambda), small network",
            help: "A network that trains quickly even in a browser without threads.",
            settings: r#"{"games": 64, "hidden": 64, "second": 16, "race": 16, "batch": 256}"#,
        },
        Preset {
            name: "alphazero",
            title: "AlphaZero",
            help: "Learns from tree searches of a hundred simulations a turn, guided by its own network.",
            settings: ALPHAZERO_SETTINGS,
        },
        Preset {
            name: "tournament",
            title: "AlphaZero, Gumbel search",
            help: "Searches a few plays drawn at random, and halves their number again and again (Gumbel sampling with sequential halving). With lambda 0.9, and twice the reuse and learning rate, it learns faster than the preset AlphaZero.",
            settings: TOURNAMENT_SETTINGS,
        },
        Preset {
            name: "values",
            title: "AlphaZero, policy from values",
            help: "AlphaZero that learns no separate probabilities of plays (it has no policy head): they come from the network's values \
                   of the positions that plays lead to. One turn in four, drawn at random, has a full search, the others one \
                   simulation. The strongest AlphaZero preset for a CPU.",
            settings: VALUES_SETTINGS,
        },
        Preset {
            name: "gpu",
            title: "AlphaZero, 8,192 games, for a GPU",
            help: "Policy from values, with so many games at the same time that a GPU is kept busy: it evaluates the positions of one \
                   half while the CPU searches in the other. Takes gigabytes of memory; for the command line.",
            settings: GPU_SETTINGS,
        },
        Preset {
            name: "patient",
            title: "Monte Carlo (lambda 1)",
            help: "Learns from the results of games, or from its estimate at the end of a round if that comes first, not from estimates in between. It takes much longer than TD(lambda).",
            settings: r#"{"lambda": 1.0}"#,
        },
    ],
    metrics: METRICS,
    charts: &["points", "loss", "surprise", "gammons", "length"],
};

const STRONG_SETTINGS: &str = r#"{"hidden": 256, "second": 48, "inputs": "expert", "games": 512, "lambda": 0.4, "learning_rate": 0.003, "replay": 262144,
"eval_every": 200, "eval_games": 2000}"#;

/// The settings with which fcresnet, the network's architecture, was trained elsewhere.
const ALPHAZERO_SETTINGS: &str = r#"{"learner": "alphazero", "games": 128, "horizon": 24, "lambda": 1.0, "batch": 256, "reuse": 1.0,
"learning_rate": 0.001, "replay": 100000, "eval_every": 20, "eval_games": 100}"#;

const TOURNAMENT_SETTINGS: &str = r#"{"learner": "alphazero", "games": 128, "horizon": 24, "lambda": 0.9, "batch": 256, "reuse": 2.0,
"learning_rate": 0.002, "replay": 100000, "eval_every": 20, "eval_games": 100,
"dirichlet_alpha": 0.0, "temperature": 0.0}"#;

/// See `EXPERIMENTS.md` for what these gain together.
const VALUES_SETTINGS: &str = r#"{"learner": "alphazero", "policy": "values", "games": 128, "horizon": 24, "lambda": 0.7,
"full_search_every": 4, "quick_simulations": 1, "batch": 256, "reuse": 2.0, "learning_rate": 0.002, "slowdown": 4000,
"replay": 100000, "eval_every": 20, "eval_games": 400, "dirichlet_alpha": 0.0, "temperature": 0.0}"#;

const GPU_SETTINGS: &str = r#"{"learner": "alphazero", "policy": "values", "games": 8192, "horizon": 32, "lambda": 0.7,
"full_search_every": 4, "quick_simulations": 1, "batch": 1024, "reuse": 2.0, "learning_rate": 0.002, "slowdown": 4000,
"replay": 1000000, "eval_every": 5, "eval_games": 400, "dirichlet_alpha": 0.0, "temperature": 0.0}"#;

const METRICS: &[MetricSpec] = &[
    metric(
        "points",
        "score against pubeval",
        "Points per game in a test (evaluation) against the program pubeval, won minus lost, without looking ahead. A gammon counts double, a backgammon triple.",
        "points",
        Better::Higher,
    ),
    metric(
        "margin",
        "margin of error (95%)",
        "How exact the score against pubeval is: in 95 of 100 such tests, the true score is at most this far from the measured one (half the width of the 95% confidence interval).",
        "points",
        Better::Lower,
    ),
    metric(
        "wins",
        "win rate",
        "Share of the games of a test against pubeval that the agent won.",
        "",
        Better::Higher,
    ),
    metric(
        "loss",
        "value loss",
        "How wrong its estimates of who wins are: how far the network's five probabilities are from those that it learns from (binary cross-entropy, summed over the five), on average over the minibatches of this round.",
        "nats",
        Better::Lower,
    ),
    metric(
        "surprise",
        "TD error",
        "How far the network's value of a position typically is from what it learns, which follows from how the game went on (the TD(lambda) target; root mean square difference).",
        "points",
        Better::Lower,
    ),
    metric("games", "finished games", "Self-play games that ended in this round.", "", Better::Neither),
    metric(
        "gammons",
        "gammon rate",
        "Fraction of the self-play games of this round that ended in a gammon or a backgammon: wins that count double or triple.",
        "",
        Better::Neither,
    ),
    metric(
        "length",
        "game length",
        "Mean length of the self-play games of this round. TD(lambda) stops a game once both sides bear off, where the value is known exactly.",
        "turns",
        Better::Neither,
    ),
    metric(
        "policyLoss",
        "policy loss",
        "How far the network's probabilities of plays are from those of AlphaZero's full searches, which it learns (KL divergence): from their visits or, with Gumbel sampling, from their improved policy.",
        "nats",
        Better::Lower,
    ),
    metric(
        "entropy",
        "policy entropy",
        "Entropy of the policy from AlphaZero's policy head: 0 means that one play has all the probability.",
        "nats",
        Better::Neither,
    ),
    metric(
        "gradNorm",
        "gradient norm",
        "How large a change the loss asks for (norm of the gradient), before it is limited: the mean over the updates of this round.",
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
