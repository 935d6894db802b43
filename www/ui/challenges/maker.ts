// A form that makes a link to a challenge of one's own: what has to happen, within how many iterations, and which of
// the run's changed settings it fixes.

import { el, listen } from "../../core/dom";
import { stageInWords, UNITS_METRIC, writeChallenge, type Challenge, type Condition } from "../../core/challenge";
import { settingTitle } from "../../core/labels";
import { changedSettings, settingText, writeLink, type Settings } from "../../core/link";
import type { Run } from "../../core/run";
import type { LabInfo } from "../../generated/protocol";
import { copyableField, copyRow } from "../copy";

/** The conditions that the form offers: a first one, and one that has to follow. */
const STAGE_LABELS = ["It reaches", "and then"];

export class ChallengeMaker {
  readonly element: HTMLElement;
  #title = el("input", { type: "text", id: "challenge-title", maxlength: 80, placeholder: "Faster than mine" });
  #limit = el("input", { type: "text", id: "challenge-limit", inputmode: "numeric", placeholder: "no limit" });
  #stages: (() => Condition | null)[];
  #fixed = el("fieldset", { class: "challenge-fixed" });
  #link = copyableField("challenge-link", "Link to the challenge");
  #words = el("p", { class: "quiet", role: "status" });

  constructor(
    readonly lab: LabInfo,
    readonly run: Run,
  ) {
    const stages = STAGE_LABELS.map((text, i) => this.#condition(text, i));
    this.#stages = stages.map(({ read }) => read);
    const form = el(
      "form",
      { class: "challenge-form" },
      el("label", { for: "challenge-title" }, "Title ", this.#title),
      ...stages.map(({ element }) => element),
      el("label", { for: "challenge-limit" }, `Within this many ${lab.about.unit}s `, this.#limit),
      this.#fixed,
    );
    listen(form, {
      input: () => this.#draw(),
      submit: (event) => event.preventDefault(),
    });
    this.element = el(
      "details",
      { class: "challenge-maker" },
      el("summary", { text: "Make a challenge of your own" }),
      el("p", {
        class: "quiet",
        text: "For a class or a friend: whoever opens the link sees the challenge above the list.",
      }),
      form,
      this.#words,
      copyRow(this.#link),
    );
    // The changed settings are those of the moment when the form is opened.
    listen(this.element, { toggle: () => this.#showFixed() });
    this.#draw();
  }

  /** One condition of the form: a metric, a direction and a value. */
  #condition(text: string, index: number): { element: HTMLElement; read: () => Condition | null } {
    const { about } = this.lab;
    const first = this.run.goal?.metric ?? about.charts[0];
    const options = about.metrics.map(({ name, label }) =>
      el("option", { value: name, selected: name === first, text: label }),
    );
    const metric = el("select", { "aria-label": `${text}: metric` }, ...options);
    const is = el(
      "select",
      { "aria-label": `${text}: direction` },
      el("option", { value: ">=", text: "at least" }),
      el("option", { value: "<=", text: "at most" }),
    );
    const value = el("input", {
      type: "text",
      inputmode: "decimal",
      "aria-label": `${text}: value`,
      value: index === 0 && this.run.goal ? String(this.run.goal.target) : "",
      placeholder: index === 0 ? "value" : "nothing more",
    });
    const read = () => {
      const number = Number(value.value.trim().replace(",", "."));
      if (value.value.trim() === "" || !Number.isFinite(number)) return null;
      return { metric: metric.value, is: is.value as Condition["is"], value: number };
    };
    return { element: el("p", { class: "challenge-condition" }, el("span", { text }), metric, is, value), read };
  }

  /** Offers the changed settings, each of which the challenge may fix. */
  #showFixed(): void {
    const changed = Object.entries(changedSettings(this.lab, this.run.settings));
    const boxes = changed.map(([name, value]) =>
      el(
        "label",
        { class: "check" },
        el("input", { type: "checkbox", class: "switch", checked: true, value: name }),
        `${settingTitle(this.lab, name)} ${settingText(value)}`,
      ),
    );
    const none = el("p", { class: "quiet", text: "All settings are at their defaults, so all of them are free." });
    this.#fixed.replaceChildren(
      el("legend", { text: "Settings that it fixes" }),
      ...(boxes.length > 0 ? boxes : [none]),
    );
    this.#draw();
  }

  /** The challenge of the form, or null if it has no condition. */
  #read(): Challenge | null {
    const stages = this.#stages.flatMap((read) => {
      const condition = read();
      return condition ? [[condition]] : [];
    });
    const limit = Number(this.#limit.value.trim());
    if (stages.length === 0) return null;
    if (Number.isInteger(limit) && limit > 0) {
      stages.at(-1)?.push({ metric: UNITS_METRIC, is: "<=", value: limit });
    }
    const checked = [...this.#fixed.querySelectorAll<HTMLInputElement>("input:checked")].map(({ value }) => value);
    const settings: Settings = Object.fromEntries(
      Object.entries(this.run.settings).filter(([name]) => checked.includes(name)),
    );
    return { title: this.#title.value.trim(), hint: "", settings, stages };
  }

  #draw(): void {
    const challenge = this.#read();
    if (!challenge) {
      this.#link.value = "";
      this.#words.textContent = "Enter a value that has to be reached.";
      return;
    }
    const words = challenge.stages.map((stage) => stageInWords(this.lab, stage)).join("; then ");
    this.#words.textContent = `Goal: ${words}.`;
    const link = writeLink(this.lab, challenge.settings, this.run.seed);
    this.#link.value = `${location.origin}${location.pathname}${link}&challenge=${encodeURIComponent(writeChallenge(challenge))}`;
  }
}
