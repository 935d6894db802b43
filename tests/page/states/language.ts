// States of runs of the language lab, with a task and with stories or a text.

import { TEMPERATURE_SLIDER, TEMPERATURES } from "../../../www/labs/language/temperatures";
import type { Course, LabStates } from "../lab-states";

const isText = (source: unknown) => source === "stories" || source === "text";

/** A sample with a prompt of one token, whose other tokens had this probability. */
const sample = (probability: number) => ({
  pieces: Array.from({ length: 40 }, (_, i) => ({ text: "2", probability: i === 0 ? 1 : probability })),
  promptPieces: 1,
});
/** What a view has of the text that is written: at a high temperature the network is less sure of it. */
const writing = (temperature: number) => ({ temperature, sample: sample(temperature > 1 ? 0.25 : 0.9) });

/** A view. With a task (`hasGrid`) it has a grid of problems, and `own` if the visitor has asked one. */
const view = (temperature: number, own: object | null = null, hasGrid = true) => ({
  ...writing(temperature),
  grid: hasGrid ? { own } : null,
});
const problem = { question: "1+2=", answer: "3", given: "3" };
/** What moving the slider sends, and what the view has after it. */
const moved = (temperature: number) => ({
  command: { type: "dials", temperature, topK: 0 },
  view: writing(temperature),
});

const TEXT: Course = {
  first: { bits: 7.6, loss: 7.6 },
  learning: { bits: 3, loss: 3 },
  learned: { bits: 1.2, loss: 1.1 },
  lost: { bits: 7, loss: 8 },
};
const TASK: Course = {
  first: { exact: 0, loss: 5.8 },
  learning: { exact: 40, loss: 2 },
  learned: { exact: 99.5, loss: 0.9 },
  lost: { exact: 2, loss: 6 },
};

export const states: LabStates = {
  course: ({ source }) => (isText(source) ? TEXT : TASK),
  view: ({ source }) => view(0.8, null, !isText(source)),
  answers: {
    "Generate again": { command: { type: "again" } },
    ".language-reading .piece": { command: { type: "token", index: 0 } },
    [`${TEMPERATURE_SLIDER} to ${TEMPERATURES.indexOf(2)}`]: moved(2),
    [`${TEMPERATURE_SLIDER} to ${TEMPERATURES.indexOf(0.8)}`]: moved(0.8),
  },
  views: ({ source }) =>
    isText(source) ? [0, 0.8, 2].map((each) => view(each, null, false)) : [view(0), view(0, problem)],
  done: [
    [view(0, problem), /^Type a problem/],
    [view(2, null, false), /more freely/],
    [view(0.8, null, false), /less freely/],
  ],
  outcomes: [[/next test/, [{ exact: 97 }], "Right answers: 97%; before: 99.50%."]],
};
