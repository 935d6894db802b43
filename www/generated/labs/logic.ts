// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "logic",
    "title": "Logic",
    "tagline": "Cells made of logic gates learn which gates to be, until together they grow a picture.",
    "agent": "One circuit of a few thousand two-input gates, the same in every cell. During training each gate is a mixture of all sixteen kinds. In the final, hard circuit it is the most likely of them, and the cell computes with bits alone.",
    "goal": "Do the task exactly with hard gates: the game of life in all 512 neighbourhoods; a checkerboard from any start and on a larger grid, or healed after damage; a figure; a coloured letter. Three proofs in a row must hold.",
    "picture": "The same grid twice, with soft gates and with hard ones. Damage it, enlarge it, draw a target of your own, and look into the circuit of one cell.",
    "work": "cell steps",
    "unit": "iteration",
    "presets": [
      {
        "name": "checkerboard",
        "title": "Checkerboard",
        "help": "A checkerboard from random cells. The fastest to watch.",
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
        "help": "Settings of the paper: 20 neighbourhoods per epoch, and all gates soft until the end.",
        "settings": "{\"experiment\": \"life\", \"batch\": 20, \"steps\": 1, \"epochs\": 20, \"learning_rate\": 0.05,\n            \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "checkerboard-published",
        "title": "Checkerboard, as published",
        "help": "Settings of the paper: all gates are soft until the end.",
        "settings": "{\"learning_rate\": 0.05, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "async-published",
        "title": "Asynchronous checkerboard, as published",
        "help": "Settings of the paper: all gates are soft until the end.",
        "settings": "{\"experiment\": \"async\", \"batch\": 1, \"steps\": 50, \"fire_rate\": 0.6, \"prove_every\": 2,\n            \"learning_rate\": 0.05, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "figure-published",
        "title": "Figure, as published",
        "help": "Settings of the paper: all gates are soft until the end.",
        "settings": "{\"experiment\": \"figure\", \"batch\": 1, \"steps\": 12, \"epochs\": 5,\n            \"learning_rate\": 0.06, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "letter-published",
        "title": "Coloured letter, as published",
        "help": "Settings of the paper: all gates are soft until the end.",
        "settings": "{\"experiment\": \"letter\", \"batch\": 1, \"steps\": 15, \"epochs\": 5,\n            \"learning_rate\": 0.06, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      }
    ],
    "metrics": [
      {
        "name": "proof",
        "label": "proof",
        "help": "Cells that are right with hard gates, from initial states never used in training: the worst of the last proofs.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "softError",
        "label": "soft error",
        "help": "Mean squared error of the shown cells with soft gates. Training minimises this.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "hardError",
        "label": "hard error",
        "help": "Fraction of the shown cells that are wrong with hard gates.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "gap",
        "label": "discretisation gap",
        "help": "What replacing soft gates by hard ones costs: hard error minus soft error.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "changed",
        "label": "gates at work",
        "help": "Gates that are not just a plain wire.",
        "unit": "gates",
        "better": "neither"
      },
      {
        "name": "decided",
        "label": "hard gates",
        "help": "Fraction of the gates that are hard while the others learn; chosen at random in every epoch.",
        "unit": "%",
        "better": "neither"
      },
      {
        "name": "mended",
        "label": "repaired gates",
        "help": "Gates whose kind was changed by local search, because fewer cells were wrong afterwards.",
        "unit": "gates",
        "better": "neither"
      },
      {
        "name": "attempt",
        "label": "attempt",
        "help": "The current attempt. A run without progress restarts with fresh gates and wires.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "wrong",
        "label": "wrong cells",
        "help": "Cells that were wrong in the last proof.",
        "unit": "cells",
        "better": "lower"
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
      "help": "What is learned: the rule of the game of life, a checkerboard, a checkerboard whose cells update at random times (async), a figure that grows from one cell, or a coloured letter that grows from an empty grid.",
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
      "default": "checkerboard"
    },
    {
      "name": "parameters",
      "help": "The parameters of a gate: one for each of its sixteen kinds (kinds, as published), or one for each of the four entries of its truth table (table), which takes a quarter of the memory.",
      "kind": "choice",
      "options": [
        "kinds",
        "table"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "default": "kinds"
    },
    {
      "name": "looks",
      "help": "Which neighbours the perception kernels pass on at first. With alike (as published) all kernels pass on the same one or two, so information travels in one or two directions until training changes that. With around they pass on different neighbours, in all directions.",
      "kind": "choice",
      "options": [
        "alike",
        "around"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "default": "around"
    },
    {
      "name": "certainty",
      "help": "Every gate starts as a plain wire. This is the initial logit of that kind: the higher, the closer its probability is to 1.",
      "kind": "number",
      "min": 0.0,
      "max": 20.0,
      "unit": "",
      "live": false,
      "log": false,
      "default": 4.0
    },
    {
      "name": "scatter",
      "help": "Standard deviation of the noise on the initial logits. Without noise, kinds with equal gradients stay equal for ever.",
      "kind": "number",
      "min": 0.0,
      "max": 5.0,
      "unit": "",
      "live": false,
      "log": false,
      "default": 0.0
    },
    {
      "name": "batch",
      "help": "Grids in a batch.",
      "kind": "integer",
      "min": 1.0,
      "max": 64.0,
      "unit": "grids",
      "live": false,
      "log": true,
      "default": 2
    },
    {
      "name": "steps",
      "help": "Steps of the automaton from the initial state to the state that is compared with the target.",
      "kind": "integer",
      "min": 1.0,
      "max": 64.0,
      "unit": "steps",
      "live": false,
      "log": false,
      "default": 20
    },
    {
      "name": "fire_rate",
      "help": "The probability that a cell updates in a step; otherwise it keeps its state. Only for async.",
      "kind": "number",
      "min": 0.05,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 1.0
    },
    {
      "name": "learning_rate",
      "help": "Learning rate of AdamW.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": true,
      "default": 0.1
    },
    {
      "name": "beta_1",
      "help": "Adam's beta 1: the decay of the average gradient. The higher, the longer it remembers.",
      "kind": "number",
      "min": 0.0,
      "max": 0.999,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.9
    },
    {
      "name": "beta_2",
      "help": "Adam's beta 2: the decay of the average squared gradient.",
      "kind": "number",
      "min": 0.0,
      "max": 0.9999,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.99
    },
    {
      "name": "weight_decay",
      "help": "Weight decay of AdamW: pulls all logits towards zero.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.01
    },
    {
      "name": "clip",
      "help": "Every component of the gradient is clipped to this absolute value.",
      "kind": "number",
      "min": 0.0001,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": true,
      "default": 100.0
    },
    {
      "name": "decided",
      "help": "Fraction of the gates that are hard during an epoch, chosen at random each time (quantization noise): each is replaced by its most likely kind. The soft gates learn to work with gates as they will be in the final circuit.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.25
    },
    {
      "name": "settle",
      "help": "How fast the fraction of soft gates shrinks while the soft error is small: by this fraction per epoch. 0 keeps it.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.01
    },
    {
      "name": "settle_below",
      "help": "The fraction of soft gates shrinks while the soft error (averaged over about twenty epochs) is below this, and grows back while it is above.",
      "kind": "number",
      "min": 1e-6,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": true,
      "default": 0.02
    },
    {
      "name": "mend",
      "help": "Local search: how many changes of single gates are tried after an epoch, once few cells are wrong. A change is kept if fewer cells are wrong with it. 0 turns local search off.",
      "kind": "integer",
      "min": 0.0,
      "max": 1000.0,
      "unit": "changes",
      "live": true,
      "log": false,
      "default": 40
    },
    {
      "name": "anew_after",
      "help": "The run restarts with fresh gates and wires after this many epochs in which neither the hard error halved nor a proof held. Success depends on the random start, and a bad start shows early. 0 turns restarts off.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "epochs",
      "live": true,
      "log": false,
      "default": 150
    },
    {
      "name": "epochs",
      "help": "Epochs per iteration.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "epochs",
      "live": true,
      "log": true,
      "default": 5
    },
    {
      "name": "prove_every",
      "help": "Iterations between two proofs of the hard circuit. 0 turns proofs off, and restarts too.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "default": 1
    },
    {
      "name": "goal",
      "help": "Proofs in a row that must hold for the run to reach its goal.",
      "kind": "integer",
      "min": 1.0,
      "max": 100.0,
      "unit": "proofs",
      "live": false,
      "log": false,
      "default": 3
    }
  ],
  "usesGpu": false
};
