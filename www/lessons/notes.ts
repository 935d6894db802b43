// The teacher's notes of a lesson: how long each step takes, what pupils usually answer, misconceptions, for whom it is
// and which standard terms it uses.

import { el } from "../core/dom";
import { formatCount } from "../core/format";
import { withTerms } from "../ui/term";
import { minutesOf, type Lesson } from "./format";

export function notesOf(lesson: Lesson): HTMLElement {
  const paragraphs = (notes: readonly string[]) => {
    const known = new Set<string>();
    // An empty note line divides paragraphs.
    const texts = notes
      .join("\n")
      .split(/\n\n+/)
      .map((text) => text.replaceAll("\n", " ").trim());
    return texts.filter(Boolean).map((text) => el("p", {}, ...withTerms(text, lesson.lab, known)));
  };
  const facts: [string, string][] = [
    ["For", lesson.level],
    ["Time", formatCount(minutesOf(lesson), "minute")],
    ["Terms", lesson.terms.join(", ")],
  ];
  const shown = facts.filter(([, text]) => text !== "");
  return el(
    "article",
    { class: "lesson-notes" },
    el("h2", { text: "For teachers" }),
    el("dl", {}, ...shown.flatMap(([name, text]) => [el("dt", { text: name }), el("dd", { text })])),
    el("p", {
      text: "On computers that pupils share, press “Clear my answers” at the beginning: answers and results stay in the browser. A run starts only after the predictions about it are made. But pupils can open every step at any time, so let them go in order.",
    }),
    el(
      "p",
      {},
      "To collect answers, open a class with this lesson on the page ",
      el("a", { href: "#/class", text: "A class" }),
      ". Without a server, pupils make a lesson code with “Lesson code for a class…” below the last step, and give it to you.",
    ),
    ...paragraphs(lesson.notes),
    ...lesson.steps.map(({ title, minutes, notes }, i) =>
      el(
        "section",
        {},
        el("h3", { text: `${i + 1}. ${title} (${formatCount(minutes, "minute")})` }),
        ...(notes.length > 0 ? paragraphs(notes) : [el("p", { class: "quiet", text: "No notes." })]),
      ),
    ),
  );
}
