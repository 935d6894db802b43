//! The control lab's texts for people, its presets and its metrics.

use learnery_lab::{About, Better, MetricSpec, Preset};

pub const ABOUT: About = About {
    id: "control",
    title: "Control",
    tagline: "Reinforcement learning: an agent learns by trial and error to balance a pole, climb a hill or swing up one rod or two.",
    agent: "Two small neural networks: the actor chooses actions, the critic predicts the reward still to come. Both learn \
            by PPO (proximal policy optimisation).",
    goal: "The test score is the mean return (sum of rewards) of a hundred fresh episodes without exploration. The number \
           to reach stands beside the score. In CartPole it means a pole that stays up for 490 of 500 steps, in \
           MountainCar reaching the flag within 105 steps, in Pendulum swinging up and staying up, in Acrobot reaching \
           the line within 88 steps; in your own world it is what its text says. Each goal of ours is a little harder \
           than the usual one, so that a second test will mostly pass too.",
    picture: "The small pictures are the worlds (environments) that the agent learns from. The large one runs in real time, \
              apart from training and tests: push it! (In CartPole it goes on after 500 steps.) The map shows how \
              much reward the critic expects from each state.",
    work: "world steps",
    unit: "iteration",
    presets: &[
        Preset {
            name: "standard",
            title: "CartPole",
            help: "Balance a pole on a cart. Solved in a few seconds.",
            settings: "{}",
        },
        Preset {
            name: "mountaincar",
            title: "MountainCar",
            help: "Drive out of a valley, with a car too weak to climb straight out. Reward shaping: extra reward for energy gained.",
            settings: MOUNTAIN_CAR,
        },
        Preset {
            name: "pendulum",
            title: "Pendulum",
            help: "Swing the pendulum up and keep it there, choosing any torque.",
            settings: PENDULUM,
        },
        Preset {
            name: "acrobot",
            title: "Acrobot",
            help: "Swing up two linked rods, with a motor only at the joint between them.",
            settings: ACROBOT,
        },
        Preset {
            name: "own",
            title: "Your own world",
            help: "Learns a world whose rules you write, in ten to sixty lines.",
            settings: OWN,
        },
        Preset {
            name: "sprint",
            title: "CartPole, shortest training",
            help: "Solves CartPole in the least time, with fewer worlds and fewer passes over each batch.",
            settings: SPRINT,
        },
        Preset {
            name: "fast",
            title: "CartPole, most steps per second",
            help: "As many steps per second as possible while still solving CartPole: smaller networks, two passes over each batch.",
            settings: FAST,
        },
        Preset {
            name: "crowd",
            title: "CartPole, 2,048 worlds",
            help: "2,048 worlds at once: each iteration gathers more experience, so it needs fewer iterations.",
            settings: r#"{"worlds": 2048, "horizon": 32, "minibatches": 32}"#,
        },
        Preset {
            name: "gpu",
            title: "CartPole, 4,096 worlds, for a GPU",
            help: "Many worlds and large batches, which a GPU computes fast; a processor learns the same, only slower. Suits every world.",
            settings: GPU,
        },
        Preset {
            name: "hermit",
            title: "CartPole, one world",
            help: "A single world instead of 128 in parallel, so successive samples are much alike. It still reaches the goal, and after fewer world steps.",
            settings: r#"{"worlds": 1, "horizon": 512, "minibatches": 4}"#,
        },
    ],
    metrics: METRICS,
    charts: &["examReturn", "return", "entropy", "valueLoss", "explained", "kl", "successes"],
};

const MOUNTAIN_CAR: &str = r#"{"world": "mountaincar", "worlds": 16, "horizon": 200, "normalise_observations": true,
    "shaping": 10.0}"#;
const PENDULUM: &str = r#"{"world": "pendulum", "worlds": 16, "horizon": 200, "minibatches": 16, "gamma": 0.95,
    "reward_scale": 0.1}"#;
const ACROBOT: &str = r#"{"world": "acrobot", "entropy_weight": 0.01, "gae_lambda": 0.9}"#;
/// Rewards are scaled as in the preset `pendulum`, and shaping has the same weight beside the rewards as in
/// the preset `mountaincar`, so the settings suit every world.
const GPU: &str = r#"{"worlds": 4096, "horizon": 64, "minibatches": 32, "normalise_observations": true, "reward_scale": 0.1,
    "shaping": 1.0, "eval_every": 2}"#;
const OWN: &str = r#"{"world": "own", "worlds": 64, "horizon": 128, "minibatches": 16, "normalise_observations": true,
    "entropy_weight": 0.02}"#;
const SPRINT: &str = r#"{"worlds": 32, "horizon": 64, "epochs": 6, "minibatches": 16}"#;
const FAST: &str = r#"{"worlds": 1024, "horizon": 32, "hidden": 32, "epochs": 2, "minibatches": 16,
    "learning_rate": 0.003}"#;

const METRICS: &[MetricSpec] = &[
    metric(
        "examReturn",
        "test score (fresh episodes)",
        "Evaluation: mean return (sum of rewards) of fresh episodes, 100 by default, played without exploration and not learned from.",
        "",
        Better::Higher,
    ),
    metric(
        "return",
        "training return",
        "Return (sum of the rewards) of a training episode, on average over those that ended in this iteration. In training the agent also acts at random, to try things out (exploration); in tests it does not.",
        "",
        Better::Higher,
    ),
    metric(
        "episodes",
        "training episodes",
        "Training episodes that ended in this iteration.",
        "",
        Better::Neither,
    ),
    metric(
        "entropy",
        "policy entropy",
        "How random the agent's choices are in training (entropy): 0 is always sure. With two choices the most is 0.693, a coin toss; with three, 1.099. Where it chooses a number, such as a torque, it can be negative.",
        "nats",
        Better::Neither,
    ),
    metric(
        "policyLoss",
        "policy loss",
        "The loss of the actor: PPO's clipped objective, negated, averaged over the minibatches (small batches) of this iteration. Its size says little about how good the agent is.",
        "",
        Better::Lower,
    ),
    metric(
        "valueLoss",
        "value loss",
        "How far the critic's predictions of the reward still to come are from the sums that it should have predicted (returns), squared and averaged over this iteration (mean squared error). 0 is perfect.",
        "",
        Better::Lower,
    ),
    metric(
        "explained",
        "critic's fit",
        "How well the critic foresees which situations bring more reward and which less (explained variance): 1 is perfect, 0 is no better than always guessing the mean, below 0 is worse.",
        "",
        Better::Higher,
    ),
    metric(
        "kl",
        "KL divergence",
        "How much learning in this iteration changed the agent's choices in the situations that it had just been in, on average (KL divergence): 0 is not at all.",
        "nats",
        Better::Neither,
    ),
    metric(
        "clipped",
        "clipped fraction",
        "The fraction of the samples that updates left out, because PPO's clip limits how far one iteration may change the policy.",
        "",
        Better::Neither,
    ),
    metric(
        "gradNorm",
        "gradient norm",
        "How large a change the loss asks for (norm of the gradient), before it is limited: the mean over the updates of this iteration.",
        "",
        Better::Neither,
    ),
    metric(
        "successes",
        "successes (fresh episodes)",
        "Evaluation: the share of the fresh episodes of the test that ended as a success. Only a world of your own with a line `succeed when` has it.",
        "%",
        Better::Higher,
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
