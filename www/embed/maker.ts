// The entry point of embed-maker.html, a form that makes the HTML snippet of an embed, with a preview. If the address has a
// run behind its `#`, as links of the tool "Share and save" do, the form starts with its settings.

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
const MIN_SIZE = { width: 320, height: 240 };
const MAX_SIZE = { width: 1920, height: 1200 };
/** The sizes that are offered by name; a width of null fills the container. */
const SIZES: [label: string, width: number | null, height: number][] = [
  ["Small, 320 × 240 pixels", 320, 240],
  ["Medium, 640 × 400 pixels", 640, 400],
  ["Full width, 480 pixels high", null, 480],
];
/** The preview is loaded again so long after the last change. */
const RELOAD_DELAY_MS = 400;
/** The value of the preset option for the settings of the link. */
const LINK_SETTINGS = "link";
/** How long the button says that the snippet was copied. */
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
  #width = number(MIN_SIZE.width, MAX_SIZE.width, 640);
  #height = number(MIN_SIZE.height, MAX_SIZE.height, 400);
  #customSize = el(
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

  /** `linkedRun` is the run of the link with which the page was opened, if there was one. */
  constructor(readonly linkedRun: RunRequest | null) {
    this.#size.value = "1";
    if (linkedRun) {
      this.#lab.value = linkedRun.lab.about.id;
      this.#seed.value = String(linkedRun.seed);
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
      this.#customSize,
      el("label", { class: "check" }, this.#autoplay, "Start learning as soon as it is visible"),
      this.#partList("Shown by default", USUAL_PARTS, true),
      this.#partList("Hidden by default", MORE_PARTS, false),
    );
    listen(form, { input: ({ target }) => void this.#formChanged(target === this.#lab) });
    listen(this.#kind, { input: () => this.#updateSnippet() });
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
    void this.#formChanged(true);
  }

  #partList(title: string, parts: Partial<Record<Part, string>>, on: boolean): HTMLElement {
    const boxes = Object.entries(parts).map(([name, words]) => {
      const box = el("input", { type: "checkbox", checked: on });
      this.#parts.set(name as Part, box);
      return el("label", { class: "maker-part" }, box, words);
    });
    return el("fieldset", {}, el("legend", { text: title }), ...boxes);
  }

  /** Updates snippet and preview after a change of the form, and the presets if another lab was chosen. */
  async #formChanged(otherLab: boolean): Promise<void> {
    if (otherLab) {
      const id = this.#lab.value;
      const lab = await LABS.find((listed) => listed.id === id)?.load();
      if (!lab || id !== this.#lab.value) return; // another one was chosen meanwhile
      this.#preset.replaceChildren(...this.#presetsOf(lab));
    }
    this.#customSize.hidden = this.#size.value !== "own";
    this.#updateSnippet();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#updatePreview(), this.#preview.src === "" ? 0 : RELOAD_DELAY_MS);
  }

  /** The presets of a lab as options; for the lab of the link, its settings are chosen. */
  #presetsOf(lab: LabInfo): HTMLOptionElement[] {
    const { about, fields } = lab;
    const given = this.linkedRun?.lab === lab ? this.linkedRun.settings : {};
    const all = Object.fromEntries(fields.map((field) => [field.name, given[field.name] ?? field.default]));
    const chosen = presetOf(lab, all) ?? LINK_SETTINGS;
    const option = (value: string, text: string) => el("option", { value, text, selected: value === chosen });
    const own = chosen === LINK_SETTINGS ? [option(LINK_SETTINGS, "settings of your link")] : [];
    return [...own, ...about.presets.map(({ name, title }) => option(name, title))];
  }

  /** The snippet that the form describes, or a sentence about the first value that is not allowed. */
  #readForm(): Snippet | string {
    const seed = this.#seed.value.trim();
    if (!/^\d{1,10}$/.test(seed) || Number(seed) > 2 ** 32 - 1)
      return "Enter a whole number from 0 to 4,294,967,295 as the seed.";
    const [, width, height] = SIZES[Number(this.#size.value)] ?? [
      "",
      this.#width.valueAsNumber,
      this.#height.valueAsNumber,
    ];
    const fits = (size: number, side: "width" | "height") => size >= MIN_SIZE[side] && size <= MAX_SIZE[side];
    if ((width !== null && !fits(width, "width")) || !fits(height, "height"))
      return `Enter a width from ${MIN_SIZE.width} to ${MAX_SIZE.width} pixels and a height from ${MIN_SIZE.height} to ${MAX_SIZE.height}.`;
    const listed = (parts: object, on: boolean) =>
      Object.keys(parts)
        .filter((name) => this.#parts.get(name as Part)?.checked === on)
        .join(",");
    const [hide, show] = [listed(USUAL_PARTS, false), listed(MORE_PARTS, true)];
    const ofLink = this.linkedRun && this.#preset.value === LINK_SETTINGS;
    const hash = ofLink ? writeLink(this.linkedRun.lab, this.linkedRun.settings, Number(seed)) : "";
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

  #updateSnippet(): void {
    const chosen = this.#readForm();
    const wrong = typeof chosen === "string";
    this.#problem.hidden = !wrong;
    write(this.#problem, wrong ? chosen : "");
    this.#code.value = wrong ? "" : writeSnippet(chosen);
  }

  #updatePreview(): void {
    const chosen = this.#readForm();
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
