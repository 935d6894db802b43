//! What the control lab says about itself.

use learnery_lab::{About, Better, MetricSpec, Preset};

/// The card of the lab.
pub const ABOUT: About = About {
    id: "control",
    title: "Control",
    tagline: "A pole on a cart, a car in a valley, a pendulum, two linked rods: one learner, many worlds at once.",
    agent: "Two small networks: the actor chooses what to do, the critic guesses what is still to be earned.",
    goal: "CartPole: keep the pole up for 500 steps. MountainCar: reach the flag in fewer than 110. Pendulum: swing \
           up and stand still. Acrobot: swing over the line in fewer than 100 steps. A hundred fresh greedy episodes \
           judge it by their mean return; a run stops a little above the usual mark (475, −110, −200, −100) to be on \
           the safe side.",
    picture: "The wall shows the worlds it learns from. The large one runs apart from training in real time: push \
              it. The map shows how good the critic thinks each state is.",
    work: "world steps",
    unit: "iteration",
    presets: &[
        Preset { name: "standard", help: "Solves CartPole in a few seconds.", settings: "{}" },
        Preset {
            name: "mountaincar",
            help: "The weak car, shown the way by the energy it gains.",
            settings: MOUNTAIN_CAR,
        },
        Preset {
            name: "pendulum",
            help: "Swing up and hold, with a motor of any torque.",
            settings: PENDULUM,
        },
        Preset { name: "acrobot", help: "Two linked rods, a motor between them.", settings: ACROBOT },
        Preset {
            name: "sprint",
            help: "Solves CartPole in the least time: fewer poles, shorter looks.",
            settings: SPRINT,
        },
        Preset {
            name: "fast",
            help: "The most steps a second that still solve CartPole: smaller networks, fewer looks at each step.",
            settings: FAST,
        },
        Preset {
            name: "crowd",
            help: "2,048 poles at once: more experience in each iteration, fewer iterations.",
            settings: r#"{"worlds": 2048, "horizon": 32, "minibatches": 32}"#,
        },
        Preset {
            name: "hermit",
            help: "A single pole, as in the first papers: watch how much harder it is.",
            settings: r#"{"worlds": 1, "horizon": 512, "minibatches": 4}"#,
        },
    ],
    metrics: METRICS,
    charts: &["examReturn", "return", "entropy", "valueLoss", "explained", "kl"],
};

const MOUNTAIN_CAR: &str = r#"{"world": "mountaincar", "worlds": 16, "horizon": 200, "normalise_observations": true,
    "shaping": 10.0}"#;
const PENDULUM: &str = r#"{"world": "pendulum", "worlds": 16, "horizon": 200, "minibatches": 16, "gamma": 0.95,
    "reward_scale": 0.1}"#;
const ACROBOT: &str = r#"{"world": "acrobot", "entropy_weight": 0.01, "gae_lambda": 0.9}"#;
const SPRINT: &str = r#"{"worlds": 32, "horizon": 64, "epochs": 6, "minibatches": 16}"#;
const FAST: &str = r#"{"worlds": 1024, "horizon": 32, "hidden": 32, "epochs": 2, "minibatches": 16,
    "learning_rate": 0.003}"#;

const METRICS: &[MetricSpec] = &[
    metric(
        "examReturn",
        "examination",
        "Mean return of greedy fresh episodes nobody learns from.",
        "",
        Better::Higher,
    ),
    metric(
        "return",
        "training return",
        "Mean return of the episodes that ended while collecting.",
        "",
        Better::Higher,
    ),
    metric("episodes", "episodes", "Episodes that ended while collecting.", "", Better::Neither),
    metric(
        "entropy",
        "entropy",
        "How undecided the actor is: of two actions 0.693 is a coin toss, 0 is certainty.",
        "nats",
        Better::Neither,
    ),
    metric("policyLoss", "policy loss", "The clipped objective, negated.", "", Better::Lower),
    metric("valueLoss", "value loss", "Mean squared error of the critic.", "", Better::Lower),
    metric(
        "explained",
        "explained variance",
        "Share of the variation of returns that the critic foresaw; 1 is all of it.",
        "",
        Better::Higher,
    ),
    metric("kl", "KL divergence", "How far an iteration moved the actor.", "nats", Better::Neither),
    metric(
        "clipped",
        "clipped share",
        "Share of samples whose update was held back by the clip.",
        "",
        Better::Neither,
    ),
    metric("gradNorm", "gradient norm", "Mean length of the gradient before clipping.", "", Better::Neither),
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
