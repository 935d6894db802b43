// The teacher's page of a class without a server: opens a class, collects result codes and lesson codes, and shows the
// class.

import { download } from "../core/checkpoint";
import { button, el, listen, pickFiles, write } from "../core/dom";
import { formatInteger } from "../core/format";
import type { Run } from "../core/run";
import { LABS } from "../generated/labs";
import { copyButton } from "../ui/copy";
import { withoutRepeats } from "./answers";
import { AnswersView } from "./answers-view";
import { codesIn } from "./code-text";
import { addedWords, isLessonResult, isRun, readCollected, whichWords } from "./collected";
import { Collection } from "./collection";
import type { ClassChallenge } from "./done-challenges";
import { joinCard } from "./join-card";
import { KnownLessons } from "./known-lessons";
import { isLessonLink, type LoadLessons } from "./lesson";
import { lessonGroups } from "./lesson-groups";
import { LessonsView } from "./lessons-view";
import { NameCover } from "./name-cover";
import { OpenForm, type ClassTask } from "./open-form";
import { ResultsView } from "./results-view";
import { keepTask, keptCodes, keptTask, onKeptElsewhere } from "./store";
import { challengeIn, classLink, shortCode, taskOf } from "./task";
import "./class.css";

/** A text that is pasted or dropped may have this many characters. */
const MAX_TEXT = 1_000_000;

const RUN_WORDS =
  "Show the QR code or send the link. The code says which class it is: every pupil's page shows it too. Pupils make a result code with “Hand in my result”. Collect these codes below.";
const LESSON_WORDS =
  "Show the QR code or send the link: it opens the lesson. In its last step every pupil makes a lesson code with “Lesson code for a class…”. Collect these codes below.";

const FORGET = "Forget all codes and the class";

export class TeacherPage {
  readonly element: HTMLElement;
  readonly title = "A class";
  #results: ResultsView;
  #names = new NameCover();
  #namesRow = el("p", { class: "row", hidden: true }, this.#names.button);
  #answers = new AnswersView();
  #lessonsView = new LessonsView(this.#names, (code) => this.#remove(code));
  #known: KnownLessons;
  #board = el("div", {});
  #paste = el("textarea", { class: "mono", id: "class-paste", rows: 3, spellcheck: "false" });
  #message = el("p", { class: "class-message", role: "status" });
  #kept: HTMLElement;
  #forget = button(FORGET, () => this.#askToForget());
  #collection = new Collection((code) => readCollected(code, this.#known));
  /** The recipe of the class's task; null without one. */
  #recipe: string | null = null;
  /** Its challenge; null without one. */
  #challenge: ClassChallenge | null = null;
  #stopListening = onKeptElsewhere(() => void this.#load());

  constructor(run: Run, lessons: LoadLessons) {
    this.#known = new KnownLessons(lessons);
    this.#results = new ResultsView(run.cpuBundle, (id) => this.#remove(id), true);
    const form = new OpenForm({
      run,
      loadLessons: lessons,
      open: async (task) => {
        await this.#open(task);
        return null;
      },
      asksInLessons: false,
      submitLabel: "Make the link for the pupils",
    });
    const task = keptTask();
    if (task) form.fillIn(`${location.origin}${location.pathname}#/${task.link}`, task.question);
    this.#kept = el(
      "div",
      { class: "row" },
      copyButton("Copy all codes", () => keptCodes().join("\n")),
      button("Save all codes", () => {
        download("learnery-class.txt", new TextEncoder().encode(`${keptCodes().join("\n")}\n`));
      }),
      this.#forget,
    );
    this.element = el(
      "article",
      { class: "class-page" },
      el("h1", { text: "A class" }),
      el("p", {
        class: "class-lead",
        text: "Every pupil trains with the same settings, but with random numbers of their own (a seed). One run cannot show how much luck matters; all together can. Or the class does a lesson: there everybody's runs have the same seeds. There are no accounts, and no server is needed.",
      }),
      el("section", { class: "class-part" }, el("h2", { text: "Open a class" }), form.element, this.#board),
      el(
        "section",
        { class: "class-part" },
        el("h2", { text: "Collect codes" }),
        el("p", {
          class: "quiet",
          text: "Paste codes, open files with codes, or scan QR codes with a phone. Codes scanned by a phone stay on it: press “Copy all codes” there, and paste them here.",
        }),
        el("label", { for: "class-paste", class: "label", text: "Codes or links, as many as you like" }),
        this.#paste,
        el(
          "div",
          { class: "row" },
          button("Add", () => void this.#addPasted(), { class: "primary" }),
          button("Open text files…", () => pickFiles(".txt,text/plain", (files) => void this.#addFiles(files))),
        ),
        this.#message,
        this.#kept,
        el("p", {
          class: "quiet small",
          text: "Codes are kept in this browser until you forget them, and sent nowhere. They hold the names that the pupils chose, and their answers.",
        }),
      ),
      this.#namesRow,
      this.#results.element,
      this.#answers.element,
      this.#lessonsView.element,
    );
    listen(this.element, {
      drop: (event) => {
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault(); // the page would take it for a checkpoint
        void this.#addFiles(files);
      },
    });
    this.#names.on("changed", () => {
      this.#say(""); // it may name a pupil
      this.#draw();
    });
    void this.#load();
    if (task) void this.#showKept(task.link, task.question);
  }

  destroy(): void {
    this.#stopListening();
    this.#results.destroy();
  }

  /** Adds the codes in a text, such as an address or a message. */
  async add(text: string): Promise<void> {
    if (text.length > MAX_TEXT) return this.#say("This text is too long to look for codes in it.", true);
    const codes = codesIn(text);
    if (codes.length === 0) return this.#say("There is no code in this text. A code begins with LC1 or LL1.", true);
    const { items, known, problems } = await this.#collection.add(codes);
    this.#draw();
    const said = addedWords(items, this.#names.hides);
    const more = known === 0 ? "" : ` ${known === 1 ? "One was" : `${formatInteger(known)} were`} here already.`;
    const wrong = [...problems].map(([problem, numbers]) => ` ${whichWords(codes, numbers)}${problem}`);
    this.#say(`${said}${more}${wrong.join("")}`, problems.size > 0);
  }

  async #addPasted(): Promise<void> {
    const text = this.#paste.value;
    await this.add(text);
    if (codesIn(text).length > 0) this.#paste.value = "";
  }

  async #addFiles(files: File[]): Promise<void> {
    if (files.reduce((bytes, { size }) => bytes + size, 0) > MAX_TEXT)
      return this.#say("These files are too long to look for codes in them.", true);
    try {
      await this.add((await Promise.all(files.map((file) => file.text()))).join("\n"));
    } catch {
      this.#say("A file could not be read.", true);
    }
  }

  /** Shows what is kept in this browser. */
  async #load(): Promise<void> {
    await this.#collection.load();
    this.#draw();
  }

  #remove(id: string): void {
    this.#collection.remove(id);
    this.#draw();
  }

  /** The first press asks, the second one forgets. */
  #askToForget(): void {
    if (this.#forget.textContent === FORGET) {
      write(this.#forget, `Really ${FORGET.toLowerCase()}?`);
      this.#forget.addEventListener("blur", () => write(this.#forget, FORGET), { once: true });
      return;
    }
    this.#clear();
    write(this.#forget, FORGET);
  }

  #clear(): void {
    this.#collection.clear();
    keepTask(null);
    this.#recipe = null;
    this.#challenge = null;
    this.#results.forget();
    this.#known.ofClass = null;
    this.#board.replaceChildren();
    this.#draw();
    this.#say("All codes and the class are forgotten.");
  }

  async #showKept(link: string, question: string): Promise<void> {
    const task = isLessonLink(link)
      ? await this.#known.read(link)
      : await taskOf(link, question, LABS).catch(() => null);
    if (task && !("problem" in task)) await this.#open(task);
  }

  async #open(task: ClassTask): Promise<void> {
    const isLesson = "questions" in task;
    keepTask({ link: task.link, question: isLesson ? "" : task.question });
    this.#recipe = isLesson ? null : task.recipe;
    this.#challenge = isLesson ? null : challengeIn(task);
    this.#known.ofClass = isLesson ? task : null;
    this.#draw();
    const base = `${location.origin}${location.pathname}`;
    const card = isLesson
      ? joinCard({ address: `${base}#/${task.link}`, code: null, note: LESSON_WORDS })
      : joinCard({ address: `${base}${classLink(task)}`, code: shortCode(task), note: RUN_WORDS });
    this.#board.replaceChildren(await card);
  }

  #draw(): void {
    this.#kept.hidden = keptCodes().length === 0 && keptTask() === null;
    const all = [...this.#collection.entries.values()];
    const entries = all.filter(isRun);
    this.#namesRow.hidden = all.length === 0;
    const covered = entries.map((entry, i) => ({ ...entry, name: this.#names.shown(entry.name, i + 1) }));
    this.#results.show(covered, this.#recipe, this.#challenge);
    this.#answers.show(withoutRepeats(entries), this.#names.hides);
    this.#lessonsView.show(lessonGroups(all.filter(isLessonResult), this.#known.tasks));
  }

  #say(text: string, wrong = false): void {
    write(this.#message, text);
    this.#message.classList.toggle("wrong", wrong);
  }
}
