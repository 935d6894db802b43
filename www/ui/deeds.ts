// Deeds: what a button of the tour or of a suggestion does in the visitor's place. Each works the control that the
// visitor would, so it has the same effect and leaves the same traces on the screen.

import type { Draft } from "../core/draft";
import type { Settings } from "../core/link";
import { bringIntoSight } from "../core/into-sight";

export type Deed =
  /** Presses the button with this text. */
  | { press: string; within?: string }
  /** Clicks the first of the elements. */
  | { click: string }
  /** Unfolds a part (`<details>`), unless it is open. */
  | { unfold: string }
  /** Moves the focus to the first of the elements. */
  | { focus: string }
  /**
   * Holds a key for a moment on an element. With `stays` the page does not scroll to it, because something else is
   * watched.
   */
  | { key: string; on: string; stays?: true }
  /** Moves a slider to one of its positions (notches). */
  | { slide: string; to: number }
  /** Changes live settings, as their dials do. */
  | { set: Settings }
  /** Starts a new run from this unit (training iteration) of the open one, by the timeline. */
  | { branchAt: number }
  /** Shows a tool below the picture. */
  | { tool: string };

/** What deeds need beside the page's elements. */
export interface DeedScreen {
  draft: Draft;
  tools: { show: (id: string) => Promise<void> };
}

/** How long a control may take to appear or to become usable, and how often it is looked for. */
const READY_MS = 3_000;
const LOOK_MS = 50;
/** How long the units between a kept moment and the one to branch at may take to repeat. */
const REPEAT_MS = 60_000;
/** How long a key is held. A push of the control lab lasts as long. */
const HOLD_MS = 400;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Does the deeds one after the other. Resolves to false if a control is not there or cannot be used. */
export async function perform(deeds: readonly Deed[], { draft, tools }: DeedScreen): Promise<boolean> {
  for (const deed of deeds) {
    if ("set" in deed) {
      // Changes that are made while the visitor looks back are for a branch, not for this run.
      if (draft.looksBack) return false;
      set(draft, deed.set);
    } else if ("tool" in deed) await tools.show(deed.tool);
    else if ("unfold" in deed) document.querySelector(deed.unfold)?.setAttribute("open", "");
    else if ("branchAt" in deed) {
      const branch = lookBackAt(deed.branchAt) && (await untilUsable(BRANCH, REPEAT_MS));
      if (!branch) return false;
      branch.click();
    } else {
      const element = await untilUsable(deed);
      if (!element) return false;
      if (!("stays" in deed)) bringIntoSight(element);
      await work(element, deed);
    }
  }
  return true;
}

type ControlDeed = Exclude<Deed, { set: Settings } | { tool: string } | { unfold: string } | { branchAt: number }>;

/** The button that branches where the timeline stands. */
const BRANCH: ControlDeed = { click: ".timeline-actions .primary" };

/** Moves the timeline to a unit by its keys, and tells whether it stands there. */
function lookBackAt(unit: number): boolean {
  const slider = usable({ focus: ".timeline-slider" });
  if (!slider) return false;
  const at = () => Number(slider.getAttribute("aria-valuenow"));
  const press = (key: string, shiftKey: boolean) => {
    const before = at();
    slider.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
    return at() !== before;
  };
  while (at() > unit && press("ArrowLeft", false)); // to the moments that were kept
  while (at() < unit && press("ArrowRight", true)); // by single units
  return at() === unit;
}

function set(draft: Draft, settings: Settings): void {
  for (const field of draft.lab.fields) {
    const value = settings[field.name];
    if (value !== undefined) draft.set(field, value);
  }
}

async function untilUsable(deed: ControlDeed, patienceMs = READY_MS): Promise<HTMLElement | null> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const element = usable(deed);
    if (element || waited >= patienceMs) return element;
    await wait(LOOK_MS);
  }
}

/** The first visible element that a deed is about and that can be used now. */
function usable(deed: ControlDeed): HTMLElement | null {
  const isUsable = (each: HTMLElement) =>
    each.checkVisibility() && !each.matches(":disabled") && each.closest("[inert]") === null;
  const all = [...document.querySelectorAll<HTMLElement>(selectorOf(deed))].filter(isUsable);
  const named = "press" in deed ? all.filter(({ textContent }) => textContent?.trim() === deed.press) : all;
  return named[0] ?? null;
}

function selectorOf(deed: ControlDeed): string {
  if ("press" in deed) return `${deed.within ?? ""} button`;
  if ("click" in deed) return deed.click;
  if ("focus" in deed) return deed.focus;
  return "key" in deed ? deed.on : deed.slide;
}

async function work(element: HTMLElement, deed: ControlDeed): Promise<void> {
  if ("focus" in deed) element.focus({ preventScroll: true });
  else if ("key" in deed) {
    const send = (type: string) => element.dispatchEvent(new KeyboardEvent(type, { key: deed.key, bubbles: true }));
    send("keydown");
    await wait(HOLD_MS);
    send("keyup");
  } else if ("slide" in deed) {
    (element as HTMLInputElement).value = String(deed.to);
    for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
  } else element.click();
}
