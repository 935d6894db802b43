// The entry point of embed-maker.html, a form that makes the HTML snippet of an embed, with a preview. If the address
// has a run behind its `#`, as links of the tool "Share and save" do, the form starts with its settings.

import { el, listen, write } from "../core/dom";
import { formatInteger, sentence, sentenceStart } from "../core/format";
import { DEFAULT_SEED, MAX_SEED, readLink, writeLink, type RunRequest } from "../core/link";
import { offeredPresets, presetOf } from "../core/presets";
import { parseWhole } from "../core/recipe";
import { initTheme, onTheme, theme, toggleTheme } from "../core/theme";
import { holdVersion } from "../core/version";
import { LABS } from "../generated/labs";
import type { LabInfo } from "../generated/protocol";
import { copyButton } from "../ui/copy";
import { icon } from "../ui/icons";
import { embedAddress, type Parameters } from "./address";
import {
  ignoredInLink,
  LINKED_PARTS,
  MORE_PARTS,
  SPEEDS,
  startingData,
  THEMES,
  USUAL_PARTS,
  type Part,
} from "./parameters";
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
/** The value of the size option with which the author enters a width and a height. */
const CUSTOM_SIZE = "custom";
/** The preview is loaded again this long after the last change. */
const RELOAD_DELAY_MS = 400;
/** The value of the preset option for the settings of the link. */
const LINK_SETTINGS = "link";

class Maker {
  readonly element: HTMLElement;
  #lab = select(LABS.map(({ id, title }) => [id, title]));
  #preset = select([]);
  /** Why the presets of the chosen lab cannot be chosen from; empty while they are loaded, undefined once they are. */
  #whyNoPresets: string | undefined = "";
  #seed = el("input", { type: "text", inputmode: "numeric", value: "0", autocomplete: "off" });
  #autoplay = el("input", { type: "checkbox", class: "switch", checked: true });
  #speed = select([["", "Default for this lab"], ...Object.keys(SPEEDS).map(capitalised)]);
  #theme = select([["", "Same as the visitor's system"], ...THEMES.map(capitalised)]);
  #parts = new Map<Part, HTMLInputElement>();
  #size = select([...SIZES.map(([label], i): [string, string] => [String(i), label]), [CUSTOM_SIZE, "Custom size"]]);
  #width = number(MIN_SIZE.width, MAX_SIZE.width, 640);
  #height = number(MIN_SIZE.height, MAX_SIZE.height, 400);
  #customSize = el(
    "div",
    { class: "maker-custom-size" },
    labelled("Width in pixels", this.#width),
    labelled("Height in pixels", this.#height),
  );
  #kind = select([
    ["iframe", "Inline frame: <iframe>"],
    ["element", "Custom element that sends events: <learnery-lab>"],
  ]);
  #code = el("textarea", { class: "mono maker-code", readonly: true, rows: 4, "aria-label": "The snippet" });
  #copy = copyButton("Copy the snippet", () => this.#code.value, {
    class: "primary",
    select: () => this.#code.select(),
  });
  #preview = el("iframe", { class: "maker-frame", title: "Preview of the embed" });
  /** The address of the preview; empty before it is loaded for the first time. */
  #previewAddress = "";
  #problem = el("p", { class: "maker-problem", role: "status", hidden: true });
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * `linkedRun` is the run of the link with which the page was opened, if there was one. `linkProblems` are sentences
   * about what could not be read in that link, or is not used.
   */
  constructor(
    readonly linkedRun: RunRequest | null,
    /** Data of the author's own that the linked run starts with, as a part of a link. */
    readonly data: string,
    linkProblems: string[],
  ) {
    this.#size.value = "1"; // the medium one of `SIZES`
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
      labelled("Theme", this.#theme),
      labelled("Size", this.#size),
      this.#customSize,
      el("label", { class: "check" }, this.#autoplay, "Start training when the embed comes into view"),
      this.#partList("Show", USUAL_PARTS, true),
      this.#partList("Also show", MORE_PARTS, false),
      this.#partList("Offer where “Open in Learnery” leads", LINKED_PARTS, true),
    );
    listen(form, { input: ({ target }) => void this.#formChanged(target === this.#lab) });
    listen(this.#kind, { input: () => this.#updateSnippet() });
    this.element = el(
      "article",
      { class: "maker" },
      el("h1", { text: "Put a lab on your page" }),
      el("p", {
        class: "maker-lead",
        text: "Choose what the embed shows, and copy the snippet into the HTML of your page. The agent trains on one thread of the visitor's machine. It pauses while the embed is scrolled out of view, and the run is not saved.",
      }),
      linkProblems.length > 0 &&
        el("p", {
          class: "maker-problem maker-link-problems",
          role: "status",
          text: linkProblems.map(sentence).join(" "),
        }),
      form,
      el(
        "section",
        { class: "maker-result", "aria-label": "Preview and snippet" },
        el("div", { class: "maker-place" }, this.#preview),
        this.#problem,
        labelled("Format", this.#kind),
        this.#code,
        this.#copy,
      ),
    );
    for (const part of hiddenBy(linkedRun)) {
      const box = this.#parts.get(part);
      if (box) box.checked = false;
    }
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
  async #formChanged(labChanged: boolean): Promise<void> {
    if (labChanged) await this.#loadPresets();
    this.#customSize.hidden = this.#size.value !== CUSTOM_SIZE;
    this.#updateSnippet();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#updatePreview(), this.#previewAddress === "" ? 0 : RELOAD_DELAY_MS);
  }

  /** Offers the presets of the chosen lab. Until they are loaded there is no snippet. */
  async #loadPresets(): Promise<void> {
    this.#whyNoPresets = "";
    this.#preset.replaceChildren();
    this.#updateSnippet();
    const id = this.#lab.value;
    const lab = await LABS.find((listed) => listed.id === id)
      ?.load()
      .catch(() => null);
    if (id !== this.#lab.value) return; // another one was chosen meanwhile
    if (lab) this.#preset.replaceChildren(...this.#presetsOf(lab));
    this.#whyNoPresets = lab
      ? undefined
      : "The lab could not be loaded. Check the connection, and choose the lab again.";
  }

  /** The presets of a lab as options; for the lab of the link, its settings are chosen. */
  #presetsOf(lab: LabInfo): HTMLOptionElement[] {
    const { fields } = lab;
    const given = this.linkedRun?.lab === lab ? this.linkedRun.settings : {};
    const all = Object.fromEntries(fields.map((field) => [field.name, given[field.name] ?? field.default]));
    // What the picture of the link shows is not part of a preset.
    const preset = this.linkedRun?.lab === lab && this.linkedRun.show !== null ? null : presetOf(lab, all);
    const offered = offeredPresets(lab);
    const chosen = offered.find(({ name }) => name === preset)?.name ?? LINK_SETTINGS;
    const option = (value: string, text: string) => el("option", { value, text, selected: value === chosen });
    const linkOptions = chosen === LINK_SETTINGS ? [option(LINK_SETTINGS, "Settings from your link")] : [];
    return [...linkOptions, ...offered.map(({ name, title }) => option(name, title))];
  }

  /**
   * The snippet that the form describes, or a sentence why there is none. The sentence is empty while a lab is loaded.
   */
  #snippetOrProblem(): Snippet | string {
    if (this.#whyNoPresets !== undefined) return this.#whyNoPresets;
    const seed = parseWhole(this.#seed.value);
    if (Number.isNaN(seed)) return `Enter a whole number from 0 to ${formatInteger(MAX_SEED)} as the seed.`;
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
    const [hidden, shown] = [listed({ ...USUAL_PARTS, ...LINKED_PARTS }, false), listed(MORE_PARTS, true)];
    const link = this.#preset.value === LINK_SETTINGS ? this.linkedRun : null;
    const show = link?.show ? `&show=${encodeURIComponent(link.show)}` : "";
    const hash = link ? writeLink(link.lab, link.settings, seed) + this.data + show : "";
    const parameters: Parameters = {
      ...(!link && { lab: this.#lab.value, preset: this.#preset.value }),
      ...(!link && seed !== DEFAULT_SEED && { seed: String(seed) }),
      ...(hidden !== "" && { hide: hidden }),
      ...(shown !== "" && { show: shown }),
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
      width: width === null ? null : Math.round(width),
      height: Math.round(height),
    };
  }

  #updateSnippet(): void {
    const snippet = this.#snippetOrProblem();
    const problem = typeof snippet === "string" ? snippet : "";
    this.#problem.hidden = problem === "";
    write(this.#problem, problem);
    this.#code.value = typeof snippet === "string" ? "" : writeSnippet(snippet);
    this.#copy.disabled = typeof snippet === "string";
  }

  #updatePreview(): void {
    const snippet = this.#snippetOrProblem();
    if (typeof snippet === "string") return;
    const { parameters, hash, width, height } = snippet;
    this.#preview.style.width = width === null ? "100%" : `${width}px`;
    this.#preview.style.height = `${height}px`;
    const address = new URL(embedAddress(parameters, hash), document.baseURI).href;
    if (this.#previewAddress === address) return;
    // Another `src` would add an entry to the history of the tab.
    if (this.#previewAddress === "") this.#preview.src = address;
    else this.#preview.contentWindow?.location.replace(address);
    this.#previewAddress = address;
  }
}

/** An option whose text is its value, with a capital. */
const capitalised = (value: string): [value: string, text: string] => [value, sentenceStart(value)];

function select(options: [value: string, text: string][]): HTMLSelectElement {
  return el("select", {}, ...options.map(([value, text]) => el("option", { value, text })));
}

function number(min: number, max: number, value: number): HTMLInputElement {
  return el("input", { type: "number", min, max, value });
}

/** A control with its label before it. */
function labelled(text: string, control: HTMLElement): HTMLElement {
  control.id = `maker-${text.toLowerCase().replaceAll(" ", "-")}`;
  return el("div", { class: "maker-choice" }, el("label", { for: control.id, text }), control);
}

initTheme();
holdVersion();
const themeButton = document.querySelector(".tool") as HTMLButtonElement;
const drawThemeButton = () => themeButton.replaceChildren(icon(theme() === "dark" ? "light" : "dark"));
listen(themeButton, { click: toggleTheme });
onTheme(drawThemeButton);
drawThemeButton();
const { request, problems } = await readLink(location.hash, LABS);
const ignored = request && ignoredInLink(request);
const changes = request ? startingData(request) : [];
const data = changes.length > 0 ? await import("../core/packed").then(({ packData }) => packData(changes)) : "";
document
  .querySelector("#main")
  ?.replaceChildren(new Maker(request, data ?? "", ignored ? [...problems, ignored] : problems).element);

/** What a link hides of worlds of one's own: with the rules also their editor. */
function hiddenBy(run: RunRequest | null): Part[] {
  if (run?.hide === "rules") return ["editor", "rules"];
  return run?.hide ? [run.hide] : [];
}
