// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "logic",
    "title": "Logic",
    "tagline": "Every cell runs the same circuit of logic gates. Training chooses the gates, until the cells grow a picture together.",
    "agent": "A differentiable logic cellular automaton: a grid of cells that all run one circuit of a few thousand logic gates. In training the gates are soft: each is a mixture of all sixteen logic functions, and training changes the weights of the mixture. In the end they are hard: each computes only its most likely function, and the cells work with bits alone. The hard circuit is the one that is tested and exported.",
    "goal": "No wrong cell with hard gates, in three tests in a row. The tasks: the game of life in all 512 neighbourhoods; a checkerboard from new random cells and on a larger grid, or repaired after damage; a figure; a coloured letter.",
    "picture": "The same grid twice, with soft gates and with hard gates. One square is one cell; if there is a target, a dot marks a wrong one. Damage it, enlarge it, draw a target of your own, and inspect the circuit of one cell.",
    "work": "cell steps",
    "unit": "iteration",
    "presets": [
      {
        "name": "checkerboard",
        "title": "Checkerboard",
        "help": "A checkerboard from random cells. Learned fastest.",
        "settings": "{}"
      },
      {
        "name": "life",
        "title": "Game of life",
        "help": "The rule of Conway's game of life, from 57 of its 512 neighbourhoods in each update.",
        "settings": "{\"experiment\": \"life\", \"batch\": 57, \"steps\": 1, \"epochs\": 20, \"certainty\": 10.0,\n            \"scatter\": 0.5, \"decided\": 0.5, \"settle_below\": 0.002, \"mend\": 0, \"anew_after\": 2000, \"looks\": \"alike\"}"
      },
      {
        "name": "async",
        "title": "Asynchronous checkerboard",
        "help": "A checkerboard whose cells act at random times. It repairs damage.",
        "settings": "{\"experiment\": \"async\", \"batch\": 1, \"steps\": 50, \"fire_rate\": 0.6, \"prove_every\": 2,\n            \"decided\": 0.5, \"settle_below\": 0.002, \"mend\": 0, \"anew_after\": 300}"
      },
      {
        "name": "figure",
        "title": "Figure",
        "help": "A gecko that grows from a single cell.",
        "settings": "{\"experiment\": \"figure\", \"batch\": 1, \"steps\": 12, \"epochs\": 5, \"certainty\": 10.0, \"settle_below\": 0.002, \"mend\": 0,\n            \"weight_decay\": 0.03, \"anew_after\": 600}"
      },
      {
        "name": "letter",
        "title": "Coloured letter",
        "help": "A coloured letter that grows from an empty grid.",
        "settings": "{\"experiment\": \"letter\", \"batch\": 1, \"steps\": 15, \"epochs\": 5, \"decided\": 0.5, \"settle_below\": 0.002, \"mend\": 0,\n            \"anew_after\": 1500}"
      },
      {
        "name": "life-published",
        "title": "Game of life, as published",
        "help": "Settings of the paper (Miotti et al., 2025): 20 neighbourhoods in each update, and all gates soft until the end.",
        "settings": "{\"experiment\": \"life\", \"batch\": 20, \"steps\": 1, \"epochs\": 20, \"learning_rate\": 0.05,\n            \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "checkerboard-published",
        "title": "Checkerboard, as published",
        "help": "Settings of the paper (Miotti et al., 2025): all gates are soft until the end.",
        "settings": "{\"learning_rate\": 0.05, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "async-published",
        "title": "Asynchronous checkerboard, as published",
        "help": "Settings of the paper (Miotti et al., 2025): all gates are soft until the end.",
        "settings": "{\"experiment\": \"async\", \"batch\": 1, \"steps\": 50, \"fire_rate\": 0.6, \"prove_every\": 2,\n            \"learning_rate\": 0.05, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "figure-published",
        "title": "Figure, as published",
        "help": "Settings of the paper (Miotti et al., 2025): all gates are soft until the end.",
        "settings": "{\"experiment\": \"figure\", \"batch\": 1, \"steps\": 12, \"epochs\": 5,\n            \"learning_rate\": 0.06, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "letter-published",
        "title": "Coloured letter, as published",
        "help": "Settings of the paper (Miotti et al., 2025): all gates are soft until the end.",
        "settings": "{\"experiment\": \"letter\", \"batch\": 1, \"steps\": 15, \"epochs\": 5,\n            \"learning_rate\": 0.06, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      }
    ],
    "metrics": [
      {
        "name": "proof",
        "label": "correct cells",
        "help": "Share of the cells that are correct with hard gates in a test (evaluation), where checkerboards start from new random cells. Shown is the worst part of the last tests.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "softError",
        "label": "soft error",
        "help": "How far the soft gates are from the target: mean squared error of the visible cells, on the training grids, from 0 (best) to 1. Unlike the hard error it counts how wrong a cell is, not only whether. Training makes it smaller.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "hardError",
        "label": "hard error",
        "help": "Share of the visible cells that are wrong with hard gates, on the training grids, from 0 (best) to 1: each cell is 0 or 1, so this is their mean squared error too.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "gap",
        "label": "discretisation gap",
        "help": "How much worse the circuit does the task once each gate is one fixed function (hard) and no longer a mixture of several (soft): hard error minus soft error.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "changed",
        "label": "changed gates",
        "help": "How many gates training has changed. At the start every gate is a plain wire, which passes one of its inputs on. A gate counts as changed once another function is its most likely one.",
        "unit": "gates",
        "better": "neither"
      },
      {
        "name": "decided",
        "label": "hard gates in training",
        "help": "Share of the gates that already act as one fixed function (hard) while the others learn as mixtures (soft). They are drawn anew in every update, so that gates learn to work beside fixed ones (quantization noise).",
        "unit": "%",
        "better": "neither"
      },
      {
        "name": "mended",
        "label": "gates changed by local search",
        "help": "Gates whose kind local search (hill climbing) changed, because fewer cells were wrong afterwards.",
        "unit": "gates",
        "better": "neither"
      },
      {
        "name": "attempt",
        "label": "attempt",
        "help": "The current attempt. Training without progress restarts with new random gates and wires.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "wrong",
        "label": "wrong cells",
        "help": "Cells that were wrong in the last test, in all its parts together.",
        "unit": "cells",
        "better": "lower"
      },
      {
        "name": "tested",
        "label": "tested cells",
        "help": "Cells that were tested in the last test, in all its parts together; of the letter, each colour channel counts.",
        "unit": "cells",
        "better": "neither"
      }
    ],
    "charts": [
      "proof",
      "softError",
      "hardError",
      "gap",
      "changed",
      "decided"
    ]
  },
  "fields": [
    {
      "name": "experiment",
      "title": "experiment",
      "help": "The task: the rule of the game of life, a checkerboard, a checkerboard whose cells act at random times (async), a figure that grows from one cell, or a coloured letter that grows from an empty grid.",
      "kind": "choice",
      "options": [
        "life",
        "checkerboard",
        "async",
        "figure",
        "letter"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [],
      "default": "checkerboard"
    },
    {
      "name": "parameters",
      "title": "parameters",
      "help": "Numbers that are learned for each gate: one for each of the sixteen kinds, the functions of two bits (kinds, as published), or one for each of the four lines of its truth table (table), which takes a quarter of the memory.",
      "kind": "choice",
      "options": [
        "kinds",
        "table"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [],
      "default": "kinds"
    },
    {
      "name": "looks",
      "title": "initial perception",
      "help": "Initial perception: which neighbours a cell sees at first. With alike (as published) it sees the same one or two neighbours everywhere in its circuit, so signals travel in one or two directions until training changes that; with around they travel in all directions.",
      "kind": "choice",
      "options": [
        "alike",
        "around"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [],
      "default": "around"
    },
    {
      "name": "certainty",
      "title": "initial wire logit",
      "help": "How certain each gate is at first to be a plain wire (the initial logit of this kind). Up: starts from a clearer circuit, but gates change later. Down: gates change sooner, but signals blur on their way.",
      "kind": "number",
      "min": 0.0,
      "max": 20.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [],
      "default": 4.0
    },
    {
      "name": "scatter",
      "title": "initial noise",
      "help": "Initial noise: how much the first mixtures differ by chance (standard deviation of the logits). Up: gates start more differently. Down: gates start more alike; at 0, functions with equal gradients stay equal for ever.",
      "kind": "number",
      "min": 0.0,
      "max": 5.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [],
      "default": 0.0
    },
    {
      "name": "batch",
      "title": "batch",
      "help": "Batch size: grids in each update. Up: the soft error falls more smoothly, but iterations take longer. Down: iterations are quicker, but the soft error jumps more.",
      "kind": "integer",
      "min": 1.0,
      "max": 64.0,
      "unit": "grids",
      "live": false,
      "log": true,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 2
    },
    {
      "name": "steps",
      "title": "steps",
      "help": "Steps of the cells from their start to the comparison with the target. Up: signals can cross more of the grid, but iterations take longer. Down: iterations are quicker, but signals may not arrive, so cells stay wrong.",
      "kind": "integer",
      "min": 1.0,
      "max": 64.0,
      "unit": "steps",
      "live": false,
      "log": false,
      "group": "acting",
      "main": true,
      "applies": [],
      "default": 20
    },
    {
      "name": "fire_rate",
      "title": "fire rate",
      "help": "Fire rate: the probability that a cell takes part in a step; otherwise it keeps its state. Up: more cells change at the same time. Down: fewer do, in a more random order, which is harder to learn.",
      "kind": "number",
      "min": 0.05,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "experiment",
          "values": [
            "async"
          ]
        }
      ],
      "default": 1.0
    },
    {
      "name": "learning_rate",
      "title": "learning rate",
      "help": "Learning rate of AdamW: how far each update moves the shares of the functions in a gate. Up: gates change faster. Down: gates change more slowly; at 0 nothing is learned.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 0.1
    },
    {
      "name": "beta_1",
      "title": "beta 1",
      "help": "Adam's beta 1: decay of the average gradient. Up: averages over more updates, which is smoother. Down: follows the latest gradient.",
      "kind": "number",
      "min": 0.0,
      "max": 0.999,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.9
    },
    {
      "name": "beta_2",
      "title": "beta 2",
      "help": "Adam's beta 2: decay of the average squared gradient, which sets the size of updates. Up: averages over more updates, so sizes change slowly. Down: sizes follow the latest gradients.",
      "kind": "number",
      "min": 0.0,
      "max": 0.9999,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.99
    },
    {
      "name": "weight_decay",
      "title": "weight decay",
      "help": "Weight decay: pulls every gate back towards an even mixture of all functions. Up: gates change their function more easily, but too much undoes learning, and the soft error rises. Down: gates keep the function that they have.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.01
    },
    {
      "name": "clip",
      "title": "gradient clipping",
      "help": "Gradient clipping: every component of the gradient is limited to this absolute value. Up: large gradients pass, which may be unstable. Down: makes the largest updates smaller.",
      "kind": "number",
      "min": 0.0001,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 100.0
    },
    {
      "name": "decided",
      "title": "quantization noise",
      "help": "Quantization noise: share of the gates that are hard in an update, chosen at random each time, so that the soft gates learn to work with hard ones. Up: soft and hard error stay closer, but fall more slowly. Down: the soft error falls faster, but the hard error may stay high.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 0.25
    },
    {
      "name": "settle",
      "title": "hardening rate",
      "help": "Hardening rate: with each update the share of soft gates is divided by 1 plus this while the soft error is small; while it is not, the share is multiplied by 1 plus this. Up: gates become hard and soft again sooner. Down: they become so later; at 0 never.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.01
    },
    {
      "name": "settle_below",
      "title": "hardening threshold",
      "help": "Hardening threshold: gates become hard while the soft error (averaged over about twenty updates) is below this, and soft again while it is above. Up: gates become hard sooner, perhaps too soon. Down: waits for a smaller soft error.",
      "kind": "number",
      "min": 1e-6,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.02
    },
    {
      "name": "mend",
      "title": "local search",
      "help": "Local search (hill climbing): changes of single gates that are tried after an update, once few cells are wrong; 0 turns it off. A change is kept if fewer cells are wrong with it. Up: finds more repairs, but iterations take longer. Down: iterations are quicker, but the last wrong cells may stay.",
      "kind": "integer",
      "min": 0.0,
      "max": 1000.0,
      "unit": "changes",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 40
    },
    {
      "name": "anew_after",
      "title": "restart after",
      "help": "Random restarts: training begins again with new gates and wires after this many updates in which neither the hard error halved nor a test was perfect; 0 turns restarts off. A bad start shows early. Up: waits longer before it begins again. Down: begins again sooner.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 150
    },
    {
      "name": "epochs",
      "title": "updates per iteration",
      "help": "Updates in each iteration. Up: longer iterations, so the numbers on the page change less often. Down: shorter iterations, so they change more often.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 5
    },
    {
      "name": "prove_every",
      "title": "eval every",
      "help": "Iterations between two tests (evaluations) of the hard gates; 0 turns tests off, and restarts too. Up: training is faster, but success is found later. Down: success is found sooner, but training is slower.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 1
    },
    {
      "name": "goal",
      "title": "goal",
      "help": "Goal: how many tests in a row must have no wrong cell. Up: success is more certain. Down: success is easier to reach.",
      "kind": "integer",
      "min": 1.0,
      "max": 100.0,
      "unit": "tests",
      "live": false,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 3
    }
  ],
  "usesGpu": true,
  "whyNoGpu": null,
  "toolsApart": false
};
