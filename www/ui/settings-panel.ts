// The tool "Settings": all settings of the lab that have an effect beside the chosen learner or task, in groups that
// can be folded, with a search, the presets (named settings) and the seed. It is generated from the lab's schema, which
// has a `Field` for each setting. The draft holds what the visitor has chosen, next to what the run has.

import { button, el, listen, write } from "../core/dom";
import type { Draft } from "../core/draft";
import { applies, GROUPS } from "../core/fields";
import { formatCount } from "../core/format";
import { offeredPresets, presetOf, presetSettings } from "../core/presets";
import type { Group } from "../generated/protocol";
import { Choices } from "./choices";
import { NARROW_QUERY } from "./narrow";
import { SeedSetting, Setting } from "./setting";
import { describeWaiting } from "./waiting";
import "../style/settings.css";

interface GroupPanel {
  group: Group | "seed";
  element: HTMLDetailsElement;
  settings: (Setting | SeedSetting)[];
  /** How many settings of the group differ from their defaults. */
  changed: HTMLElement;
}

export class SettingsPanel {
  readonly element: HTMLElement;
  #groups: GroupPanel[];
  #presets: Choices<string>;
  #search = el("input", { type: "search", class: "settings-search", placeholder: "Search", autocomplete: "off" });
  #nothing = el("p", { class: "quiet", text: "No setting that has an effect here fits this search.", hidden: true });
  /** Lists the changes that wait for a restart. */
  #waiting = el("p", { class: "waiting-line", role: "status" });

  constructor(
    readonly draft: Draft,
    restart: () => void,
  ) {
    const presets = offeredPresets(draft.lab);
    this.#presets = new Choices({
      class: "presets",
      buttonClass: "button preset",
      label: "Presets",
      choices: presets.map(({ name, title, help }) => ({ value: name, title: help, content: [title] })),
      choose: (name) => {
        const preset = presets.find((each) => each.name === name);
        if (preset) draft.usePreset(presetSettings(preset));
      },
    });
    this.#groups = this.#createGroups();
    this.#search.setAttribute("aria-label", "Search settings");
    listen(this.#search, { input: () => this.#searchChanged() });
    this.element = el(
      "section",
      { class: "settings", "aria-labelledby": "settings-title" },
      el("h2", { id: "settings-title", class: "unseen", text: "Settings" }),
      el("div", { class: "settings-top" }, this.#presets.element, this.#search),
      ...this.#groups.map(({ element }) => element),
      this.#nothing,
      el(
        "div",
        { class: "waiting-row" },
        this.#waiting,
        button("Restart to apply", restart, { class: "apply" }),
        button("Discard", () => draft.resetToRun()),
      ),
    );
    draft.on("changed", () => this.#draw());
    this.#draw();
  }

  #createGroups(): GroupPanel[] {
    const { draft } = this;
    const { fields } = draft.lab;
    // A phone shows the titles of the groups first.
    const open = !matchMedia(NARROW_QUERY).matches;
    const create = (group: GroupPanel["group"], title: string, about: string, settings: GroupPanel["settings"]) => {
      const changed = el("span", { class: "group-changed" });
      const element = el(
        "details",
        { class: "group", open },
        el("summary", {}, el("h3", { text: title }), el("span", { class: "quiet group-about", text: about }), changed),
        el("div", { class: "setting-grid" }, ...settings.map((setting) => setting.element)),
      );
      return { group, element, settings, changed };
    };
    const groups = GROUPS.map(({ group, title, about }) => {
      const settings = fields.filter((field) => field.group === group).map((field) => new Setting(draft, field));
      return create(group, title, about, settings);
    });
    const seed = create("seed", "Seed", "where the random numbers start", [new SeedSetting(draft)]);
    return [...groups.filter(({ settings }) => settings.length > 0), seed];
  }

  /** Shows the control of a setting and moves the focus to it. */
  reveal(name: string): void {
    this.#search.value = "";
    this.#draw();
    for (const { element, settings } of this.#groups) {
      const setting = settings.find((each) => each instanceof Setting && each.field.name === name);
      if (!(setting instanceof Setting)) continue;
      element.open = true;
      setting.element.scrollIntoView({ block: "center" });
      setting.focus();
    }
  }

  #searchChanged(): void {
    this.#draw();
    if (this.#search.value.trim() === "") return;
    for (const { element } of this.#groups) element.open = true;
  }

  #draw(): void {
    const { draft } = this;
    const search = this.#search.value.trim();
    for (const { element, settings, changed } of this.#groups) {
      for (const setting of settings) setting.draw(search);
      element.hidden = settings.every((setting) => setting.element.hidden);
      const count = settings.filter(
        (setting) => setting instanceof Setting && setting.changed && applies(setting.field, draft.settings),
      ).length;
      write(changed, count > 0 ? `${formatCount(count, "change")} from the defaults` : "");
    }
    this.#nothing.hidden = this.#groups.some(({ element }) => !element.hidden);
    this.#presets.show(presetOf(draft.lab, draft.settings));
    const waiting = describeWaiting(draft);
    this.element.classList.toggle("has-waiting", waiting.length > 0);
    write(this.#waiting, waiting.length > 0 ? `Changes that need a restart: ${waiting.join(", ")}.` : "");
  }
}
