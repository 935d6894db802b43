// A race against the agent on the 2×2×2 or the 3×3×3, in a dialog: the same scrambled cube for both. The agent's turns
// are shown after the visitor's, because they would give away how it is solved.

import { button, el, listen, write } from "../../../core/dom";
import { StageCopy } from "../../../core/compare/stage-copy";
import { formatCount, sentenceEnd } from "../../../core/format";
import type { Run } from "../../../core/run";
import { RaceFrame, RaceLane, whichAgent } from "../../../ui/race-frame";
import { CubeAnimation, QUARTER_TURN_SECONDS } from "../cube-animation";
import { CubeInput } from "../cube-input";
import { displayName, geometryOf, moveOf, solvedState, type Size } from "../space";
import { attempt, attemptLarge, metricOf, type Attempt } from "./agent";
import { RaceCube } from "./race-cube";
import { FIRST_SCRAMBLE, HALF_TURNS, MAX_SCRAMBLE, RULES, scrambled, verdict, words } from "./rules";
import "./race.css";

const HOW = "Drag a face, or press U R F L D B (with Shift: the other way). Drag beside the cube to rotate it.";

/** How many of the latest turns are listed. */
const LISTED_TURNS = 10;

/** One side of the race: a cube, and the turns made. */
class Lane extends RaceLane {
  #names: HTMLElement;

  constructor(title: string, animation: CubeAnimation, label: string, input: Record<string, string | number>) {
    const names = el("p", { class: "cube-turns num" });
    const surface = el("div", { class: "cube-surface", "aria-label": label, ...input });
    surface.append(animation.drawing.element);
    super(title, el("div", {}, surface, names), { class: "cube" });
    this.#names = names;
  }

  show(score: string, names: string[]): void {
    this.showScore(score);
    const hidden = names.length > LISTED_TURNS ? "… " : "";
    write(this.#names, hidden + names.slice(-LISTED_TURNS).map(displayName).join(" ") || "\u00a0");
  }
}

class CubeRace {
  readonly frame: RaceFrame;
  #copy: StageCopy;
  /** Opens the copy of the run; null before, and after a failure. */
  #opening: Promise<void> | null = null;
  #size: Size;
  #you: RaceCube;
  #agent = new CubeAnimation();
  #input: CubeInput;
  #lanes: [you: Lane, agent: Lane];
  #depth: HTMLInputElement;
  #depthText = el("output", { class: "num", for: "race-depth" });
  #giveUp = button("Give up", () => this.#finish(), { class: "small", disabled: true });
  #unit: string;
  /** The agent's attempt while a race goes on. */
  #attempt: Attempt | null = null;
  /** The number of turns of the scramble. */
  #scramble = FIRST_SCRAMBLE;

  constructor(run: Run, signal: AbortSignal) {
    const size = (this.#size = run.settings["puzzle"] === "3x3x3" ? 3 : 2);
    this.#you = new RaceCube(size, () => this.#turned());
    this.#input = new CubeInput(this.#you, () => {});
    const max = MAX_SCRAMBLE[size];
    this.#depth = el("input", { type: "range", min: 1, max, value: FIRST_SCRAMBLE, id: "race-depth" });
    this.#copy = new StageCopy(run);
    this.#unit = run.lab?.about.unit ?? "unit";
    this.#lanes = [
      new Lane("You", this.#you.animation, "Your cube. Keys U R F L D B turn its faces, with Shift the other way", {
        role: "application",
        tabindex: 0,
      }),
      new Lane("The agent", this.#agent, "The agent's cube", { role: "img" }),
    ];
    listen(this.#depth, { input: () => this.#showDepth() });
    this.#showDepth();
    const label = el("label", { class: "race-scramble" }, "Scramble: ", this.#depthText, this.#depth);
    this.frame = new RaceFrame({
      name: `${size}×${size}×${size}`,
      rule: RULES[size],
      lanes: this.#lanes,
      beside: [[label], [this.#giveUp]],
      wraps: "narrow",
      begin: () => void this.#begin(),
      ended: () => this.#end(),
      signal,
    });
    this.frame.showWho(HOW);
    this.#place(solvedState(size).stickers);
    this.frame.open();
  }

  #showDepth(): void {
    const turns = this.#depth.valueAsNumber;
    write(this.#depthText, formatCount(turns, "turn"));
    this.#depth.style.setProperty("--fill", `${(100 * (turns - 1)) / (Number(this.#depth.max) - 1)}%`);
  }

  #place(stickers: string): void {
    this.#you.place(stickers);
    this.#agent.show({ stickers, ups: geometryOf(this.#size).ups });
    for (const lane of this.#lanes) lane.show("", []);
  }

  async #begin(): Promise<void> {
    this.frame.start.disabled = this.#depth.disabled = true;
    this.frame.say("The agent tries its cube first. You see its turns after yours …");
    try {
      await (this.#opening ??= this.#copy.open());
      const metric = await metricOf(this.#copy);
      this.#scramble = this.#depth.valueAsNumber;
      const stickers = scrambled(this.#scramble, metric, Math.random, this.#size);
      const made = await (this.#size === 2 ? attempt : attemptLarge)(this.#copy, stickers);
      this.frame.showWho(`${HOW} ${HALF_TURNS[metric]} ${whichAgent(this.#unit, this.#copy.units)}`);
      this.#you.metric = metric;
      this.#place(stickers);
      this.#you.canTurn = true;
      this.#attempt = made;
      this.#giveUp.disabled = false;
      this.frame.say("Solve your cube. Take your time: only turns count.");
      this.#you.animation.drawing.element.parentElement?.focus();
    } catch (error) {
      this.#opening = null;
      this.frame.say(`The race cannot begin: ${sentenceEnd((error as Error).message)}`);
      this.frame.start.disabled = this.#depth.disabled = false;
    }
  }

  #turned(): void {
    this.#lanes[0].show(formatCount(this.#you.turns, "turn"), this.#you.names);
    if (this.#you.isSolved) this.#finish();
  }

  /** Ends the race, and shows the agent's turns. */
  #finish(): void {
    const its = this.#attempt;
    if (!its) return;
    this.#attempt = null;
    const you = this.#you;
    you.canTurn = false;
    this.#giveUp.disabled = true;
    this.#depth.disabled = false;
    if (you.isSolved) you.animation.spin();
    const yours = { turns: you.turns, solved: you.isSolved };
    this.#lanes[0].show(words(yours), you.names);
    this.#lanes[1].show(words(its), its.moves);
    for (const move of its.moves) this.#agent.turn(moveOf(move), QUARTER_TURN_SECONDS.agent);
    this.frame.say(verdict(yours, its, its.shortest ?? { turns: this.#scramble, isShortest: false }));
    this.frame.offerStart("Race again");
  }

  #end(): void {
    this.#attempt = null;
    this.#copy.close();
    this.#input.destroy();
    this.#you.animation.destroy();
    this.#agent.destroy();
  }
}

/** Opens a race against the agent of a run. Resolves when it is closed, which the signal also does. */
export async function openRace(run: Run, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new CubeRace(run, signal).frame.closed;
}
