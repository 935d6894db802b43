// A lesson on paper: its texts and questions with lines to write on, or with the answers that the reader has given.

import { qrCode } from "../class/qr";
import { el } from "../core/dom";
import { formatCount, formatTick } from "../core/format";
import {
  isQuestion,
  questionNamed,
  isTraining,
  minutesOf,
  type Part,
  type QuestionPart,
  type RunPart,
  type SeedsPart,
  type Step,
} from "./format";
import { comparisonWords } from "./values";
import { factsOf } from "./seeds-block";
import { triesOf } from "./sent-results";
import type { LessonState } from "./state";

/** A longer address nobody types; the QR code has it. */
const MAX_TYPED_ADDRESS = 100;
/** A longer address is not printed even where there is no QR code. */
const MAX_PRINTED_ADDRESS = 400;

/** The sheet; with `filled` it holds the reader's answers and results. */
export function sheetOf(state: LessonState, filled: boolean): HTMLElement {
  const { lesson, lab } = state;
  return el(
    "article",
    { class: "lesson-sheet" },
    el("h2", { text: lesson.title }),
    el("p", {
      class: "quiet",
      text: `Learnery, ${lab.about.title}. About ${formatCount(minutesOf(lesson), "minute")}.`,
    }),
    ...addressOf(),
    el("p", { class: "lesson-sheet-name", text: "Name:" }),
    ...lesson.steps.map((step, i) => stepOf(state, step, i, filled)),
  );
}

/**
 * Where the lesson is found: to type, and as a QR code, which is there a moment later. A long address is only in the
 * code.
 */
function addressOf(): HTMLElement[] {
  const { host, pathname, hash, href } = location;
  const address = `${host}${pathname}${hash}`;
  const code = el("div", { class: "lesson-sheet-code" });
  const isTyped = address.length <= MAX_TYPED_ADDRESS;
  const text =
    address.length <= MAX_PRINTED_ADDRESS
      ? `Address: ${address}`
      : "The address of this lesson is too long to print: its text is part of it. Open the lesson by its link or its file.";
  const typed = el("p", { class: "lesson-sheet-address", hidden: !isTyped, text });
  void qrCode(href, "QR code of the address of this lesson")
    .catch(() => null)
    .then((drawn) => {
      if (drawn) code.append(drawn);
      else typed.hidden = false;
    });
  return [typed, code];
}

function stepOf(state: LessonState, step: Step, index: number, filled: boolean): HTMLElement {
  const parts = step.parts.map((part) => partOf(state, part, step, filled)).filter((part) => part !== null);
  return el("section", {}, el("h3", { text: `${index + 1}. ${step.title}` }), ...parts);
}

function partOf(state: LessonState, part: Part, step: Step, filled: boolean): HTMLElement | null {
  if (isQuestion(part)) return questionOf(state, part, filled);
  const tries = (block: RunPart | SeedsPart) => {
    const list = filled ? triesOf(state, block) : [];
    return list.length > 0 && el("ul", { class: "lesson-items" }, ...list.map((text) => el("li", { text })));
  };
  switch (part.kind) {
    case "text":
      return el("p", { text: part.text });
    case "list":
      return el("ul", { class: "lesson-items" }, ...part.items.map((text) => el("li", { text })));
    case "check":
      return el("p", { class: "lesson-sheet-box", text: `${filled && state.isTicked(part) ? "☑" : "☐"} ${part.text}` });
    case "compare": {
      if (filled) {
        const question = questionNamed(state.lesson, part.name);
        return question ? el("p", { text: comparisonWords(state, question) }) : null;
      }
      // Of several experiments of this step, each has a line of its own.
      const titles = step.parts.filter(isTraining).filter(({ name }) => part.runs.includes(name));
      const labels = titles.length > 1 ? titles.map(({ title }) => `What happened (${title}):`) : ["What happened:"];
      return el("div", {}, ...labels.flatMap((text) => [el("p", { text }), linesOf(1)]));
    }
    case "run":
      return el("div", {}, el("p", { class: "lesson-sheet-run", text: `On the page: ${part.title}.` }), tries(part));
    case "seeds": {
      const result = filled ? state.completeSeeds(part) : null;
      const facts = result ? ` ${factsOf(state, part, result)}` : "";
      return el(
        "div",
        {},
        el("p", { class: "lesson-sheet-run", text: `On the page: ${part.title}.${facts}` }),
        tries(part),
      );
    }
  }
}

function questionOf(state: LessonState, part: QuestionPart, filled: boolean): HTMLElement {
  const answer = filled ? state.answer(part) : null;
  const ask = el("p", { class: "label", text: part.ask });
  if (part.kind === "choice") {
    const options = part.options.map(({ text }, i) => el("li", { text: `${answer === i ? "☑" : "☐"} ${text}` }));
    return el("div", { class: "lesson-sheet-question" }, ask, el("ul", {}, ...options));
  }
  const range =
    part.kind === "number" &&
    el("p", { class: "quiet", text: `From ${formatTick(part.from)} to ${formatTick(part.to)}.` });
  const given = answer !== null && el("p", { class: "lesson-sheet-answer", text: state.answerWords(part) ?? "" });
  const lines = part.kind === "sentence" ? part.lines : 1;
  return el("div", { class: "lesson-sheet-question" }, ask, range, given || linesOf(lines));
}

/** Lines to write on. */
function linesOf(count: number): HTMLElement {
  const lines = Array.from({ length: count }, () => el("span", { class: "lesson-sheet-line" }));
  return el("div", { class: "lesson-sheet-lines" }, ...lines);
}
