// The cube lab's stage, its interactive picture: a cube that the visitor turns and the agent solves, with the network's
// value of each turn, two numbers and controls. It does not influence training.

import { button, dialogIsOpen, el, hasModifier, isLaidOut, listen, write } from "../../core/dom";
import { formatCount } from "../../core/format";
import { reducedMotion } from "../../core/theme";
import { withTerms } from "../../ui/term";
import { CubeInput } from "./cube-input";
import { AutoPlay, randomMoves } from "./auto-play";
import type { CubeAttempt, CubeCommand, CubeSmallView } from "../../generated/protocol";
import { displayName, writtenTurns } from "./space";
import { CubeMirror } from "./cube-mirror";
import { lettersSwitch } from "./letters";
import { TurnValues } from "./turn-values";

/** The number of turns of a scramble: the initial value of the slider, and its maximum, from which every state is reached. */
const DEFAULT_SCRAMBLE_TURNS = 6;
const MAX_SCRAMBLE_TURNS = 14;
/** How many of the latest turns are listed. */
const LISTED_TURNS = 16;

/** What the text at the end is about: the state of the agent's attempt, or one of two ends that the lab does not know of. */
type Outcome = "solvedByVisitor" | "gaveUp" | CubeAttempt;

export class CubeStageView {
  readonly element: HTMLElement;
  readonly cube: CubeMirror;
  #input: CubeInput;
  #autoPlay: AutoPlay;
  #turnValues: TurnValues;
  #readouts = { distance: el("dd", { class: "num" }), made: el("dd", { class: "num" }) };
  #turnsMade = el("p", { class: "cube-turns num", "aria-hidden": "true" });
  #endText = el("p", { class: "stage-end cube-end", "aria-hidden": "true" });
  #solveButton = button("Solve with the agent", () => this.#solveOrStop(), { class: "primary cube-solve" });
  #repeatBox = el("input", { type: "checkbox", class: "switch" });
  #depth = el("input", {
    type: "range",
    min: 1,
    max: MAX_SCRAMBLE_TURNS,
    value: DEFAULT_SCRAMBLE_TURNS,
    "aria-label": "Number of turns in a scramble",
  });
  #depthText = el("span", { class: "num cube-depth" });
  #view: CubeSmallView | null = null;
  /** The distance from solved at the start of the agent's attempt. */
  #fewestTurns = 0;
  /** The outcome that is shown; "turning" while turns are animated that belong to none. */
  #shownOutcome: Outcome | "turning" = "idle";

  constructor(send: (command: CubeCommand) => void) {
    this.cube = new CubeMirror(send);
    this.#input = new CubeInput(this.cube, () => this.#takeOver());
    this.#autoPlay = new AutoPlay(
      this.cube,
      (turns) => this.#showDepth(this.#scramble(turns)),
      () => this.#letSolve(),
    );
    this.#autoPlay.on = this.#repeatBox.checked = !reducedMotion(); // the visitor may prefer reduced motion
    this.#turnValues = new TurnValues(
      (move) => {
        this.#takeOver();
        this.cube.turn(move);
      },
      (move) => this.cube.animation.preview(move),
    );
    const readout = (label: string, title: string, value: HTMLElement) =>
      el("div", { title }, el("dt", {}, ...withTerms(label, "cube")), value);
    this.element = el(
      "div",
      { class: "stage cube-stage", role: "group", "aria-label": "A cube to turn" },
      el(
        "div",
        { class: "stage-caption" },
        el("p", { class: "stage-title", text: "Try the agent on this cube" }),
        el("p", { class: "quiet", text: "Drag a face to turn it, drag beside the cube to rotate the view" }),
      ),
      el(
        "dl",
        { class: "stage-facts" },
        readout("distance", "Distance from solved: the fewest turns that solve the cube", this.#readouts.distance),
        readout("turns made", "Turns since the last scramble, or in the agent's attempt", this.#readouts.made),
      ),
      this.#surface(),
      this.#turnValues.element,
      this.#turnsMade,
      this.#controls(),
    );
    addEventListener("keydown", this.#onKey);
  }

  /** The drawing of the cube, which takes pointer and keys. */
  #surface(): HTMLElement {
    const { drawing } = this.cube.animation;
    const label = "The cube. Keys U R F L D B turn its faces, with Shift the other way; arrows turn the whole cube";
    const surface = el("div", { class: "cube-surface", role: "application", tabindex: 0, "aria-label": label });
    surface.append(drawing.element, this.#endText);
    return surface;
  }

  #controls(): HTMLElement {
    listen(this.#depth, { input: () => this.#showDepth() });
    this.#showDepth();
    const scramble = button("Scramble", () => {
      this.#takeOver();
      this.#scramble();
    });
    listen(this.#repeatBox, {
      change: () => {
        this.#autoPlay.on = this.#repeatBox.checked;
        this.#autoPlay.reset();
      },
    });
    return el(
      "div",
      { class: "cube-controls" },
      this.#solveButton,
      el("span", { class: "cube-scramble" }, scramble, this.#depth, this.#depthText),
      el(
        "label",
        { class: "check", title: "Scramble and solve again and again" },
        this.#repeatBox,
        "Repeat, harder as it learns",
      ),
      lettersSwitch(this.cube.animation),
    );
  }

  /** Shows the number of turns of a scramble, at the slider too. */
  #showDepth(turns = this.#depth.valueAsNumber): void {
    this.#depth.value = String(turns);
    write(this.#depthText, formatCount(turns, "turn"));
    const position = (turns - 1) / (Number(this.#depth.max) - 1);
    this.#depth.style.setProperty("--fill", `${100 * position}%`);
  }

  #onKey = (event: KeyboardEvent): void => {
    if (hasModifier(event) || event.repeat || event.shiftKey || !isLaidOut(this.element)) return;
    if (dialogIsOpen() || (event.target as Element | null)?.matches?.("input, select")) return;
    if (event.key === "c") {
      this.#takeOver();
      this.#scramble();
    } else if (event.key === "g") this.#solveOrStop();
  };

  /** Ends the automatic play and the agent's attempt, because the visitor wants the cube. */
  #takeOver(): void {
    this.#autoPlay.on = this.#repeatBox.checked = false;
    if (this.cube.attempt === "solving") this.cube.stop();
  }

  /** Scrambles the cube with so many random turns, and returns their number. */
  #scramble(turns = this.#depth.valueAsNumber): number {
    this.cube.scramble(randomMoves(turns, this.cube.metric));
    return turns;
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

  /** Starts anew after a run was opened. */
  begin(): void {
    this.cube.reset();
    this.#autoPlay.reset();
  }

  draw(view: CubeSmallView, solvedByDistance: Float32Array, seconds: number): void {
    this.#view = view;
    const { cube } = this;
    const { stage, metric } = view;
    cube.metric = metric;
    cube.follow(stage, seconds);
    this.#turnValues.draw(view, cube.rotationToLab, seconds);
    this.#autoPlay.advance(view, solvedByDistance, seconds);
    write(this.#readouts.distance, String(stage.distance));
    write(this.#readouts.made, String(cube.turnsMade.length));
    const latest = writtenTurns(cube.turnsMade.slice(-LISTED_TURNS));
    const listed = latest.map(({ name }) => displayName(name)).join(" ");
    write(this.#turnsMade, cube.turnsMade.length > LISTED_TURNS ? `… ${listed}` : listed || "\u00a0");
    write(this.#solveButton, stage.attempt === "solving" ? "Stop solving" : "Solve with the agent");
    this.#solveButton.disabled = stage.attempt !== "solving" && stage.distance === 0;
    this.#showEnd(view);
  }

  /** Whether the stage says that an attempt has failed. */
  get showsFailure(): boolean {
    return this.#shownOutcome === "stuck" || this.#shownOutcome === "gaveUp";
  }

  /** Writes how an attempt ended, once the animation of its last turn has ended. */
  #showEnd({ stage }: CubeSmallView): void {
    const { cube } = this;
    const solvedByVisitor = stage.attempt === "idle" && stage.distance === 0 && cube.lastTurnByVisitor;
    const outcome: Outcome = solvedByVisitor ? "solvedByVisitor" : this.#autoPlay.gaveUp ? "gaveUp" : stage.attempt;
    const isTurning = cube.animation.busy;
    // An outcome is known before the picture shows its last turn, so while turns of an attempt, or the turn with which the
    // visitor solves it, are animated, the text stays as it is. Other turns hide it.
    if (isTurning && (stage.attempt !== "idle" || solvedByVisitor)) return;
    const shown = isTurning ? "turning" : outcome;
    const isSolved = shown === "solvedByVisitor" || shown === "solved";
    const turns = formatCount(cube.turnsMade.length, "turn");
    if (shown === "solvedByVisitor") write(this.#endText, `You solved it in ${turns}`);
    else if (shown === "solved") write(this.#endText, `Solved in ${turns}${this.#comparedToFewest()}`);
    else if (shown === "stuck") write(this.#endText, `Not solved: after ${turns} it repeated a state`);
    else if (shown === "gaveUp") write(this.#endText, `Stopped after ${turns}: not solved`);
    if (isSolved && shown !== this.#shownOutcome) cube.animation.spin();
    this.#shownOutcome = shown;
    this.#endText.classList.toggle("shown", isSolved || this.showsFailure);
    this.#endText.classList.toggle("good", isSolved);
    this.#endText.classList.toggle("bad", this.showsFailure);
  }

  #comparedToFewest(): string {
    const extra = this.cube.turnsMade.length - this.#fewestTurns;
    return extra <= 0 ? ", the fewest possible" : `, ${extra} more than needed`;
  }

  /** The state of the stage in one sentence, for screen readers. */
  describe(): string {
    if (!this.#view) return "";
    const { stage } = this.#view;
    if (stage.attempt === "solved")
      return `The agent solved the cube in ${formatCount(this.cube.turnsMade.length, "turn")}.`;
    if (stage.attempt === "stuck") return "The agent stopped without solving the cube.";
    const distance = stage.distance === 0 ? "" : `${formatCount(stage.distance, "turn")} from `;
    const solving = stage.attempt === "solving" ? " The agent is solving it." : "";
    return `The cube is ${distance}solved.${solving}`;
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKey);
    this.#input.destroy();
    this.cube.animation.destroy();
  }
}
