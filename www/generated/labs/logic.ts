// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "logic",
    "title": "Logic",
    "tagline": "Cells made of logic gates that learn which gates to be, until together they grow a picture.",
    "agent": "One circuit of a few thousand two-input gates, the same in every cell. While it learns, a gate is a mixture of all sixteen kinds; decided, it is the likeliest of them, and a cell is pure logic.",
    "goal": "Grow exactly what is asked for with every gate decided: the game of life in all its neighbourhoods, a checkerboard from any start and on a larger grid, the same healed after a wound, a figure, a coloured letter. Three proofs in a row must hold.",
    "picture": "The same grid twice, with undecided gates and with decided ones. Wound it, let it grow larger, draw what it is to become; and look into the circuit of one cell.",
    "work": "cell steps",
    "unit": "iteration",
    "presets": [
      {
        "name": "checkerboard",
        "help": "A checkerboard out of random cells: the first to watch.",
        "settings": "{}"
      },
      {
        "name": "life",
        "help": "The rule of the game of life, 57 of its 512 neighbourhoods an epoch.",
        "settings": "{\"experiment\": \"life\", \"batch\": 57, \"steps\": 1, \"epochs\": 20, \"certainty\": 10.0,\n            \"scatter\": 0.5, \"decided\": 0.5, \"settle_below\": 0.002, \"mend\": 0, \"anew_after\": 2000, \"looks\": \"alike\"}"
      },
      {
        "name": "async",
        "help": "The checkerboard where every cell acts when it likes: it heals.",
        "settings": "{\"experiment\": \"async\", \"batch\": 1, \"steps\": 50, \"fire_rate\": 0.6, \"prove_every\": 2,\n            \"decided\": 0.5, \"settle_below\": 0.002, \"mend\": 0, \"anew_after\": 300}"
      },
      {
        "name": "figure",
        "help": "A figure out of a single cell.",
        "settings": "{\"experiment\": \"figure\", \"batch\": 1, \"steps\": 12, \"epochs\": 5, \"certainty\": 10.0, \"settle_below\": 0.002, \"mend\": 0,\n            \"weight_decay\": 0.03, \"anew_after\": 600}"
      },
      {
        "name": "letter",
        "help": "A coloured letter out of nothing.",
        "settings": "{\"experiment\": \"letter\", \"batch\": 1, \"steps\": 15, \"epochs\": 5, \"decided\": 0.5, \"settle_below\": 0.002, \"mend\": 0,\n            \"anew_after\": 1500}"
      },
      {
        "name": "life-published",
        "help": "Life as it was published: 20 examples an epoch, and no gate decided before the end.",
        "settings": "{\"experiment\": \"life\", \"batch\": 20, \"steps\": 1, \"epochs\": 20, \"learning_rate\": 0.05,\n            \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "checkerboard-published",
        "help": "The checkerboard as it was published: no gate decided before the end.",
        "settings": "{\"learning_rate\": 0.05, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "async-published",
        "help": "The checkerboard of sleepy cells as it was published: no gate decided before the end.",
        "settings": "{\"experiment\": \"async\", \"batch\": 1, \"steps\": 50, \"fire_rate\": 0.6, \"prove_every\": 2,\n            \"learning_rate\": 0.05, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "figure-published",
        "help": "The figure as it was published: no gate decided before the end.",
        "settings": "{\"experiment\": \"figure\", \"batch\": 1, \"steps\": 12, \"epochs\": 5,\n            \"learning_rate\": 0.06, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      },
      {
        "name": "letter-published",
        "help": "The letter as it was published: no gate decided before the end.",
        "settings": "{\"experiment\": \"letter\", \"batch\": 1, \"steps\": 15, \"epochs\": 5,\n            \"learning_rate\": 0.06, \"certainty\": 10.0, \"decided\": 0.0, \"settle\": 0.0, \"mend\": 0, \"anew_after\": 0, \"looks\": \"alike\"}"
      }
    ],
    "metrics": [
      {
        "name": "proof",
        "label": "proof",
        "help": "Cells that are right with every gate decided, from starts it did not learn from, in the worst of the last proofs.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "softError",
        "label": "soft error",
        "help": "Mean squared error of a shown cell: what it learns by.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "hardError",
        "label": "hard error",
        "help": "Share of shown cells that are wrong with every gate decided.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "gap",
        "label": "discretisation gap",
        "help": "What deciding the gates costs: hard error less soft error.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "changed",
        "label": "gates at work",
        "help": "Gates that are no longer a mere wire.",
        "unit": "gates",
        "better": "neither"
      },
      {
        "name": "decided",
        "label": "decided",
        "help": "Gates that are decided while the others learn, drawn anew for every epoch.",
        "unit": "%",
        "better": "neither"
      },
      {
        "name": "mended",
        "label": "mended",
        "help": "Gates that were made another kind, one after the other, because fewer cells were wrong then.",
        "unit": "gates",
        "better": "neither"
      },
      {
        "name": "attempt",
        "label": "attempt",
        "help": "How many times it has begun with fresh gates and wires, having got nowhere for long.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "wrong",
        "label": "wrong cells",
        "help": "Cells a grid that were wrong in the last proof.",
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
      "help": "What is to be grown: the rule of the game of life, a checkerboard, the same where cells act when they like (async), a figure out of one cell, or a coloured letter out of nothing.",
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
      "help": "What is learned of a gate: a number for each of its sixteen kinds, or one for each of the four lines of its truth table (table), which is a quarter of the memory.",
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
      "help": "Where the kernels look at first: all at the same neighbours (alike, as published), so that news travels one way or two until they have learned to look elsewhere, or to all sides (around).",
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
      "help": "How sure each gate is at first that it hands on its first input.",
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
      "help": "How far apart the kinds of a gate stand at first (the spread of random numbers): what is exactly alike learns exactly alike, and would never be decided.",
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
      "help": "Grids that are grown side by side and learned from together.",
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
      "help": "Steps from the start to what is judged.",
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
      "help": "How often a cell acts; the others stay as they are for the step. For async.",
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
      "help": "How far each update moves what is learned (AdamW).",
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
      "help": "How fast Adam forgets old gradients; the square of a gradient is forgotten more slowly, as below.",
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
      "help": "How slowly the squares of gradients are forgotten.",
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
      "help": "How much of what is learned goes in each update, times the learning rate.",
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
      "help": "Most that any number of a gradient may be.",
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
      "help": "Share of the gates that are decided in an epoch, drawn anew for each: the others learn to do with gates as they will be in the end (quantisation noise).",
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
      "help": "How fast the others become fewer while the soft error is small: by this share in each epoch; 0 for not at all.",
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
      "help": "They become fewer while the soft error, its mean over twenty epochs or so, is below this, and more again above.",
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
      "help": "Changes of single gates that are tried after an epoch while few cells are wrong with every gate decided; those that leave fewer wrong are kept. 0 for none.",
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
      "help": "Epochs of getting nowhere after which it begins anew with fresh gates and wires, neither the hard error having halved nor a proof having held; 0 for never. Whether gates come right is luck too, and bad luck shows early.",
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
      "help": "Epochs in an iteration.",
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
      "help": "The decided circuit is put to the proof every so many iterations; 0 for never.",
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
      "help": "So many proofs one after the other must hold.",
      "kind": "integer",
      "min": 1.0,
      "max": 100.0,
      "unit": "proofs",
      "live": false,
      "log": false,
      "default": 3
    }
  ]
};
