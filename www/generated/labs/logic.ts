// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "logic",
    "title": "Logic",
    "tagline": "Every cell runs the same circuit of logic gates. Training chooses the gates, until the cells grow a picture together.",
    "agent": "A differentiable logic cellular automaton: one circuit of a few thousand two-input gates, the same in every cell. During training gates are soft: each is a blend of all sixteen kinds. In the final circuit they are hard: each is its most likely kind, and the cell computes with bits alone.",
    "goal": "Do the task without a wrong cell, with hard gates: the game of life in all 512 neighbourhoods; a checkerboard from any start and on a larger grid, or repaired after damage; a figure; a coloured letter. Three evaluations in a row must be perfect.",
    "picture": "The same grid twice: in training, with soft (blended) gates, and as the final circuit, with hard (real) gates. Damage it, enlarge it, draw a target of your own, and inspect the circuit of one cell.",
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
        "help": "The rule of Conway's game of life, from 57 of its 512 neighbourhoods per epoch.",
        "settings": "{\"experiment\": \"life\", \"batch\": 57, \"steps\": 1, \"epochs\": 20, \"certainty\": 10.0,\n            \"scatter\": 0.5, \"decided\": 0.5, \"settle_below\": 0.002, \"mend\": 0, \"anew_after\": 2000, \"looks\": \"alike\"}"
      },
      {
        "name": "async",
        "title": "Asynchronous checkerboard",
        "help": "A checkerboard whose cells update at random times. It repairs damage.",
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
        "help": "Settings of the paper (Miotti et al., 2025): 20 neighbourhoods per epoch, and all gates soft until the end.",
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
        "help": "Evaluation: cells that are right with hard gates, from initial states never used in training; the worst part of the last evaluations.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "softError",
        "label": "soft error",
        "help": "Mean squared error of the visible cells with soft (blended) gates, on the training grids. Training minimises this.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "hardError",
        "label": "hard error",
        "help": "Fraction of the visible cells that are wrong with hard (real) gates, on the training grids.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "gap",
        "label": "discretisation gap",
        "help": "Hard error minus soft error: what replacing blended gates by real ones costs.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "changed",
        "label": "changed gates",
        "help": "Gates whose most likely kind is no longer a plain wire, as that of nearly all gates is at the start.",
        "unit": "gates",
        "better": "neither"
      },
      {
        "name": "decided",
        "label": "hard gates in training",
        "help": "Quantization noise: fraction of the gates that are hard while the others learn; chosen at random in every epoch.",
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
        "help": "Cells that were wrong in the last evaluation, in all its parts together.",
        "unit": "cells",
        "better": "lower"
      },
      {
        "name": "tested",
        "label": "tested cells",
        "help": "Cells that were tested in the last evaluation, in all its parts together; of the letter, each colour channel counts.",
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
      "help": "The task: the rule of the game of life, a checkerboard, a checkerboard whose cells update at random times (async), a figure that grows from one cell, or a coloured letter that grows from an empty grid.",
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
      "help": "Parameters of a gate: one for each of its sixteen kinds (kinds, as published), or one for each of the four entries of its truth table (table), which takes a quarter of the memory.",
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
      "help": "Initial perception kernels: which neighbours a cell sees at first. With alike (as published) all kernels pass on the same one or two, so information travels in one or two directions until training changes that; with around they pass on different neighbours, in all directions.",
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
      "help": "How certain each gate is at first to be a plain wire (the initial logit of this kind). Up: starts from a clearer circuit, but changes more slowly. Down: changes sooner, but signals blur on their way.",
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
      "help": "Initial noise: standard deviation of the noise on the initial logits. Up: starts more randomly. Down: starts more alike; without noise, kinds with equal gradients stay equal for ever.",
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
      "help": "Batch size: grids in each update. Up: updates are less noisy, but slower. Down: updates are quicker, but noisier.",
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
      "help": "Steps of the automaton from the initial state to the state that is compared with the target. Up: information has time to travel further, but training is slower. Down: quicker, but information may not arrive.",
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
      "help": "Update probability of a cell in each step; otherwise it keeps its state. Up: more cells change at the same time. Down: the order of changes is more random, which is harder.",
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
      "help": "Learning rate of AdamW: how far each update moves the logits, the numbers that decide which kind a gate is. Up: learns faster, but too far is unstable. Down: steadier, but slower; 0 learns nothing.",
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
      "help": "Weight decay of AdamW: pulls all logits towards zero. Up: gates change their kind more easily. Down: gates keep to the kind that they have.",
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
      "title": "clip",
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
      "help": "Quantization noise: fraction of the gates that are hard during an epoch, chosen at random each time. Each is replaced by its most likely kind, so that the soft gates learn to work with gates as they will be in the final circuit. Up: soft and hard circuit agree more, but learning is slower. Down: learns faster, but the final circuit may fail.",
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
      "help": "Hardening rate: by which fraction per epoch the fraction of soft gates shrinks while the soft error is small. Up: hardens sooner. Down: hardens later; 0 never.",
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
      "help": "Hardening threshold: gates harden while the soft error (averaged over about twenty epochs) is below this, and soften again while it is above. Up: hardens sooner, perhaps too soon. Down: waits for a smaller error.",
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
      "help": "Local search (hill climbing): changes of single gates that are tried after an epoch, once few cells are wrong; 0 turns it off. A change is kept if fewer cells are wrong with it. Up: finds more repairs, but takes longer. Down: takes less time, but finds fewer repairs.",
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
      "help": "Random restarts: training begins again with new gates and wires after this many epochs in which neither the hard error halved nor an evaluation was perfect; 0 turns restarts off. Success depends on the random start, and a bad start shows early. Up: more patient. Down: gives up sooner.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "epochs",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 150
    },
    {
      "name": "epochs",
      "title": "epochs",
      "help": "Epochs per iteration. Up: longer iterations and rarer reports. Down: shorter iterations and more frequent reports.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "epochs",
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
      "help": "Iterations between two evaluations of the hard circuit; 0 turns evaluations off, and restarts too. Up: training is faster, but success is found later. Down: success is found sooner, but training is slower.",
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
      "help": "Goal: how many evaluations in a row must have no wrong cell. Up: success is more certain. Down: success is easier to reach.",
      "kind": "integer",
      "min": 1.0,
      "max": 100.0,
      "unit": "evaluations",
      "live": false,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 3
    }
  ],
  "usesGpu": true,
  "whyNoGpu": null
};
