// The stage of the cube lab: the cube, the value of each turn, figures and controls.

import { button, dialogIsOpen, el, hasModifier, listen, write } from "../../core/dom";
import { formatCount } from "../../core/format";
import { reducedMotion } from "../../core/theme";
import { CubeInput } from "./cube-input";
import { AutoPlay, randomMoves } from "./auto-play";
import type { CubeCommand, CubeView } from "../../generated/protocol";
import { displayName } from "./space";
import { CubeMirror } from "./cube-mirror";
import { TurnValues } from "./turn-values";

const LETTERS = "learnery:cube-letters";
/** The depth of the first scramble offered. */
const DEPTH = 6;
/** The number of latest turns that are listed. */
const LISTED_TURNS = 16;

export class CubeStageView {
  readonly element: HTMLElement;
  readonly cube: CubeMirror;
  #input: CubeInput;
  #autoPlay: AutoPlay;
  #turnValues: TurnValues;
  #facts = { distance: el("dd", { class: "num" }), made: el("dd", { class: "num" }) };
  #turnsMade = el("p", { class: "cube-turns num", "aria-hidden": "true" });
  #end = el("p", { class: "stage-end cube-end", "aria-hidden": "true" });
  #solve = button("Let it solve", () => this.#solveOrStop(), { class: "primary cube-solve" });
  #repeats = el("input", { type: "checkbox", class: "switch" });
  #depth = el("input", { type: "range", min: 1, max: 14, value: DEPTH, "aria-label": "Turns of a scramble" });
  #view: CubeView | null = null;
  #fewestTurns = 0;
  #shownEnd = "idle";

  constructor(send: (command: CubeCommand) => void) {
    this.cube = new CubeMirror(send);
    this.#input = new CubeInput(this.cube, () => this.#takeOver());
    this.#autoPlay = new AutoPlay(
      this.cube,
      (turns) => this.#scramble(turns),
      () => this.#letSolve(),
    );
    this.#autoPlay.on = this.#repeats.checked = !reducedMotion();
    const lean = this.cube.animation.lean.bind(this.cube.animation);
    this.#turnValues = new TurnValues((move) => {
      this.#takeOver();
      this.cube.turn(move);
    }, lean);
    const fact = (label: string, title: string, value: HTMLElement) =>
      el("div", { title }, el("dt", { text: label }), value);
    this.element = el(
      "div",
      { class: "stage cube-stage", role: "group", "aria-label": "A cube to turn" },
      el(
        "div",
        { class: "stage-caption" },
        el("p", { class: "stage-title", text: "One cube to turn" }),
        el("p", { class: "quiet", text: "Drag a face to turn it, drag beside it to look around" }),
      ),
      el(
        "dl",
        { class: "stage-facts" },
        fact("from solved", "The fewest turns to the solved cube", this.#facts.distance),
        fact("turns made", "Turns made since the scramble, or by the learner", this.#facts.made),
      ),
      this.#surface(),
      this.#turnValues.element,
      this.#turnsMade,
      this.#acts(),
    );
    addEventListener("keydown", this.#key);
  }

  #surface(): HTMLElement {
    const solid = this.cube.animation.drawing;
    solid.letters = keptLetters();
    const label = "The cube. Keys U R F L D B turn its faces, with Shift the other way; arrows turn the whole cube";
    const surface = el("div", { class: "cube-surface", role: "application", tabindex: 0, "aria-label": label });
    surface.append(solid.element, this.#end);
    return surface;
  }

  #acts(): HTMLElement {
    const depth = el("span", { class: "num cube-depth" });
    const showDepth = () => {
      write(depth, formatCount(this.#depth.valueAsNumber, "turn"));
      const share = (this.#depth.valueAsNumber - 1) / (Number(this.#depth.max) - 1);
      this.#depth.style.setProperty("--fill", `${100 * share}%`);
    };
    listen(this.#depth, { input: showDepth });
    showDepth();
    const scramble = button("Scramble", () => {
      this.#takeOver();
      this.#scramble();
    });
    listen(this.#repeats, {
      change: () => {
        this.#autoPlay.on = this.#repeats.checked;
        this.#autoPlay.reset();
      },
    });
    const letters = el("input", { type: "checkbox", class: "switch" });
    letters.checked = this.cube.animation.drawing.letters;
    listen(letters, { change: () => this.#useLetters(letters.checked) });
    return el(
      "div",
      { class: "cube-controls" },
      this.#solve,
      el("span", { class: "cube-scramble" }, scramble, this.#depth, depth),
      option(this.#repeats, "Repeat by itself", "Scramble and solve it again and again"),
      option(letters, "Letters", "Letters on the stickers, beside their colours"),
    );
  }

  #useLetters(on: boolean): void {
    this.cube.animation.drawing.letters = on;
    this.cube.animation.paint();
    try {
      localStorage.setItem(LETTERS, String(on));
    } catch {
      // Storage may be forbidden; then it applies to this visit.
    }
  }

  #key = (event: KeyboardEvent): void => {
    if (hasModifier(event) || event.repeat || event.shiftKey) return;
    if (dialogIsOpen() || (event.target as Element | null)?.matches?.("input, select")) return;
    if (event.key === "c") {
      this.#takeOver();
      this.#scramble();
    } else if (event.key === "g") this.#solveOrStop();
  };

  /** Ends the automatic play and the learner's attempt: the cube is the visitor's. */
  #takeOver(): void {
    this.#autoPlay.on = this.#repeats.checked = false;
    if (this.cube.attempt === "solving") this.cube.stop();
  }

  #scramble(turns = this.#depth.valueAsNumber): void {
    this.cube.scramble(randomMoves(turns, this.cube.metric));
  }

  /** Shows a random state at this distance from solved, at the visitor's request. */
  stateAtDistance(turns: number): void {
    this.#takeOver();
    this.cube.stateAtDistance(turns);
  }

  #solveOrStop(): void {
    if (this.#view?.stage.attempt === "solving") this.#takeOver();
    else this.#letSolve();
  }

  #letSolve(): void {
    this.#fewestTurns = this.#view?.stage.distance ?? 0;
    this.cube.solve();
  }

  /** A run was opened. */
  begin(): void {
    this.cube.reset();
    this.#autoPlay.reset();
  }

  draw(view: CubeView, shares: Float32Array, seconds: number): void {
    this.#view = view;
    const { cube } = this;
    const { stage, metric } = view;
    cube.metric = metric;
    cube.follow(stage, seconds);
    this.#turnValues.draw(view, cube.rotationToLab, seconds);
    this.#autoPlay.draw(view, shares, seconds);
    write(this.#facts.distance, String(stage.distance));
    write(this.#facts.made, String(cube.turnsMade.length));
    const written = cube.turnsMade.slice(-LISTED_TURNS).map(displayName).join(" ");
    write(this.#turnsMade, cube.turnsMade.length > LISTED_TURNS ? `… ${written}` : written || "\u00a0");
    write(this.#solve, stage.attempt === "solving" ? "Stop" : "Let it solve");
    this.#solve.disabled = stage.attempt !== "solving" && stage.distance === 0;
    this.#showEnd(view);
  }

  /** Shows how an attempt ended, after its animation has ended. */
  #showEnd({ stage }: CubeView): void {
    const { cube } = this;
    const own = stage.attempt === "idle" && stage.distance === 0 && cube.byHand;
    const ended = own ? "own" : this.#autoPlay.gaveUp ? "lost" : stage.attempt;
    const now = cube.animation.busy ? "busy" : ended;
    if (now === "busy" && (stage.attempt !== "idle" || own)) return;
    const [good, bad] = [now === "own" || now === "solved", now === "stuck" || now === "lost"];
    const turns = formatCount(cube.turnsMade.length, "turn");
    if (now === "own") write(this.#end, `You solved it in ${turns}`);
    else if (now === "solved") write(this.#end, `Solved in ${turns}${this.#compared()}`);
    else if (now === "stuck") write(this.#end, `Stuck after ${turns}: it was going in circles`);
    else if (now === "lost") write(this.#end, `Gave up after ${turns}`);
    this.#end.classList.toggle("shown", good || bad);
    this.#end.classList.toggle("good", good);
    this.#end.classList.toggle("bad", bad);
    if (good && now !== this.#shownEnd) cube.animation.spin();
    this.#shownEnd = now;
  }

  #compared(): string {
    const more = this.cube.turnsMade.length - this.#fewestTurns;
    return more <= 0 ? ", the fewest possible" : `, ${more} more than needed`;
  }

  describe(): string {
    if (!this.#view) return "";
    const { stage } = this.#view;
    if (stage.attempt === "solved") return `It solved the cube in ${formatCount(this.cube.turnsMade.length, "turn")}.`;
    if (stage.attempt === "stuck") return "It did not solve the cube and stopped.";
    const where = `The cube is ${stage.distance === 0 ? "" : `${formatCount(stage.distance, "turn")} from `}solved.`;
    return stage.attempt === "solving" ? `${where} It is solving it.` : where;
  }

  destroy(): void {
    removeEventListener("keydown", this.#key);
    this.#input.destroy();
    this.cube.animation.destroy();
  }
}

function option(box: HTMLElement, text: string, title: string): HTMLElement {
  return el("label", { class: "check", title }, box, text);
}

function keptLetters(): boolean {
  try {
    return localStorage.getItem(LETTERS) === "true";
  } catch {
    return false;
  }
}
