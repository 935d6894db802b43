// The guided minute of the language lab: what it writes, how one sees that it learns, a look inside, and what the
// temperature does. Tasks have a grid of problems; stories and texts have a loss instead.

import type { Run } from "../../core/run";
import type { Caption } from "../../ui/tour-caption";
import { sourceOf } from "./sources";

export function captions({ settings }: Run): Caption[] {
  const source = sourceOf(settings);
  const isText = source === "stories" || source === "text";
  const [piece, pieces] = isText ? ["piece of text", "pieces"] : ["character", "characters"];
  const writing: Caption = {
    at: [".language-stage"],
    text: `The network writes one ${piece} at a time: it predicts what comes next, writes it, and looks again.`,
    task: "Press “Generate again”.",
    actsOn: ".language-controls .button",
  };
  const problems: Caption = {
    at: [".language-problems"],
    text: "Each square is a problem that the network never practised. Green: it gave the right answer.",
    task: "Press a square to read its problem.",
    actsOn: ".language-grid-frame",
  };
  const loss: Caption = {
    at: [".goal"],
    text: "Here you see that it learns: how many bits each letter of a new text costs it. A plain file needs 8.",
    task: "Watch the number fall.",
    done: ({ run, before }) => run.series.last("bits") < (before("bits") || Infinity),
  };
  const answers: Caption = {
    at: [".goal"],
    text: "Here you see that it learns: the share of right answers. It has never seen these problems.",
    task: "Watch the number rise.",
    done: ({ run, before }) => run.series.last("exact") > (before("exact") || 0),
  };
  return [
    ...(isText ? [writing, loss] : [problems, answers, writing]),
    {
      at: [".language-reading"],
      text: `A look inside: its attention heads decide which earlier ${pieces} matter for the next one.`,
      task: `Press one of the ${pieces}.`,
      actsOn: ".language-reading",
    },
    {
      at: [".language-sampling"],
      text: `Temperature: how freely it chooses. At 0 it always writes the most probable ${piece}.`,
      task: "Drag Temperature to the right end.",
      actsOn: ".language-sampling",
    },
    {
      at: [".language-stage"],
      text: `Now it also writes improbable ${pieces}, so it makes mistakes that it would avoid otherwise.`,
      task: "Read what it writes, then drag Temperature back.",
      actsOn: ".language-sampling",
    },
  ];
}
