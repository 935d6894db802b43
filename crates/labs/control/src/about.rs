//! The control lab's texts for people, its presets and its metrics.

use learnery_lab::{About, Better, MetricSpec, Preset};

pub const ABOUT: About = About {
    id: "control",
    title: "Control",
    tagline: "A pole on a cart, a car in a valley, a pendulum, two linked rods: one learner, many worlds at once.",
    agent: "Two small networks: the actor chooses actions, the critic predicts the reward still to come. Both learn by PPO.",
    goal: "CartPole: keep the pole up for 500 steps. MountainCar: reach the flag in fewer than 110 steps. Pendulum: swing \
           up and stay up. Acrobot: swing above the line in fewer than 100 steps. The score is the mean return of a \
           hundred fresh episodes without exploration. A run stops a little above the usual threshold (475, −110, \
           −200, −100), so that another hundred episodes confirm it.",
    picture: "The small pictures are the worlds the agent learns from. The large one runs in real time, apart from \
              training: push it! The map shows how much reward the critic expects from each state.",
    work: "world steps",
    unit: "iteration",
    presets: &[
        Preset {
            name: "standard",
            title: "Balance a pole",
            help: "Solves CartPole in a few seconds.",
            settings: "{}",
        },
        Preset {
            name: "mountaincar",
            title: "Drive out of a valley",
            help: "A car too weak to climb straight out of its valley, rewarded for every bit of energy it gains.",
            settings: MOUNTAIN_CAR,
        },
        Preset {
            name: "pendulum",
            title: "Swing up a pendulum",
            help: "Swing the pendulum up and keep it there, choosing any torque.",
            settings: PENDULUM,
        },
        Preset {
            name: "acrobot",
            title: "Swing up two rods",
            help: "Two linked rods with a motor only at the joint between them.",
            settings: ACROBOT,
        },
        Preset {
            name: "sprint",
            title: "Balance a pole in record time",
            help: "Solves CartPole in the least time, with fewer worlds and fewer passes over each batch.",
            settings: SPRINT,
        },
        Preset {
            name: "fast",
            title: "Most steps a second",
            help: "As many steps a second as possible while still solving CartPole: smaller networks, two passes over each batch.",
            settings: FAST,
        },
        Preset {
            name: "crowd",
            title: "Two thousand poles",
            help: "2,048 worlds at once: each iteration gathers more experience, so it needs fewer iterations.",
            settings: r#"{"worlds": 2048, "horizon": 32, "minibatches": 32}"#,
        },
        Preset {
            name: "hermit",
            title: "A single pole",
            help: "A single world, as in the first papers. Watch how much harder that is.",
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
        "evaluation return",
        "Mean return of new episodes, played without exploration and not learned from.",
        "",
        Better::Higher,
    ),
    metric(
        "return",
        "training return",
        "Mean return of the training episodes that ended in this iteration.",
        "",
        Better::Higher,
    ),
    metric("episodes", "episodes", "Training episodes that ended in this iteration.", "", Better::Neither),
    metric(
        "entropy",
        "entropy",
        "How random the policy is. With two actions, 0.693 is a coin toss and 0 is certainty.",
        "nats",
        Better::Neither,
    ),
    metric("policyLoss", "policy loss", "PPO's clipped objective, negated.", "", Better::Lower),
    metric("valueLoss", "value loss", "Mean squared error of the critic's predictions.", "", Better::Lower),
    metric(
        "explained",
        "explained variance",
        "The fraction of the variance of returns that the critic predicts. 1 is perfect, 0 no better than a constant.",
        "",
        Better::Higher,
    ),
    metric("kl", "KL divergence", "How far an iteration changed the policy.", "nats", Better::Neither),
    metric(
        "clipped",
        "clipped fraction",
        "The fraction of samples whose policy gradient was set to zero by the clip.",
        "",
        Better::Neither,
    ),
    metric("gradNorm", "gradient norm", "Mean norm of the gradient before clipping.", "", Better::Neither),
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
