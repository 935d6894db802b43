// The tool "Challenges": the lab's challenges and the one of the link, with how far the open run is in each, and a form
// that makes a link to a challenge of one's own.

import { button, el, write } from "../../core/dom";
import { stageInWords, writeChallenge, type Challenge } from "../../core/challenge";
import { formatInteger } from "../../core/format";
import { settingTitle, valueLabel } from "../../core/labels";
import { writeLink, type Settings } from "../../core/link";
import { presetById } from "../../core/presets";
import { copyButton } from "../copy";
import { icon } from "../icons";
import type { Challenges } from "./challenges";
import { ChallengeMaker } from "./maker";
import "./challenges.css";

export class ChallengesPanel {
  readonly element: HTMLElement;
  #updates: (() => void)[];
  #unsubscribe: () => void;

  constructor(
    readonly challenges: Challenges,
    /** Starts a new run with settings that differ from the defaults. */
    readonly startWith: (settings: Settings) => void,
    /** Begins a challenge in which the visitor first makes something, such as a world: `text` is a link's `show=`. */
    readonly show: (text: string, settings: Settings) => void,
    hasLesson: boolean,
  ) {
    const rows = challenges.all.map((challenge) => this.#row(challenge));
    this.#updates = rows.map(({ update }) => update);
    const { id } = challenges.lab.about;
    const link = el("a", { href: `#/lesson/${id}`, text: "Lesson" });
    const lesson =
      hasLesson && el("p", {}, link, ": step by step, with predictions and ten runs, for a class or alone.");
    this.element = el(
      "section",
      { class: "challenges", "aria-labelledby": "challenges-title" },
      el("h2", { id: "challenges-title", text: "Challenges" }),
      el("p", {
        class: "quiet",
        text: "Tasks for you, not for the agent. They are checked by what happens in the run. This browser remembers which ones you have done.",
      }),
      el("ul", { class: "challenge-list" }, ...rows.map(({ element }) => element)),
      new ChallengeMaker(challenges.lab, challenges.run).element,
      lesson,
    );
    this.#unsubscribe = challenges.on("changed", () => this.#draw());
    this.#draw();
  }

  destroy(): void {
    this.#unsubscribe();
  }

  #draw(): void {
    for (const update of this.#updates) update();
  }

  #row(challenge: Challenge): { element: HTMLElement; update: () => void } {
    const { lab } = this.challenges;
    const { title, hint, settings, stages, show } = challenge;
    const fixed = Object.entries(settings).map(([name, value]) => `${settingTitle(lab, name)}: ${valueLabel(value)}`);
    const goal = stages.map((stage) => stageInWords(lab, stage)).join("; then ");
    const state = el("p", { class: "challenge-state" });
    const sign = el("span", { class: "challenge-sign" });
    sign.append(icon("check"));
    const start = () =>
      show === undefined
        ? this.startWith({ ...presetById(lab, challenge.preset ?? ""), ...settings })
        : this.show(show, settings);
    const copy = copyButton("Copy link", () => this.#linkOf(challenge), { class: "small" });
    const element = el(
      "li",
      { class: "challenge" },
      sign,
      el(
        "div",
        {},
        el("h3", { text: challenge === this.challenges.linked ? `From the link: ${title}` : title }),
        el("p", { text: `Goal: ${goal}.${fixed.length > 0 ? ` Settings: ${fixed.join("; ")}.` : ""}` }),
        hint && el("p", { class: "quiet", text: hint }),
        state,
      ),
      el("p", { class: "row" }, button("Start", start, { class: "small" }), copy),
    );
    const update = () => {
      const done = this.challenges.done(challenge);
      element.classList.toggle("done", done !== null);
      write(state, this.#stateInWords(challenge));
    };
    return { element, update };
  }

  #stateInWords(challenge: Challenge): string {
    const { unit } = this.challenges.lab.about;
    const verdict = this.challenges.verdict(challenge);
    const done = this.challenges.done(challenge);
    const before = done ? `Done in ${unit} ${formatInteger(done.unit)}, seed ${done.seed}. ` : "";
    if (verdict.state === "missed") return before || `Not with this run. ${verdict.reason}`;
    if (verdict.state === "done") return before;
    const count = challenge.stages.length;
    return `${before}${count > 1 ? `This run: ${verdict.stage} of ${count} stages reached.` : before ? "" : "Open."}`;
  }

  #linkOf(challenge: Challenge): string {
    const { lab, run } = this.challenges;
    const { settings, show } = challenge;
    const begins = show === undefined ? writeLink(lab, settings, run.seed) : `#/${lab.about.id}?show=${show}`;
    const link = `${begins}&challenge=${encodeURIComponent(writeChallenge(challenge))}`;
    return location.origin + location.pathname + link;
  }
}
