// Offers the tour of a lab: a button that starts it (ui/tour.ts, which is loaded only then), and at the first
// visit of the lab an offer to start it. Whether the offer was answered is kept in the local storage.

import { button, el } from "../core/dom";
import type { Run } from "../core/run";
import type { LabInfo } from "../generated/protocol";
import type { Deed, DeedScreen } from "./deeds";
import type { LabManifest } from "./lab-manifest";
import type { ToolActions } from "./lab-tools";
import type { NoticeAction } from "./notices";
import type { Tour } from "./tour";
import type { Leftover } from "./tour-caption";

const STORAGE_KEY = "learnery:guided";

/** The lab screen that the tour explains. */
export interface GuidedScreen extends DeedScreen {
  lab: LabInfo;
  run: Run;
  element: HTMLElement;
  dock: HTMLElement;
  /** The tools, with the row of their tabs. */
  tools: DeedScreen["tools"] & { row: HTMLElement };
  /** Called when the tour has begun or ended. */
  tourToggled: () => void;
  /** `tell` shows a notice. */
  actions: Pick<ToolActions, "tell">;
}

export class Guide {
  readonly button: HTMLButtonElement;
  readonly offer: HTMLElement;
  #tour: Tour | null = null;
  #destroyed = false;

  constructor(
    readonly screen: GuidedScreen,
    readonly load: NonNullable<LabManifest["tour"]>,
    /** Called when the offer is shown or has gone. */
    readonly offered: (shown: boolean) => void,
  ) {
    this.button = button("Tour", () => void this.start(), {
      class: "guide-button small",
      title: "Two or three minutes: what you see, and what to try",
    });
    const start = button("Take the tour", () => void this.start(), { class: "small primary" });
    const refuse = button("No thanks", () => this.#answered(true), { class: "small" });
    this.offer = el(
      "div",
      { class: "guide-offer", role: "group", "aria-label": "Tour" },
      el("span", { text: "New here? The tour takes two or three minutes." }),
      el("span", { class: "row" }, start, refuse),
    );
    this.offer.hidden = guidedLabs().includes(screen.lab.about.id);
    offered(!this.offer.hidden);
  }

  /** Starts the tour from its first caption. */
  async start(): Promise<void> {
    const { screen } = this;
    try {
      const [{ Tour }, { captions }, { perform }] = await Promise.all([
        import("./tour"),
        this.load(),
        import("./deeds"),
      ]);
      if (this.#destroyed) return;
      this.#answered(false);
      this.#tour?.destroy();
      const bars = { dock: screen.dock, tabs: screen.tools.row };
      this.#tour = new Tour(
        screen.run,
        bars,
        captions,
        (deeds) => perform(deeds, screen),
        (hadFocus, leftover) => {
          this.#ended(hadFocus);
          if (leftover) this.#offerToMend(leftover, (deeds) => perform(deeds, screen));
        },
      );
      screen.element.append(this.#tour.element);
      this.#tour.begin();
      screen.tourToggled();
    } catch {
      this.button.title = "The tour could not be loaded. Press again to retry.";
    }
  }

  /** Whether the tour is under way. */
  get isOpen(): boolean {
    return this.#tour !== null;
  }

  destroy(): void {
    this.#destroyed = true;
    this.#tour?.destroy();
  }

  #ended(hadFocus: boolean): void {
    this.#tour = null;
    this.screen.tourToggled();
    if (hadFocus) this.button.focus();
  }

  /** Offers to mend what the tour leaves broken. */
  #offerToMend({ text, button, deeds }: Leftover, perform: (deeds: Deed[]) => Promise<boolean>): void {
    const tell = (text: string, actions: NoticeAction[]) => this.screen.actions.tell("tour", text, actions);
    const mend = async () => {
      if (!(await perform(deeds))) tell("That did not work. Try it yourself.", []);
    };
    tell(text, [{ label: button, run: () => void mend() }]);
  }

  /** The visitor has started or refused the tour, so it is not offered again in this lab. */
  #answered(moveFocus: boolean): void {
    this.offer.hidden = true;
    this.offered(false);
    if (moveFocus) this.button.focus();
    const labs = new Set(guidedLabs()).add(this.screen.lab.about.id);
    try {
      localStorage.setItem(STORAGE_KEY, [...labs].join(" "));
    } catch {
      // Storage may be forbidden; the tour is then offered again at the next visit.
    }
  }
}

/** The labs in which the visitor has answered the offer. */
function guidedLabs(): string[] {
  try {
    return (localStorage.getItem(STORAGE_KEY) ?? "").split(" ").filter(Boolean);
  } catch {
    return [];
  }
}
