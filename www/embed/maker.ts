// The entry point of embed-maker.html, which makes the snippet for an embed by clicking and shows what it looks like. A
// run behind its `#`, as the tool "Share and save" writes it there, is what it starts from.

import { button, el, listen, write } from "../core/dom";
import { readLink, writeLink, type RunRequest } from "../core/link";
import { presetOf } from "../core/presets";
import { initTheme, onTheme, theme, toggleTheme } from "../core/theme";
import { holdVersion } from "../core/version";
import { LABS } from "../generated/labs";
import type { LabInfo } from "../generated/protocol";
import { copyText } from "../ui/copy-row";
import { icon } from "../ui/icons";
import { embedAddress, type Parameters } from "./address";
import { MORE_PARTS, SPEEDS, THEMES, USUAL_PARTS, type Part } from "./parameters";
import { writeSnippet, type Snippet } from "./snippet";

/** The smallest frame for which the embed is made, and the largest that is offered, in CSS pixels. */
const LEAST = { width: 320, height: 240 };
const MOST = { width: 1920, height: 1200 };
/** The sizes that are offered by name; null is as wide as its place. */
const SIZES: [label: string, width: number | null, height: number][] = [
  ["Small, 320 × 240 pixels", 320, 240],
  ["Medium, 640 × 400 pixels", 640, 400],
  ["Full width, 480 pixels high", null, 480],
];
/** The preview starts anew when nothing has been changed for this long. */
const SETTLE_MS = 400;
/** Stands among the presets for the settings of the link. */
const OF_LINK = "link";
const COPIED_MS = 1600;

class Maker {
  readonly element: HTMLElement;
  #lab = select(
    "Lab",
    LABS.map(({ id, title }) => [id, title]),
  );
  #preset = select("Preset", []);
  #seed = el("input", { type: "text", inputmode: "numeric", value: "0", autocomplete: "off" });
  #autoplay = el("input", { type: "checkbox", class: "switch", checked: true });
  #speed = select("Speed", [["", "default for this lab"], ...Object.keys(SPEEDS).map(same)]);
  #theme = select("Colours", [["", "same as the visitor's system"], ...THEMES.map(same)]);
  #parts = new Map<Part, HTMLInputElement>();
  #size = select("Size", [...SIZES.map(([label], i): [string, string] => [String(i), label]), ["own", "Another size"]]);
  #width = number(LEAST.width, MOST.width, 640);
  #height = number(LEAST.height, MOST.height, 400);
  #ownSize = el(
    "div",
    { class: "maker-own" },
    labelled("Width in pixels", this.#width),
    labelled("Height in pixels", this.#height),
  );
  #kind = select("Format", [
    ["iframe", "frame: <iframe>"],
    ["element", "custom element with events: <learnery-lab>"],
  ]);
  #code = el("textarea", { class: "mono maker-code", readonly: true, rows: 4, "aria-label": "The snippet" });
  #preview = el("iframe", { class: "maker-frame", title: "Preview of the embed" });
  #problem = el("p", { class: "maker-problem", role: "status", hidden: true });
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `given` is the run of the link with which the page was opened. */
  constructor(readonly given: RunRequest | null) {
    this.#size.value = "1";
    if (given) {
      this.#lab.value = given.lab.about.id;
      this.#seed.value = String(given.seed);
    }
    const form = el(
      "form",
      { class: "maker-form", on: { submit: (event) => event.preventDefault() } },
      labelled("Lab", this.#lab),
      labelled("Preset", this.#preset),
      labelled("Seed", this.#seed),
      labelled("Speed", this.#speed),
      labelled("Colours", this.#theme),
      labelled("Size", this.#size),
      this.#ownSize,
      el("label", { class: "check" }, this.#autoplay, "Start learning as soon as it is visible"),
      this.#partList("Shown by default", USUAL_PARTS, true),
      this.#partList("Hidden by default", MORE_PARTS, false),
    );
    listen(form, { input: ({ target }) => void this.#changed(target === this.#lab) });
    listen(this.#kind, { input: () => this.#write() });
    const copy = button("Copy the snippet", () => void this.#copy(copy), { class: "primary" });
    this.element = el(
      "article",
      { class: "maker" },
      el("h1", { text: "Put a lab on your page" }),
      el("p", {
        class: "maker-lead",
        text: "Choose what the frame shows, and copy the snippet into the HTML of your page. The lab learns on one thread of the visitor's machine, pauses out of sight, and does not store the run.",
      }),
      form,
      el(
        "section",
        { class: "maker-result", "aria-label": "Preview and snippet" },
        el("div", { class: "maker-place" }, this.#preview),
        this.#problem,
        labelled("Format", this.#kind),
        this.#code,
        copy,
      ),
    );
    void this.#changed(true);
  }

  #partList(title: string, parts: Partial<Record<Part, string>>, on: boolean): HTMLElement {
    const boxes = Object.entries(parts).map(([name, words]) => {
      const box = el("input", { type: "checkbox", checked: on });
      this.#parts.set(name as Part, box);
      return el("label", { class: "maker-part" }, box, words);
    });
    return el("fieldset", {}, el("legend", { text: title }), ...boxes);
  }

  /** Something was chosen; of another lab the presets are others. */
  async #changed(otherLab: boolean): Promise<void> {
    if (otherLab) {
      const id = this.#lab.value;
      const lab = await LABS.find((listed) => listed.id === id)?.load();
      if (!lab || id !== this.#lab.value) return; // another one was chosen meanwhile
      this.#preset.replaceChildren(...this.#presetsOf(lab));
    }
    this.#ownSize.hidden = this.#size.value !== "own";
    this.#write();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(), this.#preview.src === "" ? 0 : SETTLE_MS);
  }

  /** The presets of a lab as options; for the lab of the link, its settings are chosen. */
  #presetsOf(lab: LabInfo): HTMLOptionElement[] {
    const { about, fields } = lab;
    const given = this.given?.lab === lab ? this.given.settings : {};
    const all = Object.fromEntries(fields.map((field) => [field.name, given[field.name] ?? field.default]));
    const chosen = presetOf(lab, all) ?? OF_LINK;
    const option = (value: string, text: string) => el("option", { value, text, selected: value === chosen });
    const own = chosen === OF_LINK ? [option(OF_LINK, "settings of your link")] : [];
    return [...own, ...about.presets.map(({ name, title }) => option(name, title))];
  }

  /** What is chosen, or a sentence about what cannot be. */
  #chosen(): Snippet | string {
    const seed = this.#seed.value.trim();
    if (!/^\d{1,10}$/.test(seed) || Number(seed) > 2 ** 32 - 1)
      return "Enter a whole number from 0 to 4,294,967,295 as the seed.";
    const [, width, height] = SIZES[Number(this.#size.value)] ?? [
      "",
      this.#width.valueAsNumber,
      this.#height.valueAsNumber,
    ];
    const fits = (size: number, side: "width" | "height") => size >= LEAST[side] && size <= MOST[side];
    if ((width !== null && !fits(width, "width")) || !fits(height, "height"))
      return `Enter a width from ${LEAST.width} to ${MOST.width} pixels and a height from ${LEAST.height} to ${MOST.height}.`;
    const listed = (parts: object, on: boolean) =>
      Object.keys(parts)
        .filter((name) => this.#parts.get(name as Part)?.checked === on)
        .join(",");
    const [hide, show] = [listed(USUAL_PARTS, false), listed(MORE_PARTS, true)];
    const ofLink = this.given && this.#preset.value === OF_LINK;
    const hash = ofLink ? writeLink(this.given.lab, this.given.settings, Number(seed)) : "";
    const parameters: Parameters = {
      ...(!ofLink && { lab: this.#lab.value, preset: this.#preset.value }),
      ...(!ofLink && Number(seed) !== 0 && { seed: String(Number(seed)) }),
      ...(hide !== "" && { hide }),
      ...(show !== "" && { show }),
      ...(this.#autoplay.checked && { autoplay: "" }),
      ...(this.#speed.value !== "" && { speed: this.#speed.value }),
      ...(this.#theme.value !== "" && { theme: this.#theme.value }),
    };
    const title = `Learnery: ${this.#lab.selectedOptions[0]?.text ?? ""}`;
    const kind = this.#kind.value as Snippet["kind"];
    return {
      kind,
      site: new URL("./", document.baseURI).href,
      parameters,
      hash,
      title,
      width,
      height: Math.round(height),
    };
  }

  #write(): void {
    const chosen = this.#chosen();
    const wrong = typeof chosen === "string";
    this.#problem.hidden = !wrong;
    write(this.#problem, wrong ? chosen : "");
    this.#code.value = wrong ? "" : writeSnippet(chosen);
  }

  #show(): void {
    const chosen = this.#chosen();
    if (typeof chosen === "string") return;
    const { parameters, hash, width, height } = chosen;
    this.#preview.style.width = width === null ? "100%" : `${width}px`;
    this.#preview.style.height = `${height}px`;
    const address = new URL(embedAddress(parameters, hash), document.baseURI).href;
    if (this.#preview.src !== address) this.#preview.src = address;
  }

  async #copy(copyButton: HTMLButtonElement): Promise<void> {
    const done = await copyText(this.#code.value);
    if (!done) this.#code.select(); // for the visitor to copy
    write(copyButton, done ? "Copied" : "Press Ctrl+C or ⌘C");
    setTimeout(() => write(copyButton, "Copy the snippet"), COPIED_MS);
  }
}

const same = (value: string): [string, string] => [value, value];

function select(label: string, options: [value: string, text: string][]): HTMLSelectElement {
  return el("select", { "aria-label": label }, ...options.map(([value, text]) => el("option", { value, text })));
}

function number(min: number, max: number, value: number): HTMLInputElement {
  return el("input", { type: "number", min, max, value });
}

function labelled(text: string, control: HTMLElement): HTMLElement {
  return el("label", { class: "maker-choice" }, el("span", { text }), control);
}

initTheme();
holdVersion();
const themeButton = document.querySelector(".tool") as HTMLButtonElement;
const drawThemeButton = () => themeButton.replaceChildren(icon(theme() === "dark" ? "light" : "dark"));
listen(themeButton, { click: toggleTheme });
onTheme(drawThemeButton);
drawThemeButton();
const { request } = await readLink(location.hash, LABS);
document.querySelector("#main")?.replaceChildren(new Maker(request).element);
