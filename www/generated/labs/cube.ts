// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "cube",
    "title": "Cube",
    "tagline": "The 2x2x2 cube has 3,674,160 states, and the agent is tested on every one of them.",
    "agent": "One small neural network. It estimates how many turns a state is from solved, or how good each turn is.",
    "goal": "Solve the cube greedily: take the best turn, again and again, without looking ahead. From every state there is, or with deep Q-learning from every state within five turns of solved.",
    "picture": "A cube to turn and scramble, and the agent solving it. The strip below shows, for each distance from solved, the percentage of states that the agent solves.",
    "work": "samples",
    "unit": "iteration",
    "presets": [
      {
        "name": "standard",
        "title": "Value iteration",
        "help": "Value iteration with symmetry and 24,001 parameters: solves 90% of all states within a minute.",
        "settings": "{}"
      },
      {
        "name": "dqn",
        "title": "Deep Q-learning",
        "help": "Deep Q-learning with a curriculum of longer and longer scrambles: solves every state within five turns.",
        "settings": "{\"learner\": \"dqn\", \"encoding\": \"stickers\", \"hidden_1\": 128, \"hidden_2\": 64, \"batch\": 256,\n            \"learning_rate\": 0.005, \"anneal\": 14000, \"gamma\": 1.0, \"turn_cost\": 0.15, \"n_step\": 1, \"target_every\": 100,\n            \"explore_to\": 0.2, \"level_to\": 5, \"rehearse\": 0.25, \"retry\": 0.5, \"patience\": 4, \"judge_within\": 5,\n            \"judge_every\": 5, \"goal\": 100.0}"
      },
      {
        "name": "small",
        "title": "99% of all states",
        "help": "Value iteration with 27,849 parameters: solves 99% of all states in half a minute on one core.",
        "settings": "{\"hidden_1\": 108, \"hidden_2\": 104, \"anneal\": 10000, \"updates\": 1000,\n            \"judge_every\": 2, \"goal\": 99.0}"
      },
      {
        "name": "large",
        "title": "Every state",
        "help": "Value iteration with 171,265 parameters: solves every state there is.",
        "settings": "{\"hidden_1\": 256, \"hidden_2\": 256, \"hidden_3\": 256, \"anneal\": 8000, \"updates\": 500,\n            \"judge_every\": 4, \"goal\": 100.0}"
      },
      {
        "name": "plain",
        "title": "Without symmetry",
        "help": "Value iteration without symmetry: the network has to learn each of up to 96 symmetric states.",
        "settings": "{\"symmetry\": false, \"hidden_1\": 108, \"hidden_2\": 104, \"renew_every\": 2000, \"renew_below\": 0.1,\n            \"focus\": 0.0, \"anneal\": 40000, \"judge_every\": 20}"
      },
      {
        "name": "efficientcube",
        "title": "EfficientCube",
        "help": "EfficientCube: predicts the last turn of a random scramble, which is the one to undo.",
        "settings": "{\"learner\": \"efficientcube\", \"symmetry\": false, \"scramble\": 14, \"hidden_1\": 108, \"hidden_2\": 104,\n            \"anneal\": 40000, \"learning_rate\": 0.002}"
      },
      {
        "name": "cayleypy",
        "title": "CayleyPy",
        "help": "CayleyPy: predicts how many turns a random scramble had, and uses that as the distance.",
        "settings": "{\"learner\": \"cayleypy\", \"hidden_1\": 108, \"hidden_2\": 104, \"anneal\": 40000}"
      }
    ],
    "metrics": [
      {
        "name": "solved",
        "label": "solved",
        "help": "Percentage of all states (or of those near enough) from which the greedy policy solves the cube.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "excess",
        "label": "excess",
        "help": "Turns beyond the shortest solution, on average over the states it solves.",
        "unit": "turns",
        "better": "lower"
      },
      {
        "name": "loss",
        "label": "loss",
        "help": "Mean loss of the updates.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "gradNorm",
        "label": "gradient",
        "help": "Norm of the gradient before clipping.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "level",
        "label": "level",
        "help": "Length of the longest scrambles that dqn learns from.",
        "unit": "turns",
        "better": "higher"
      },
      {
        "name": "episodes",
        "label": "episodes",
        "help": "Attempts at solving a cube that dqn has finished.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "won",
        "label": "solved while learning",
        "help": "Percentage of the attempts of this iteration that dqn solved, random turns included.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "q",
        "label": "mean Q",
        "help": "Mean estimated value of the turns that dqn learns from.",
        "unit": "",
        "better": "neither"
      }
    ],
    "charts": [
      "solved",
      "excess",
      "loss",
      "level",
      "won",
      "q"
    ]
  },
  "fields": [
    {
      "name": "learner",
      "help": "Learning method: deep Q-learning (dqn), value iteration (davi), predicting the last turn of a scramble (efficientcube) or predicting its length (cayleypy).",
      "kind": "choice",
      "options": [
        "dqn",
        "davi",
        "efficientcube",
        "cayleypy"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "default": "davi"
    },
    {
      "name": "metric",
      "help": "What counts as one turn: quarter turns only, or half turns too.",
      "kind": "choice",
      "options": [
        "quarter",
        "half"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "default": "quarter"
    },
    {
      "name": "encoding",
      "help": "What the network sees: the colours of the stickers, or which corner is in which position.",
      "kind": "choice",
      "options": [
        "stickers",
        "corners"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "default": "corners"
    },
    {
      "name": "symmetry",
      "help": "Treat symmetric states as one: up to 96 states differ only by rotation, reflection or inversion of the cube, and all have the same distance. For davi and cayleypy, which learn distances.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "default": true
    },
    {
      "name": "hidden_1",
      "help": "Neurons in the first hidden layer.",
      "kind": "integer",
      "min": 4.0,
      "max": 4096.0,
      "unit": "neurons",
      "live": false,
      "log": true,
      "default": 96
    },
    {
      "name": "hidden_2",
      "help": "Neurons in the second hidden layer; 0 leaves this layer out.",
      "kind": "integer",
      "min": 0.0,
      "max": 4096.0,
      "unit": "neurons",
      "live": false,
      "log": false,
      "default": 96
    },
    {
      "name": "hidden_3",
      "help": "Neurons in the third hidden layer; 0 leaves this layer out.",
      "kind": "integer",
      "min": 0.0,
      "max": 4096.0,
      "unit": "neurons",
      "live": false,
      "log": false,
      "default": 0
    },
    {
      "name": "dueling",
      "help": "Dueling network: estimate the value of a state and the advantage of each turn separately. For dqn.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "default": true
    },
    {
      "name": "batch",
      "help": "Samples in each update (minibatch size).",
      "kind": "integer",
      "min": 1.0,
      "max": 16384.0,
      "unit": "samples",
      "live": false,
      "log": true,
      "default": 1024
    },
    {
      "name": "updates",
      "help": "Updates in each iteration.",
      "kind": "integer",
      "min": 1.0,
      "max": 10000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "default": 100
    },
    {
      "name": "learning_rate",
      "help": "Learning rate of Adam: how far each update moves the weights.",
      "kind": "number",
      "min": 0.0,
      "max": 0.1,
      "unit": "",
      "live": true,
      "log": true,
      "default": 0.003
    },
    {
      "name": "anneal",
      "help": "Updates over which the learning rate falls to 1% along a cosine; 0 keeps it constant.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "default": 20000
    },
    {
      "name": "max_grad_norm",
      "help": "Gradient clipping: a gradient with a larger norm is scaled down to this one.",
      "kind": "number",
      "min": 0.001,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": true,
      "default": 10.0
    },
    {
      "name": "scramble",
      "help": "Longest random scramble that davi, efficientcube and cayleypy learn from.",
      "kind": "integer",
      "min": 1.0,
      "max": 100.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "default": 20
    },
    {
      "name": "renew_every",
      "help": "Updates after which the target values of davi are refreshed at the latest; at the earliest after an eighth of that.",
      "kind": "integer",
      "min": 8.0,
      "max": 100000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "default": 200
    },
    {
      "name": "renew_below",
      "help": "The target values are refreshed early once the mean squared error is below this.",
      "kind": "number",
      "min": 0.0,
      "max": 100.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.05
    },
    {
      "name": "focus",
      "help": "Fraction of the samples that davi draws in proportion to the squared Bellman residual, where its estimates contradict one another most. The others are random scrambles.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": false,
      "log": false,
      "default": 0.5
    },
    {
      "name": "worlds",
      "help": "Cubes that dqn tries to solve in parallel.",
      "kind": "integer",
      "min": 1.0,
      "max": 16384.0,
      "unit": "cubes",
      "live": false,
      "log": true,
      "default": 256
    },
    {
      "name": "act_every",
      "help": "Updates between two turns of all cubes.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "default": 2
    },
    {
      "name": "gamma",
      "help": "Discount factor: a reward is multiplied by this for every turn that it comes later.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.9
    },
    {
      "name": "turn_cost",
      "help": "Reward that is subtracted for each turn. The reward for solving the cube is 1.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.0
    },
    {
      "name": "n_step",
      "help": "Turns whose rewards are summed before the network's estimate is used (n-step returns).",
      "kind": "integer",
      "min": 1.0,
      "max": 16.0,
      "unit": "turns",
      "live": false,
      "log": false,
      "default": 3
    },
    {
      "name": "double",
      "help": "Double DQN: the network chooses the next turn, and the target network gives its value.",
      "kind": "switch",
      "unit": "",
      "live": true,
      "log": false,
      "default": true
    },
    {
      "name": "replay",
      "help": "Capacity of the replay buffer.",
      "kind": "integer",
      "min": 16.0,
      "max": 4194304.0,
      "unit": "steps",
      "live": false,
      "log": true,
      "default": 65536
    },
    {
      "name": "warm_up",
      "help": "Number of transitions in the replay buffer before the first update.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000000.0,
      "unit": "steps",
      "live": false,
      "log": true,
      "default": 4096
    },
    {
      "name": "priority",
      "help": "Exponent of prioritised replay: 0 samples uniformly, 1 in proportion to the last error.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.6
    },
    {
      "name": "importance",
      "help": "First exponent of the importance weights that correct for prioritised replay (beta). It grows to 1.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.4
    },
    {
      "name": "importance_updates",
      "help": "Updates until that exponent is 1.",
      "kind": "integer",
      "min": 1.0,
      "max": 100000000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "default": 20000
    },
    {
      "name": "huber",
      "help": "Where the Huber loss turns from quadratic to linear, so that larger errors pull no harder.",
      "kind": "number",
      "min": 0.001,
      "max": 100.0,
      "unit": "",
      "live": true,
      "log": true,
      "default": 1.0
    },
    {
      "name": "target_every",
      "help": "Updates after which the target network is replaced by a copy of the network.",
      "kind": "integer",
      "min": 1.0,
      "max": 100000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "default": 200
    },
    {
      "name": "explore_from",
      "help": "Fraction of random turns at the start (epsilon).",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 1.0
    },
    {
      "name": "explore_to",
      "help": "Fraction of random turns at the end.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.05
    },
    {
      "name": "explore_updates",
      "help": "Updates over which the fraction of random turns changes from the first value to the last.",
      "kind": "integer",
      "min": 1.0,
      "max": 100000000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "default": 1000
    },
    {
      "name": "level_from",
      "help": "Length of the first scrambles in the curriculum.",
      "kind": "integer",
      "min": 1.0,
      "max": 30.0,
      "unit": "turns",
      "live": false,
      "log": false,
      "default": 1
    },
    {
      "name": "level_to",
      "help": "Length of the last scrambles in the curriculum.",
      "kind": "integer",
      "min": 1.0,
      "max": 30.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "default": 6
    },
    {
      "name": "level_up",
      "help": "Scrambles grow by one turn once this fraction of those at the current length is solved.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.9
    },
    {
      "name": "level_window",
      "help": "Scrambles of the current length over which that fraction is measured.",
      "kind": "integer",
      "min": 1.0,
      "max": 100000.0,
      "unit": "cubes",
      "live": true,
      "log": true,
      "default": 500
    },
    {
      "name": "rehearse",
      "help": "Fraction of scrambles that are shorter than the current length, so that short ones are not forgotten.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.5
    },
    {
      "name": "retry",
      "help": "Fraction of attempts that repeat a scramble that failed before, while there are any.",
      "kind": "number",
      "min": 0.0,
      "max": 0.9,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.0
    },
    {
      "name": "patience",
      "help": "Turns that an attempt may take beyond the length of its scramble before it counts as failed.",
      "kind": "integer",
      "min": 0.0,
      "max": 100.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "default": 6
    },
    {
      "name": "pretrain",
      "help": "Updates of supervised pretraining on shortest solutions; 0 learns without any.",
      "kind": "integer",
      "min": 0.0,
      "max": 1000000.0,
      "unit": "updates",
      "live": false,
      "log": false,
      "default": 0
    },
    {
      "name": "pretrain_scramble",
      "help": "Longest scramble in pretraining.",
      "kind": "integer",
      "min": 1.0,
      "max": 30.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "default": 14
    },
    {
      "name": "judge_every",
      "help": "Iterations between two evaluations of the greedy policy; 0 never evaluates.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "default": 5
    },
    {
      "name": "judge_within",
      "help": "The evaluation starts from every state that is at most this far from solved. 14 covers all states: it is the largest distance in quarter turns.",
      "kind": "integer",
      "min": 1.0,
      "max": 14.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "default": 14
    },
    {
      "name": "goal",
      "help": "The goal: the percentage of those states that must be solved.",
      "kind": "number",
      "min": 0.0,
      "max": 100.0,
      "unit": "%",
      "live": false,
      "log": false,
      "default": 90.0
    }
  ],
  "usesGpu": false
};
