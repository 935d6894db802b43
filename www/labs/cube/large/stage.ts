// The stage of the 3×3×3: a cube that the visitor turns, scrambles or enters, and that the agent solves by searches. It
// does not influence training.

import { button, dialogIsOpen, el, hasModifier, isLaidOut, listen, takesLetters, write } from "../../../core/dom";
import { formatCount } from "../../../core/format";
import { withTerms } from "../../../ui/term";
import type { CubeCommand, CubeLargeStage, CubeLargeView } from "../../../generated/protocol";
import { QUARTER_TURN_SECONDS } from "../cube-animation";
import { CubeInput } from "../cube-input";
import { lettersSwitch } from "../letters";
import type { EnterDialog } from "./enter/dialog";
import { LargeCube } from "./large-cube";
import { Player } from "./player";
import { randomTurns } from "./scramble";
import { Solution } from "./solution";
import { describeSearch } from "./wording";

/** Length of a scramble in turns: the slider's initial value and its maximum. */
const DEFAULT_SCRAMBLE_TURNS = 8;
const MAX_SCRAMBLE_TURNS = 30;

export class LargeStageView {
  readonly element: HTMLElement;
  readonly cube: LargeCube;
  #solution = new Solution();
  #player = new Player(this.#solution, (move) => this.cube.turn(move, QUARTER_TURN_SECONDS.agent));
  #input: CubeInput;
  #readouts = { length: el("dd", { class: "num" }), made: el("dd", { class: "num" }) };
  #searchText = el("p", { class: "cube3-search" });
  #endText = el("p", { class: "stage-end cube-end", "aria-hidden": "true" });
  /** Why the lab has refused a command, or why the dialog could not be loaded. */
  #problem = el("p", { class: "cube3-problem", role: "alert" });
  #solveButton = button("Solve with the agent", () => this.#solveOrStop(), {
    class: "primary cube-solve",
    title: "Search for a solution, or stop (G)",
  });
  #scrambleLength = el("input", {
    type: "range",
    min: 1,
    max: MAX_SCRAMBLE_TURNS,
    value: DEFAULT_SCRAMBLE_TURNS,
    "aria-label": "Number of turns in a scramble",
  });
  #stage: CubeLargeStage | null = null;
  #dialog: EnterDialog | null = null;
  /** Whether the dialog is being loaded. */
  #opening = false;
  /** Whether the cube is one that the visitor has entered. */
  #entered = false;
  /** Whether a face has been turned since the cube was scrambled or entered. */
  #turned = false;
  /** Whether it is shown that the cube has been solved. */
  #endShown = false;

  constructor(readonly send: (command: CubeCommand) => void) {
    this.cube = new LargeCube(send, (name) => {
      this.#turned = true;
      this.#solution.turned(name);
    });
    this.#input = new CubeInput(this.cube, () => this.#player.pause());
    const readout = (label: string, title: string, value: HTMLElement) =>
      el("div", { title }, el("dt", {}, ...withTerms(label, "cube")), value);
    this.element = el(
      "div",
      { class: "stage cube-stage cube3-stage", role: "group", "aria-label": "A 3x3x3 cube to turn" },
      el(
        "div",
        { class: "stage-caption" },
        el("p", { class: "stage-title", text: "Try the agent on this cube" }),
        el("p", { class: "quiet", text: "Drag a face to turn it, drag beside the cube to rotate the view" }),
      ),
      el(
        "dl",
        { class: "stage-facts" },
        readout(
          "solution length",
          "Number of turns of the shortest solution that the agent has found",
          this.#readouts.length,
        ),
        readout("turns made", "Turns of this solution that have been made", this.#readouts.made),
      ),
      this.#surface(),
      el(
        "section",
        { class: "cube3-solution", "aria-label": "The agent's solution" },
        el("h3", {}, ...withTerms("Solution by beam search", "cube")),
        this.#searchText,
        this.#player.element,
        this.#problem,
      ),
      this.#controls(),
    );
    addEventListener("keydown", this.#onKey);
  }

  /** The drawing of the cube, which takes pointer and keys. */
  #surface(): HTMLElement {
    const label = "The cube. Keys U R F L D B turn its faces, with Shift the other way; arrows rotate the view";
    const surface = el("div", { class: "cube-surface", role: "application", tabindex: 0, "aria-label": label });
    surface.append(this.cube.animation.drawing.element, this.#endText);
    return surface;
  }

  #controls(): HTMLElement {
    const lengthText = el("span", { class: "num cube-depth" });
    const showLength = () => {
      write(lengthText, formatCount(this.#scrambleLength.valueAsNumber, "turn"));
      const position = (this.#scrambleLength.valueAsNumber - 1) / (MAX_SCRAMBLE_TURNS - 1);
      this.#scrambleLength.style.setProperty("--fill", `${100 * position}%`);
    };
    listen(this.#scrambleLength, { input: showLength });
    showLength();
    const scramble = button("Scramble", () => this.scramble(), { title: "Scramble the cube (C)" });
    const enter = button("Enter your own cube", () => void this.enter(), {
      title: "Enter the colours of a cube that you hold in your hands (E)",
    });
    return el(
      "div",
      { class: "cube-controls cube3-controls" },
      this.#solveButton,
      el("span", { class: "cube-scramble" }, scramble, this.#scrambleLength, lengthText),
      enter,
      lettersSwitch(this.cube.animation),
    );
  }

  #onKey = (event: KeyboardEvent): void => {
    if (hasModifier(event) || event.repeat || event.shiftKey || !isLaidOut(this.element)) return;
    // Sliders and switches take no letters.
    const isText = takesLetters(event.target);
    if (dialogIsOpen() || isText) return;
    const action = {
      c: () => this.scramble(),
      g: () => this.#solveOrStop(),
      e: () => void this.enter(),
      n: () => this.#player.next(),
      p: () => this.#player.back(),
      m: () => this.#player.toggle(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  /** Whether the cube is the visitor's own, or is being entered. */
  get isOwn(): boolean {
    return this.#entered || this.#opening || this.#dialog !== null;
  }

  scramble(): void {
    this.#entered = false;
    this.#player.pause();
    write(this.#problem, "");
    this.cube.scramble(randomTurns(this.#scrambleLength.valueAsNumber, this.cube.metric));
    this.#turned = false;
  }

  #solveOrStop(): void {
    this.#player.pause();
    write(this.#problem, "");
    if (this.#stage?.searching) this.send({ type: "stop" });
    else if (!this.cube.isSolved) this.send({ type: "solve" });
  }

  /** Opens the dialog in which a cube is entered. */
  async enter(): Promise<void> {
    this.#player.pause();
    write(this.#problem, "");
    this.#opening = true;
    const module = await import("./enter/dialog").catch(() => null);
    this.#opening = false;
    if (dialogIsOpen() || !this.#stage || !isLaidOut(this.element)) return;
    if (!module) return write(this.#problem, "The dialog could not be loaded. Check the network connection.");
    this.#dialog = new module.EnterDialog(this.cube.stickers, {
      place: (stickers) => this.send({ type: "place", stickers }),
      closed: () => (this.#dialog = null),
    });
    this.#dialog.open();
  }

  /** The lab has refused a command, for the reason in the sentence. */
  refused(sentence: string): void {
    if (this.#dialog) this.#dialog.refused(sentence);
    else write(this.#problem, sentence);
  }

  /** Starts anew after a run was opened. */
  begin(): void {
    this.#entered = false;
    this.cube.reset();
    this.#player.pause();
    this.#turned = false;
    write(this.#problem, "");
  }

  draw({ stage, metric }: CubeLargeView, seconds: number): void {
    this.#stage = stage;
    this.cube.metric = metric;
    const before = this.cube.stickers;
    if (this.cube.follow(stage, seconds)) {
      this.#solution.sync(stage.solution, stage.solutionMade);
      const accepted = this.#dialog?.accepted(stage.stickers) ?? false;
      this.#entered ||= accepted;
      if (accepted || before !== stage.stickers) this.#turned = false;
      this.#drawStage(stage);
    }
    this.#player.advance(seconds, this.cube.animation.busy);
    this.#player.draw();
    this.#showEnd(stage);
  }

  #drawStage(stage: CubeLargeStage): void {
    const { turns, made } = this.#solution;
    write(this.#readouts.length, turns.length > 0 ? String(turns.length) : "–");
    write(this.#readouts.made, String(made));
    write(this.#searchText, this.#describeSearch(stage));
    write(this.#solveButton, stage.searching ? "Stop searching" : "Solve with the agent");
    this.#solveButton.disabled = !stage.searching && stage.isSolved;
  }

  #describeSearch({ searching, isSolved, searches, beamStates }: CubeLargeStage): string {
    const { turns, made } = this.#solution;
    const hasSearched = beamStates.length > 0;
    return describeSearch({ searching, isSolved, searches, length: turns.length, made, hasSearched });
  }

  /** Says that the cube has been solved, once the animation of the last turn has ended. */
  #showEnd({ isSolved }: CubeLargeStage): void {
    const shown = isSolved && this.#turned && !this.cube.animation.busy;
    if (shown === this.#endShown) return;
    this.#endShown = shown;
    this.#endText.classList.toggle("shown", shown);
    this.#endText.classList.toggle("good", shown);
    if (!shown) return;
    const { turns, next } = this.#solution;
    const byAgent = turns.length > 0 && next === undefined;
    write(this.#endText, byAgent ? `Solved in ${formatCount(turns.length, "turn")}` : "You solved it");
    this.cube.animation.spin();
  }

  /** The state of the stage in one sentence, for screen readers. */
  describe(): string {
    return this.#stage ? this.#describeSearch(this.#stage) : "";
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKey);
    this.#dialog?.close();
    this.#input.destroy();
    this.cube.animation.destroy();
  }
}
