// The page with which a pupil joins a class that has no server: what the class trains, a name, a seat number from which
// the seed follows, and an answer to the class's question.

import { el, listen, write } from "../core/dom";
import { settingTitle, valueLabel } from "../core/labels";
import { parseWhole } from "../core/recipe";
import { keepNote, type PupilNote } from "./note";
import { showPupil, type PupilContext } from "./pupil";
import { challengeWords, pupilLink, shortCode, type Task } from "./task";
import { MAX_ANSWER, MAX_NAME, NOT_LOADED, problemWith, tidy } from "./text";

/** The seeds that are drawn at random; seat numbers are below. */
const RANDOM_SEEDS = { from: 1_000, to: 999_999 };
const MAX_SEAT = 999;

/** A seed for a pupil without a seat number. */
export function randomSeed(): number {
  const { from, to } = RANDOM_SEEDS;
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return from + (number % (to - from + 1));
}

export class JoinPage {
  readonly element: HTMLElement;
  readonly title = "Class";
  #name = el("input", { type: "text", id: "class-name", autocomplete: "off", maxlength: 2 * MAX_NAME });
  #seat = el("input", { type: "text", id: "class-seat", inputmode: "numeric", autocomplete: "off", maxlength: 3 });
  #answer = el("input", { type: "text", id: "class-answer", autocomplete: "off", maxlength: MAX_ANSWER });
  #problem = el("p", { class: "class-message wrong", role: "alert" });

  constructor(
    readonly page: PupilContext,
    readonly task: Task,
  ) {
    const { lab, question } = task;
    const form = el(
      "form",
      { class: "class-form class-card", novalidate: true },
      el("label", { for: "class-name", text: `Your name, or one that you choose (${MAX_NAME} characters)` }),
      this.#name,
      el("label", { for: "class-seat", text: "Your seat number, if you have one" }),
      this.#seat,
      el("p", {
        class: "quiet small",
        text: "It becomes the seed of your run. Take no number that somebody else has: with the same seed you would both train the same run. Without a number the seed is drawn at random.",
      }),
      question !== "" && el("label", { for: "class-answer", text: question }),
      question !== "" && this.#answer,
      this.#problem,
      el("button", { type: "submit", class: "button primary", text: "Start training" }),
    );
    listen(form, {
      submit: (event) => {
        event.preventDefault();
        void this.#start();
      },
    });
    this.element = el(
      "article",
      { class: "class-page" },
      el("h1", { text: `Join the class: ${lab.about.title}` }),
      el("p", { class: "class-lead", text: lab.about.tagline }),
      el(
        "p",
        {},
        "This class has the code ",
        el("strong", { class: "class-short", text: shortCode(task) }),
        ". ",
        settingsWords(task),
      ),
      form,
      el("p", {
        class: "quiet small",
        text: "Nothing is sent. Name and answer stay in this tab until you make a result code, which you give to your teacher yourself.",
      }),
    );
  }

  destroy(): void {}

  async #start(): Promise<void> {
    const { task, page } = this;
    const name = tidy(this.#name.value);
    const seat = this.#seat.value.trim();
    const answer = tidy(this.#answer.value);
    const number = parseWhole(seat);
    const problem =
      problemWith(name, "The name", MAX_NAME) ??
      (seat !== "" && !(number >= 1 && number <= MAX_SEAT) ? `A seat number is from 1 to ${MAX_SEAT}.` : null) ??
      (answer !== "" ? problemWith(answer, "The answer", MAX_ANSWER) : null);
    write(this.#problem, problem ?? "");
    if (problem !== null) return;
    const seed = seat === "" ? randomSeed() : number;
    const { question } = task;
    const { link } = task;
    const target = await pupilLink(task, seed).catch(() => null);
    if (target === null) return write(this.#problem, NOT_LOADED);
    const note: PupilNote = { name, seed, code: shortCode(task), question, answer, task: link, token: null };
    keepNote(note);
    showPupil(page, note);
    location.hash = target;
  }
}

/** The settings of a task that differ from the defaults, by their titles: `learning rate 0.1`. */
export function settingsListed({ lab, request }: Task): string[] {
  return Object.entries(request.settings).map(([name, value]) => `${settingTitle(lab, name)} ${valueLabel(value)}`);
}

/** The same in a sentence. */
export function settingsWords(task: Task): string {
  const { changes } = task.request;
  const listed = settingsListed(task);
  const words = listed.length === 0 ? "Every run has the usual settings." : `Every run has ${listed.join(", ")}.`;
  const more = changes.length === 0 ? "" : " Settings or data change during the run.";
  return `${words}${more} ${challengeWords(task)}`.trimEnd();
}
