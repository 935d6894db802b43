// The two grids, soft beside hard: from one start, with undecided gates and with every gate decided.

import { el, takesKeys, write } from "../../core/dom";
import { count, whole } from "../../core/format";
import { Acts } from "./acts";
import { OFFERS } from "./experiments";
import { Grid } from "./grid";
import { Hand } from "./hand";
import { Host } from "./host";
import type { LogicExperiment, LogicCommand, LogicStage } from "../../generated/protocol";

export class StageView {
  readonly element: HTMLElement;
  readonly soft = new Grid();
  readonly hard = new Grid();
  #hand: Hand;
  #host: Host;
  #acts: Acts;
  #step = el("span", { class: "num" });
  #judged = el("span", { class: "num logic-judged quiet" });
  #hint = el("span", { class: "quiet" });
  #wrong = { soft: el("span", { class: "num logic-wrong" }), hard: el("span", { class: "num logic-wrong" }) };
  #send: (command: LogicCommand) => void;
  #fresh = true;

  constructor(send: (command: LogicCommand) => void) {
    this.#send = send;
    this.#host = new Host(() => send({ type: "restart" }));
    this.#hand = new Hand([this.soft, this.hard], send, () => this.#host.touched());
    this.#acts = new Acts(this.#hand, send, this.#host);
    const pane = (name: "soft" | "hard", title: string, text: string) => {
      const { element } = this[name];
      element.tabIndex = 0;
      element.setAttribute("role", "application");
      element.setAttribute("aria-label", `The ${name} grid. Arrow keys choose a cell, Enter uses the tool on it`);
      const head = el(
        "figcaption",
        {},
        el("b", { text: title }),
        el("span", { class: "quiet", text }),
        this.#wrong[name],
      );
      return el("figure", { class: `logic-pane ${name}` }, head, element);
    };
    this.element = el(
      "div",
      { class: "stage logic-stage", role: "group", "aria-label": "Two grids of cells" },
      el("p", { class: "logic-line" }, this.#hint, el("span", { class: "logic-steps" }, this.#judged, this.#step)),
      el(
        "div",
        { class: "logic-panes" },
        pane("soft", "Soft", "every gate still a mixture"),
        pane("hard", "Hard", "every gate decided"),
      ),
      this.#acts.element,
    );
    addEventListener("keydown", this.#key);
  }

  leave(): void {
    removeEventListener("keydown", this.#key);
    this.soft.leave();
    this.hard.leave();
  }

  #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || takesKeys(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "w") this.#hand.strike();
    else if (event.key === "n") this.#send({ type: "restart" });
  };

  /** A run of this experiment was opened. */
  begin(experiment: LogicExperiment): void {
    write(this.#hint, OFFERS[experiment].hint);
    this.#acts.choose(experiment === "life" ? "draw" : "wound");
    this.#fresh = true;
  }

  draw(stage: LogicStage, seconds: number): void {
    // The first cell one looks into is in the middle.
    if (this.#fresh) this.#send({ type: "cell", x: stage.width >> 1, y: stage.height >> 1 });
    this.#fresh = false;
    this.#hand.follow(stage);
    this.#host.draw(stage, seconds);
    this.#acts.draw(stage);
    const { width, height, shown, soft, hard, target, step, steps, cell, multiple } = stage;
    const wanted = target.length > 0 ? target : undefined;
    // Long before the end, nearly all is still on its way: what is wrong then says little.
    const strength = Math.min(1, step / Math.max(1, steps * multiple)) ** 3;
    const { brush } = this.#hand;
    this.soft.draw({ width, height, shown, values: soft, full: 255 }, { cell, around: true, brush }, seconds);
    const marks = { target: wanted, strength, cell, around: true, brush };
    this.hard.draw({ width, height, shown, values: hard, full: 1 }, marks, seconds);
    write(this.#judged, target.length > 0 ? `judged after ${count(steps, "step")}` : "");
    write(this.#step, `step ${whole(step)}`);
    write(this.#wrong.soft, wrongs(stage.wrongSoft));
    write(this.#wrong.hard, wrongs(stage.wrongHard));
    const arrived = step >= steps && stage.wrongHard === 0;
    this.element.classList.toggle("arrived", arrived);
  }

  celebrate(): void {
    this.hard.celebrate();
  }

  describe({ step, wrongHard, wrongSoft, width, height }: LogicStage): string {
    const cells = count(width * height, "cell");
    return `Step ${step}: of ${cells}, ${wrongHard} are wrong with every gate decided, ${wrongSoft} with mixtures.`;
  }
}

function wrongs(cells: number): string {
  return cells === 0 ? "all right" : `${whole(cells)} wrong`;
}
