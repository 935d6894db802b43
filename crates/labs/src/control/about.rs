//! What the control lab says about itself.

use learnery_lab::{About, Better, MetricSpec, Preset};

/// The card of the lab.
pub const ABOUT: About = About {
    id: "control",
    title: "Control",
    tagline: "A pole on a cart learns not to fall, in many worlds at once.",
    agent: "Two small networks of 64 by 64 neurons: the actor chooses left or right, the critic guesses \
            how long the pole will stay up.",
    goal: "Keep the pole within 12 degrees and the cart on the track for 500 steps, ten seconds. A mean of \
           475 counts as solved; a run stops at 490 over 100 fresh greedy episodes, to be on the safe side.",
    picture: "The wall shows the worlds it learns from. The large cart runs apart from training in real \
              time: push it. The map shows how good the critic thinks each angle and angular speed is.",
    work: "world steps",
    unit: "iteration",
    presets: &[
        Preset { name: "standard", help: "Solves CartPole in a few seconds.", settings: "{}" },
        Preset {
            name: "crowd",
            help: "2,048 worlds at once: more experience in each iteration, fewer iterations.",
            settings: r#"{"worlds": 2048, "horizon": 32, "minibatches": 32}"#,
        },
        Preset {
            name: "hermit",
            help: "A single world, as in the first papers: watch how much harder it is.",
            settings: r#"{"worlds": 1, "horizon": 512, "minibatches": 4}"#,
        },
    ],
    metrics: METRICS,
    charts: &["examReturn", "return", "entropy", "valueLoss", "explained", "kl"],
};

const METRICS: &[MetricSpec] = &[
    metric(
        "examReturn",
        "examination",
        "Mean return of greedy fresh episodes nobody learns from; 500 is perfect.",
        "steps",
        Better::Higher,
    ),
    metric(
        "return",
        "training return",
        "Mean return of the episodes that ended while collecting.",
        "steps",
        Better::Higher,
    ),
    metric("episodes", "episodes", "Episodes that ended while collecting.", "", Better::Neither),
    metric(
        "entropy",
        "entropy",
        "How undecided the actor is: 0.693 is a coin toss, 0 is certainty.",
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
