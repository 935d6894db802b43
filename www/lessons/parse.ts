// Reads a lesson from its text. Reading never fails: what is wrong becomes a problem with its line and column that says
// what to write instead, and a lesson with problems is not shown. docs/lessons.md describes the format.

import { quoted } from "../core/values";
import { sentence } from "../core/format";
import type { LabInfo } from "../generated/protocol";
import { isName, nameProblem, readBlock } from "./blocks";
import { isTraining, LIMITS, partsOf, type Lesson, type Part, type Place, type Problem, type Step } from "./format";
import { readLines, type Block, type Line, type Property } from "./lines";
import { checkReferences, type Named } from "./references";
import type { Report } from "./properties";

/** What the parser has to know of the page. */
export interface ParseContext {
  /** The ids of all labs. */
  labs: readonly string[];
  /** The lab that the text names; null if there is no such lab. */
  lab: LabInfo | null;
  /** Whether its runs can learn a text. */
  takesText: boolean;
}

export interface Parsed {
  /** Null if there are problems. */
  lesson: Lesson | null;
  /** In the order of their places; at most `LIMITS.problems`. */
  problems: Problem[];
}

const HEADER_KEYS = ["lesson", "lab", "about", "level", "terms"];
const isKey = (word: string) => HEADER_KEYS.includes(word) || word === "minutes";
const MAX_MINUTES = 120;

/** The id of the lab that a text names, before it is read: the page loads this lab first. */
export function labNamed(text: string): string | null {
  return /^lab:[ \t]*([\w-]{1,40})[ \t]*$/m.exec(text.slice(0, LIMITS.characters))?.[1] ?? null;
}

export function parseLesson(text: string, context: ParseContext): Parsed {
  const { lines, problems } = readLines(text, isKey);
  // The text is too long to be read at all.
  if (lines.length === 0 && problems.length > 0) return { lesson: null, problems: listed(problems) };
  const reader = new LessonReader(context, problems);
  for (const line of lines) reader.read(line);
  const lesson = reader.end();
  return { lesson: problems.length === 0 ? lesson : null, problems: listed(problems) };
}

/** The first problems by their places. */
function listed(problems: Problem[]): Problem[] {
  const sorted = problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return sorted.slice(0, LIMITS.problems).map((problem) => ({ ...problem, text: sentence(problem.text) }));
}

class LessonReader {
  #lesson: Lesson = { title: "", lab: "", about: "", level: "", terms: [], notes: [], steps: [], texts: new Map() };
  #header = new Map<string, Property>();
  #step: Step | null = null;
  /** Whether the present step has said how long it takes. */
  #hasMinutes = false;
  /** Whether the last line was text, to which the next one belongs. */
  #inText = false;
  #parts = 0;
  #named: Named[] = [];
  #report: Report;

  constructor(
    readonly context: ParseContext,
    problems: Problem[],
  ) {
    this.#report = ({ line, column }, text) => problems.push({ line, column, text });
  }

  read(line: Line): void {
    const inText = this.#inText;
    this.#inText = line.type === "text";
    switch (line.type) {
      case "blank":
        return;
      case "title":
        return this.#begin(line.text, line.at);
      case "property":
        return this.#property(line.property);
      case "block":
        return this.#block(line.block);
      case "note": {
        const { notes } = this.#step ?? this.#lesson;
        notes.push(line.text);
        return;
      }
      case "item": {
        const last = this.#step?.parts.at(-1);
        if (last?.kind === "list") last.items.push(line.text);
        else this.#add({ kind: "list", items: [line.text] }, line.at);
        return;
      }
      case "text": {
        const last = this.#step?.parts.at(-1);
        if (inText && last?.kind === "text") last.text += ` ${line.text}`;
        else this.#add({ kind: "text", text: line.text }, line.at);
      }
    }
  }

  /** Reads what can only be read when everything else is known. */
  end(): Lesson {
    const lesson = this.#lesson;
    const { labs, lab } = this.context;
    const header = (key: string) => this.#header.get(key)?.value ?? "";
    const start = { line: 1, column: 1 };
    lesson.title = header("lesson");
    lesson.lab = header("lab");
    lesson.about = header("about");
    lesson.level = header("level");
    lesson.terms = header("terms")
      .split(",")
      .flatMap((term) => term.trim() || []);
    if (lesson.title === "")
      this.#report(
        this.#header.get("lesson")?.valueAt ?? start,
        "This lesson has no title. Begin with a line such as: lesson: How fast is too fast",
      );
    if (!labs.includes(lesson.lab) || !lab) {
      const named = this.#header.get("lab");
      const wrong = named ? `There is no lab called ${quoted(named.value)}` : "This lesson names no lab";
      this.#report(
        named?.valueAt ?? start,
        `${wrong}. Write before the first step a line “lab:” with one of: ${labs.join(", ")}`,
      );
    }
    if (lesson.steps.length === 0)
      this.#report(start, "This lesson has no steps. Begin each with a line such as: # Predict");
    this.#endStep();
    const runs = partsOf(lesson).filter(isTraining).length;
    if (runs > LIMITS.runs)
      this.#report(
        start,
        `This lesson has ${runs} blocks that train, and a lesson may have ${LIMITS.runs}. Remove some`,
      );
    if (lab) checkReferences(lesson, this.#named, lab, this.context.takesText, this.#report);
    return lesson;
  }

  #begin(title: string, at: Place): void {
    this.#endStep();
    const { steps } = this.#lesson;
    if (title === "") this.#report(at, "This step has no title. Write it behind the #, such as: # Predict");
    if (steps.length === LIMITS.steps)
      this.#report(at, `A lesson has at most ${LIMITS.steps} steps. Join some of them`);
    // A step takes 5 minutes unless it says otherwise.
    this.#step = { title, minutes: 5, parts: [], notes: [] };
    this.#hasMinutes = false;
    if (steps.length < LIMITS.steps) steps.push(this.#step);
  }

  /** Ends the step that is read. One without parts gets an empty paragraph, so that every step has a part. */
  #endStep(): void {
    const step = this.#step;
    if (step && step.parts.length === 0 && this.#lesson.steps.includes(step))
      step.parts.push({ kind: "text", text: "" });
  }

  #property(property: Property): void {
    const { key, value, at, valueAt } = property;
    if (key === "minutes") {
      const minutes = Number(value);
      if (!this.#step)
        return this.#report(at, "“minutes:” belongs to a step. Write it below a line that begins with #");
      if (this.#hasMinutes) return this.#report(at, "“minutes:” stands twice in this step. Keep one of the two lines");
      this.#hasMinutes = true;
      if (!/^\d+$/.test(value) || minutes < 1 || minutes > MAX_MINUTES)
        return this.#report(
          valueAt,
          `${quoted(value)} is not allowed for minutes. Write a whole number from 1 to ${MAX_MINUTES}`,
        );
      this.#step.minutes = minutes;
      return;
    }
    if (this.#step) {
      // A sentence of the text may begin like a line of the header, such as “about: …”.
      this.#inText = true;
      return this.#add({ kind: "text", text: `${key}: ${value}` }, at);
    }
    if (this.#header.has(key)) return this.#report(at, `“${key}:” stands twice. Keep one of the two lines`);
    this.#header.set(key, property);
  }

  #block(block: Block): void {
    const { lab } = this.context;
    if (block.kind === "text") return this.#textBlock(block);
    const part = lab && readBlock(block, lab, this.#report);
    if (!part) return;
    this.#named.push({ part, block });
    this.#add(part, block.at);
  }

  #textBlock(block: Block): void {
    const { texts } = this.#lesson;
    const text = block.raw.join("\n").trim();
    if (!isName(block.name)) this.#report(block.nameAt, nameProblem(block));
    else if (texts.has(block.name))
      this.#report(block.nameAt, `There are two texts called ${quoted(block.name)}. Give one another name`);
    else if (text === "")
      this.#report(block.at, "This text is empty. Write its lines below, each with two spaces before it");
    else texts.set(block.name, text);
  }

  #add(part: Part, at: Place): void {
    if (!this.#step) return this.#report(at, this.#beforeSteps(part));
    if (++this.#parts === LIMITS.parts + 1)
      this.#report(at, `A lesson has at most ${LIMITS.parts} paragraphs and blocks. Make two lessons of it`);
    if (this.#parts <= LIMITS.parts) this.#step.parts.push(part);
  }

  #beforeSteps(part: Part): string {
    const keys = HEADER_KEYS.map((key) => `${key}:`).join(", ");
    if (part.kind === "text" || part.kind === "list")
      return `This stands before the first step, where only these lines can stand: ${keys}. Begin a step above it: # Read`;
    return "This block stands before the first step. Begin a step above it: # Predict";
  }
}
