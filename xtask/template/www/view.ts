// The bandit lab's picture: a bar for the estimated odds of each machine, and a mark for the true ones.

import { el } from "../../core/dom";
import type { BanditView } from "../../generated/protocol";
import type { LabView } from "../../ui/lab-view";
import "./view.css";

export { story } from "./story";

/** The keys that the view takes; there are none yet. */
export const keys: [string, string][] = [];

/** The parts of a machine that are redrawn. */
interface Machine {
  element: HTMLElement;
  bar: HTMLElement;
  mark: HTMLElement;
}

export function open(): LabView<BanditView> {
  const list = el("div", { class: "bandit-machines", role: "img" });
  const element = el("div", { class: "captions bandit-view" }, el("div", { class: "stage bandit-stage" }, list));
  let machines: Machine[] = [];
  let latest: BanditView | null = null;
  return {
    element,
    draw(view) {
      if (machines.length !== view.estimates.length) {
        machines = view.estimates.map(() => machine());
        list.replaceChildren(...machines.map((each) => each.element));
      }
      for (const [i, { bar, mark }] of machines.entries()) {
        bar.style.height = percent(view.estimates[i] ?? 0);
        mark.style.bottom = percent(view.odds[i] ?? 0);
      }
      list.setAttribute("aria-label", describe(view));
      latest = view;
    },
    opened: () => (latest = null),
    celebrate() {},
    describe: () => (latest ? describe(latest) : ""),
    destroy() {},
  };
}

function machine(): Machine {
  const [bar, mark] = [el("div", { class: "bandit-bar" }), el("div", { class: "bandit-mark" })];
  return { element: el("div", { class: "bandit-machine" }, bar, mark), bar, mark };
}

const percent = (odds: number) => `${100 * odds}%`;

/** The view in a sentence, for screen readers. */
function describe({ estimates }: BanditView): string {
  const best = estimates.indexOf(Math.max(...estimates));
  return `Of ${estimates.length} machines, number ${best + 1} seems to pay best.`;
}
