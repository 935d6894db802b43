//! The texts, presets and metrics of the cube lab, for the front, the page and the command line.

use learnery_lab::{About, Better, MetricSpec, Preset};

pub const ABOUT: About = About {
    id: "cube",
    title: "Cube",
    tagline: "An agent teaches itself to solve the cube: the 2x2x2, tested on all its 3,674,160 states, or the 3x3x3.",
    agent: "One small neural network. It estimates how many turns a state is from solved, or how good each turn is.",
    goal: "2x2x2: solve the cube greedily: always take the turn with the best estimate, without search. By \
           default the goal is 90% of all states; with deep Q-learning, all states within five turns of solved. 3x3x3: \
           solve random states by beam search, which keeps only the most promising states at each depth.",
    picture: "A cube to turn and scramble, and the agent solving it. For the 2x2x2, bars show the percentage of states that \
              the agent solves at each distance from solved. For the 3x3x3, a chart shows the beam: the agent's estimates of \
              the distance from solved, at each depth.",
    work: "samples",
    unit: "iteration",
    presets: PRESETS,
    metrics: METRICS,
    charts: &["solved", "excess", "length", "loss", "level", "won", "q"],
};

const PRESETS: &[Preset] = &[
    Preset {
        name: "standard",
        title: "Value iteration",
        help: "Value iteration that treats symmetric states as one, with 24,001 parameters: solves 90% of all states within a minute.",
        settings: "{}",
    },
    Preset {
        name: "dqn",
        title: "Deep Q-learning",
        help: "Deep Q-learning with a curriculum of longer and longer scrambles: solves every state that is at most five turns from solved.",
        settings: r#"{"learner": "dqn", "encoding": "stickers", "hidden_1": 128, "hidden_2": 64, "batch": 256,
            "learning_rate": 0.005, "anneal": 14000, "gamma": 1.0, "turn_cost": 0.15, "n_step": 1, "target_every": 100,
            "explore_to": 0.2, "level_to": 5, "rehearse": 0.25, "retry": 0.5, "patience": 4, "judge_within": 5,
            "judge_every": 5, "goal": 100.0}"#,
    },
    Preset {
        name: "small",
        title: "Value iteration, 99%",
        help: "Value iteration with 27,849 parameters: solves 99% of all states in half a minute on one core.",
        settings: r#"{"hidden_1": 108, "hidden_2": 104, "anneal": 10000, "updates": 1000,
            "judge_every": 2, "goal": 99.0}"#,
    },
    Preset {
        name: "large",
        title: "Value iteration, every state",
        help: "Value iteration with 171,265 parameters: solves all states.",
        settings: r#"{"hidden_1": 256, "hidden_2": 256, "hidden_3": 256, "anneal": 8000, "updates": 500,
            "judge_every": 4, "goal": 100.0}"#,
    },
    Preset {
        name: "plain",
        title: "Value iteration without symmetry",
        help: "Value iteration without symmetry: the network has to learn each of up to 96 equivalent states separately.",
        settings: r#"{"symmetry": false, "hidden_1": 108, "hidden_2": 104, "renew_every": 2000, "renew_below": 0.1,
            "focus": 0.0, "anneal": 40000, "judge_every": 20}"#,
    },
    Preset {
        name: "efficientcube",
        title: "EfficientCube",
        help: "EfficientCube: predicts the turn that undoes the last one of a random scramble.",
        settings: r#"{"learner": "efficientcube", "symmetry": false, "scramble": 14, "hidden_1": 108, "hidden_2": 104,
            "anneal": 40000, "learning_rate": 0.002}"#,
    },
    Preset {
        name: "cayleypy",
        title: "CayleyPy",
        help: "CayleyPy: predicts how many turns a random scramble had, and uses that as the distance.",
        settings: r#"{"learner": "cayleypy", "hidden_1": 108, "hidden_2": 104, "anneal": 40000}"#,
    },
    Preset {
        name: "cube3",
        title: "3x3x3 in half an hour",
        help: "The 3x3x3 learned from random scrambles alone, with 382,220 parameters, in half an hour on two cores: solves random states by beam search.",
        settings: r#"{"puzzle": "3x3x3", "learner": "cayleypy", "hidden_1": 512, "hidden_2": 256, "batch": 2080,
            "scramble": 26, "learning_rate": 0.001, "anneal": 24000, "distil": 6500, "updates": 250, "judge_every": 24,
            "evaluate_states": 16, "evaluate_beam": 256, "goal": 100.0}"#,
    },
    Preset {
        name: "cube3-small",
        title: "3x3x3, short scrambles",
        help: "The 3x3x3 with a small network: learns to solve scrambles of 8 turns within minutes, even in a browser.",
        settings: r#"{"puzzle": "3x3x3", "learner": "cayleypy", "hidden_1": 128, "hidden_2": 64, "batch": 1040,
            "scramble": 13, "learning_rate": 0.002, "anneal": 10000, "updates": 100, "judge_every": 5,
            "evaluate_states": 32, "evaluate_beam": 64, "evaluate_scramble": 8, "goal": 95.0}"#,
    },
];

const METRICS: &[MetricSpec] = &[
    metric(
        "solved",
        "states solved",
        "Evaluation: percentage of states that the agent solves. 2x2x2: of all states up to the evaluated distance, by the greedy policy. 3x3x3: of a random sample, by beam search.",
        "%",
        Better::Higher,
    ),
    metric(
        "excess",
        "extra turns",
        "Evaluation: how many turns longer its solutions are than the shortest possible ones, on average over the solved states.",
        "turns",
        Better::Lower,
    ),
    metric(
        "length",
        "solution length",
        "Evaluation of the 3x3x3: turns of the solutions, on average over the solved states.",
        "turns",
        Better::Lower,
    ),
    metric(
        "loss",
        "training loss",
        "How wrong the network is about what it learns, on average over the updates of this iteration (loss). Its size says little; what matters is whether it falls.",
        "",
        Better::Lower,
    ),
    metric(
        "gradNorm",
        "gradient norm",
        "How large a change the loss asks for (norm of the gradient), before it is limited: the mean over the updates of this iteration.",
        "",
        Better::Neither,
    ),
    metric(
        "level",
        "scramble length",
        "Length of the longest scrambles that deep Q-learning uses now (its curriculum).",
        "turns",
        Better::Higher,
    ),
    metric(
        "episodes",
        "training attempts",
        "Attempts at solving a cube that deep Q-learning has finished.",
        "",
        Better::Neither,
    ),
    metric(
        "won",
        "training attempts solved",
        "Percentage of the attempts of this iteration that deep Q-learning solved, random turns included.",
        "%",
        Better::Higher,
    ),
    metric(
        "q",
        "mean Q value",
        "How much reward deep Q-learning expects on average after the turns that it learns from.",
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
