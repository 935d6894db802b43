// The editor for lessons: the text, what is wrong with it by line and column, and the lesson as a pupil sees it. The
// text can be opened and saved as a file, and sent as a link.

import { download } from "../core/checkpoint";
import { button, el, listen, pickFile, write } from "../core/dom";
import { bringIntoSight } from "../core/into-sight";
import { copyButton } from "../ui/copy";
import { LessonBody } from "./body";
import { LIMITS, type Problem } from "./format";
import { formatHelp } from "./format-help";
import { notesOf } from "./notes";
import { lessonLink, loadDraft, readLesson, replaceDraft, saveDraft, type ReadLesson } from "./source";
import { LessonState } from "./state";
import type { LessonTools } from "./step-view";

/** The text is read after this rest. */
const REST_MS = 500;
/** Bytes of a file that is opened: a character may have three. */
const MAX_FILE_BYTES = 3 * LIMITS.characters;

const COPIED = "The link to this lesson is copied. Its text is part of the link.";
const NOT_COPIED =
  "This browser does not let the page copy. Press “Open it as a lesson”, and copy the address of that page.";

export class LessonEditor {
  readonly element: HTMLElement;
  #area = el("textarea", {
    class: "lesson-text",
    spellcheck: "false",
    rows: 24,
    "aria-label": "The text of the lesson",
    "aria-describedby": "lesson-problems-title",
  });
  #problems = el("ol", { class: "lesson-problems" });
  #state = el("p", { class: "label", id: "lesson-problems-title", role: "status" });
  #message = el("p", { class: "lesson-note", role: "status" });
  #preview = el("div", { class: "lesson-preview" });
  #body: LessonBody | null = null;
  #notes = el("details", {}, el("summary", { text: "Notes for teachers" }));
  #step = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts readings; an answer to an older one is dropped. */
  #reading = 0;
  #link: string | null = null;
  #copy = copyButton("Copy link", () => location.origin + location.pathname + (this.#link ?? ""), {
    done: (isCopied) => write(this.#message, isCopied ? COPIED : NOT_COPIED),
  });
  #earlier = button("Bring back my earlier text", () => this.#replace(loadDraft({ earlier: true }) ?? ""));
  #open = button("Open it as a lesson", () => this.#openLesson(), { class: "primary" });

  constructor(
    text: string,
    readonly loadTools: (lab: string) => Promise<LessonTools>,
  ) {
    this.#area.value = text;
    listen(this.#area, { input: () => this.#changed() });
    this.element = el(
      "article",
      { class: "lesson lesson-editor" },
      el("p", { class: "small" }, el("a", { href: "#/lessons", text: "All lessons" })),
      el("h1", { text: "Write a lesson" }),
      el("p", {
        class: "lesson-about",
        text: "A lesson is a plain text with steps, questions and runs. It is checked while you write, and the preview shows it as a pupil sees it. It stays on this device until you send it.",
      }),
      el(
        "p",
        { class: "row" },
        this.#open,
        this.#copy,
        button("Save as a file", () => this.#save()),
        button("Open a file", () => pickFile(".txt,text/plain", (file) => void this.#openFile(file))),
        this.#earlier,
      ),
      this.#message,
      formatHelp(),
      el(
        "div",
        { class: "lesson-desk" },
        el("div", { class: "lesson-write" }, this.#area, this.#state, this.#problems),
        el("div", {}, this.#preview, this.#notes),
      ),
    );
    this.#drawEarlier();
    void this.#read();
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#reading++;
    this.#endPreview();
  }

  #changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), REST_MS);
  }

  async #read(): Promise<void> {
    const reading = ++this.#reading;
    const text = this.#area.value;
    saveDraft(text.slice(0, LIMITS.characters));
    const read = await readLesson(text).catch(() => null);
    const link = read?.lesson ? await lessonLink(text).catch(() => null) : null;
    const tools = read?.lesson ? await this.loadTools(read.lesson.lab).catch(() => null) : null;
    if (reading !== this.#reading) return;
    if (!read) return write(this.#message, "A part of the page could not be loaded. Check the network connection.");
    this.#link = link;
    this.#copy.disabled = this.#open.disabled = link === null;
    const isTooLong = read.lesson !== null && link === null;
    write(
      this.#message,
      isTooLong ? "This text is too long for a link. Save it as a file, which others can open here." : "",
    );
    this.#showProblems(read.problems);
    if (read.lesson && read.lab && tools) this.#show(read, tools);
  }

  #showProblems(problems: readonly Problem[]): void {
    const count = problems.length;
    write(
      this.#state,
      count === 0 ? "Nothing is wrong" : count === 1 ? "One thing is wrong" : `${count} things are wrong`,
    );
    const items = problems.map(({ line, column, text }) =>
      el(
        "li",
        {},
        button(`Line ${line}, column ${column}`, () => this.#select(line, column), { class: "small" }),
        el("span", { text: ` ${text}` }),
      ),
    );
    this.#problems.replaceChildren(...items);
  }

  /** Puts the cursor at a place of the text. */
  #select(line: number, column: number): void {
    const lines = this.#area.value.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    const end = before + (lines[line - 1]?.length ?? 0);
    const start = Math.min(before + column - 1, end);
    this.#area.focus({ preventScroll: true });
    this.#area.setSelectionRange(start, end);
    this.#area.scrollTop = this.#heightOf(start) - this.#area.clientHeight / 2;
    bringIntoSight(this.#area);
  }

  /** How high the text up to a place is. A second text area measures it, because lines may be broken. */
  #heightOf(end: number): number {
    const twin = el("textarea", {
      class: "lesson-text lesson-text-twin",
      rows: 1,
      tabindex: -1,
      "aria-hidden": "true",
    });
    twin.style.width = `${this.#area.offsetWidth}px`;
    twin.value = this.#area.value.slice(0, end);
    this.#area.after(twin);
    const { scrollHeight } = twin;
    twin.remove();
    return scrollHeight;
  }

  #show({ lesson, lab }: ReadLesson, tools: LessonTools): void {
    if (!lesson || !lab) return;
    this.#step = this.#body?.state.kept.step ?? this.#step;
    this.#endPreview();
    const state = new LessonState(lesson, lab, null);
    state.kept.step = Math.min(this.#step, lesson.steps.length - 1);
    this.#body = new LessonBody(state, tools);
    this.#preview.replaceChildren(el("h2", { text: lesson.title }), this.#body.element);
    this.#notes.replaceChildren(el("summary", { text: "Notes for teachers" }), notesOf(lesson));
  }

  #endPreview(): void {
    this.#body?.destroy();
    this.#body?.state.close();
  }

  #openLesson(): void {
    if (this.#link !== null) location.hash = this.#link;
  }

  #save(): void {
    const name = /^lesson:\s*(.+)$/m.exec(this.#area.value)?.[1] ?? "lesson";
    const safe =
      name
        .replace(/[^\p{L}\p{N} -]/gu, "")
        .trim()
        .slice(0, 60) || "lesson";
    download(`${safe}.txt`, new TextEncoder().encode(this.#area.value));
  }

  async #openFile(file: File): Promise<void> {
    const tooLong = `${file.name} is too long to be a lesson.`;
    if (file.size > MAX_FILE_BYTES) return write(this.#message, tooLong);
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      if (text.length > LIMITS.characters) return write(this.#message, tooLong);
      this.#replace(text);
    } catch {
      write(this.#message, `${file.name} is not a text in UTF-8.`);
    }
  }

  /** Another text takes the place of this one, which can be brought back. */
  #replace(text: string): void {
    replaceDraft(text);
    this.#area.value = text;
    this.#drawEarlier();
    void this.#read();
  }

  #drawEarlier(): void {
    const earlier = loadDraft({ earlier: true });
    this.#earlier.hidden = earlier === null || earlier === this.#area.value;
  }
}
