// The tools of a lab screen, below its picture: a row of tabs, which stays in sight, and the panel of the chosen one. A
// panel is created when its tab is first chosen, and may load its code then.

import { el, listen } from "../core/dom";
import { bringIntoSight } from "../core/into-sight";

/** What a tool shows. */
export interface ToolPanel {
  element: HTMLElement;
  destroy?: () => void;
}

export interface Tool {
  id: string;
  /** The text of the tab. */
  title: string;
  /** The end of the title, which has no room in a narrow window. */
  more?: string;
  create: () => ToolPanel | Promise<ToolPanel>;
}

export class Tools {
  /** The row of tabs. */
  readonly row = el("div", { class: "tool-tabs", role: "tablist", "aria-label": "Tools" });
  /** The panels, of which one is shown. They stand right below the row. */
  readonly panels = el("div", { class: "tools" });
  #tabs = new Map<string, HTMLButtonElement>();
  /** The places of the panels. */
  #places = new Map<string, HTMLElement>();
  /**
   * The panels that have been asked for, empty until they are there; one that could not be loaded is asked for again.
   */
  #panels = new Map<string, { panel?: ToolPanel }>();
  #chosen: string | null = null;

  constructor(readonly tools: Tool[]) {
    for (const { id, title, more } of tools) {
      const tab = el("button", {
        type: "button",
        role: "tab",
        class: "tool-tab",
        id: `tool-tab-${id}`,
        "aria-controls": `tool-${id}`,
        text: title,
        on: { click: () => void this.show(id) },
      });
      if (more !== undefined) tab.append(el("span", { class: "tool-tab-more", text: more }));
      const place = el("div", { class: "tool-panel", role: "tabpanel", id: `tool-${id}`, "aria-labelledby": tab.id });
      this.#tabs.set(id, tab);
      this.#places.set(id, place);
      this.row.append(tab);
      this.panels.append(place);
    }
    listen(this.row, { keydown: (event) => this.#move(event) });
    this.#mark(null);
  }

  /** The id of the chosen tool; null at first. */
  get chosen(): string | null {
    return this.#chosen;
  }

  /** Chooses a tool and brings its panel into sight. Resolves when it is there. */
  async show(id: string): Promise<void> {
    await this.open(id);
    if (this.#chosen !== id) return; // another was chosen meanwhile
    // The page stays as it is where the beginning of the panel is well in sight: in the upper half of the window, and
    // not behind the row, which lies on the panel once that has been scrolled.
    const { top } = this.panels.getBoundingClientRect();
    const rowBottom = this.row.getBoundingClientRect().bottom;
    if (top >= Math.max(0, Math.floor(rowBottom)) && top < innerHeight / 2) return;
    bringIntoSight(this.panels, "start");
  }

  /** Chooses a tool. Resolves when its panel is there. */
  async open(id: string): Promise<void> {
    this.#mark(id);
    const tool = this.tools.find((each) => each.id === id);
    if (!tool || this.#panels.has(id)) return;
    const asked: { panel?: ToolPanel } = {};
    this.#panels.set(id, asked);
    /** True if the panel is no longer wanted. */
    const isDropped = () => this.#panels.get(id) !== asked;
    const place = this.#places.get(id);
    try {
      const panel = await tool.create();
      if (isDropped()) return panel.destroy?.();
      asked.panel = panel;
      place?.replaceChildren(panel.element);
    } catch {
      if (isDropped()) return;
      this.#panels.delete(id);
      place?.replaceChildren(
        el("p", { class: "quiet", text: "This part could not be loaded. Choose the tab again to retry." }),
      );
    }
  }

  /** Creates a tool's panel anew: at once if it is shown, otherwise when its tab is chosen. */
  renew(id: string): void {
    this.#panels.get(id)?.panel?.destroy?.();
    this.#panels.delete(id);
    this.#places.get(id)?.replaceChildren();
    if (this.#chosen === id) void this.open(id);
  }

  destroy(): void {
    for (const { panel } of this.#panels.values()) panel?.destroy?.();
    this.#panels.clear();
  }

  #mark(id: string | null): void {
    this.#chosen = id;
    for (const [each, tab] of this.#tabs) {
      tab.setAttribute("aria-selected", String(each === id));
      // Only one tab is reached by the Tab key; the arrow keys lead to the others.
      tab.tabIndex = each === (id ?? this.tools[0]?.id) ? 0 : -1;
    }
    for (const [each, place] of this.#places) place.hidden = each !== id;
  }

  /** Moves along the tabs by keyboard. */
  #move(event: KeyboardEvent): void {
    const ids = this.tools.map((tool) => tool.id);
    const at = ids.indexOf(this.#chosen ?? ids[0] ?? "");
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: ids.length - 1 }[event.key];
    // After the last tab comes the first, and before the first the last: `at(-1)` is the last.
    const id = next === undefined ? undefined : ids.at(next % ids.length);
    if (id === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the arrow keys also push in the picture
    this.#tabs.get(id)?.focus();
    void this.show(id);
  }
}
