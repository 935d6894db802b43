// Who plays: a row of choices above the board.

import { el, svg } from "../../core/dom";
import type { BackgammonPlayers } from "../../generated/protocol";

interface Choice {
  players: BackgammonPlayers;
  name: string;
  what: string;
  /** Two heads: whoever learns is green. */
  learns: [boolean, boolean];
}

const CHOICES: Choice[] = [
  { players: "watch", name: "Watch", what: "the learner against itself", learns: [true, true] },
  { players: "learner", name: "Play the learner", what: "as it is now, while it learns", learns: [false, true] },
  { players: "expert", name: "Play the expert", what: "a network trained beforehand", learns: [false, false] },
];

export class PlayerSwitch {
  readonly element = el("div", { class: "worlds players", role: "group", "aria-label": "Players" });
  #buttons = new Map<BackgammonPlayers, HTMLButtonElement>();

  constructor(choose: (players: BackgammonPlayers) => void) {
    for (const { players, name, what, learns } of CHOICES) {
      const sign = svg(
        "svg",
        { viewBox: "0 0 40 28", class: "players-sign", "aria-hidden": "true" },
        ...learns.map((learns, i) =>
          svg("circle", { cx: 12 + 16 * i, cy: 14, r: 7.5, class: learns ? "learns" : i === 0 ? "light" : "dark" }),
        ),
      );
      const button = el(
        "button",
        { type: "button", class: "world", "aria-pressed": "false" },
        sign as unknown as HTMLElement,
        el("span", { class: "world-name", text: name }),
        el("span", { class: "world-task", text: what }),
      );
      button.addEventListener("click", () => button.getAttribute("aria-pressed") === "true" || choose(players));
      this.#buttons.set(players, button);
      this.element.append(button);
    }
  }

  show(now: BackgammonPlayers): void {
    for (const [players, button] of this.#buttons) button.setAttribute("aria-pressed", String(players === now));
  }
}
