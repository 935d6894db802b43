//! What the cube lab says about itself.

use learnery_lab::{About, Better, MetricSpec, Preset};

/// The card of the lab.
pub const ABOUT: About = About {
    id: "cube",
    title: "Cube",
    tagline: "The 2x2x2 cube: 3,674,160 states, and every one of them is judged.",
    agent: "One small network. It guesses how far a state is from the solved one, or what each turn is worth.",
    goal: "Solve the cube greedily, turn by turn, without looking ahead: from every state there is (the usual learners) or \
           from every state within five turns (deep Q-learning, the preset dqn).",
    picture: "A cube to turn and scramble, and the learner solving it. The strip shows from how many of all states at each \
              distance it would arrive.",
    work: "samples",
    unit: "iteration",
    presets: PRESETS,
    metrics: METRICS,
    charts: &["solved", "excess", "loss", "level", "won", "q"],
};

const PRESETS: &[Preset] = &[
    Preset {
        name: "standard",
        help: "Value iteration on states up to symmetry, 24,001 parameters: solves nine states of ten within a minute.",
        settings: "{}",
    },
    Preset {
        name: "dqn",
        help: "Deep Q-learning with a curriculum: everything within five turns.",
        settings: r#"{"learner": "dqn", "encoding": "stickers", "hidden_1": 128, "hidden_2": 64, "batch": 256,
            "learning_rate": 0.005, "anneal": 14000, "gamma": 1.0, "turn_cost": 0.15, "n_step": 1, "target_every": 100,
            "explore_to": 0.2, "level_to": 5, "rehearse": 0.25, "retry": 0.5, "patience": 4, "judge_within": 5,
            "judge_every": 5, "goal": 100.0}"#,
    },
    Preset {
        name: "small",
        help: "At most 30,000 parameters: 99 states of a hundred in half a minute of a core.",
        settings: r#"{"hidden_1": 108, "hidden_2": 104, "anneal": 10000, "updates": 1000,
            "judge_every": 2, "goal": 99.0}"#,
    },
    Preset {
        name: "large",
        help: "171,265 parameters: every state there is, greedily.",
        settings: r#"{"hidden_1": 256, "hidden_2": 256, "hidden_3": 256, "anneal": 8000, "updates": 500,
            "judge_every": 4, "goal": 100.0}"#,
    },
    Preset {
        name: "plain",
        help: "Value iteration that is not told which states are alike.",
        settings: r#"{"symmetry": false, "hidden_1": 108, "hidden_2": 104, "renew_every": 2000, "renew_below": 0.1,
            "focus": 0.0, "anneal": 40000, "judge_every": 20}"#,
    },
    Preset {
        name: "efficientcube",
        help: "It guesses the last turn of random scrambles, from the stickers.",
        settings: r#"{"learner": "efficientcube", "symmetry": false, "scramble": 14, "hidden_1": 108, "hidden_2": 104,
            "anneal": 40000, "learning_rate": 0.002}"#,
    },
    Preset {
        name: "cayleypy",
        help: "It guesses how long random scrambles are.",
        settings: r#"{"learner": "cayleypy", "hidden_1": 108, "hidden_2": 104, "anneal": 40000}"#,
    },
];

const METRICS: &[MetricSpec] = &[
    metric(
        "solved",
        "solved",
        "How many of all states (or of those near enough) the greedy policy arrives from.",
        "%",
        Better::Higher,
    ),
    metric(
        "excess",
        "excess",
        "Turns that it takes more than the least, on average.",
        "turns",
        Better::Lower,
    ),
    metric("loss", "loss", "Mean error in what it learns from.", "", Better::Lower),
    metric("gradNorm", "gradient", "Length of the gradient before it is shortened.", "", Better::Neither),
    metric("level", "level", "Turns of the longest scrambles that dqn is given.", "turns", Better::Higher),
    metric("episodes", "episodes", "Cubes that dqn has tried to solve.", "", Better::Neither),
    metric(
        "won",
        "solved while learning",
        "How many cubes it solved in this iteration, random turns included.",
        "%",
        Better::Higher,
    ),
    metric(
        "q",
        "mean Q",
        "What dqn thinks the turns it learns from are worth, on average.",
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
