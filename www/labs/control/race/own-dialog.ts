// A race against the agent in a world of the visitor's own, in a dialog: both worlds side by side, from the same start,
// in real time (own-side.ts).

import { ResponsiveCanvas } from "../../../core/canvas";
import { StageCopy } from "../../../core/compare/stage-copy";
import { el, hasModifier } from "../../../core/dom";
import { formatNumber, sentenceEnd } from "../../../core/format";
import type { Run } from "../../../core/run";
import type { ControlOwnWorld, ControlView } from "../../../generated/protocol";
import { RaceFrame, RaceLane, whichAgent } from "../../../ui/race-frame";
import { listenHold } from "../hold";
import {
  actionOf,
  actionsOf,
  buttonsOf,
  canPoint,
  controlsOf,
  keysOf,
  keyWords,
  type Controls,
} from "../own-world/controls";
import { drawPicture } from "../own-world/drawing";
import { learnedWorld, type WorldCommand } from "../own-world/learned-world";
import { listenPointer, type Place } from "../own-world/pointer";
import { roleColours } from "../own-world/role-colours";
import { shapesOf, Trails } from "../own-world/shapes";
import { noteOwnScore } from "../own-world/note-score";
import { OwnSide, verdict } from "./own-side";
import "../own-world/own-world.css";
import "../own-world/run-picture.css";
import "./own-race.css";

const RULE =
  "Both start in the same state, and luck is the same for both in every step. Whoever collects more reward in the episode " +
  "wins. An episode of a world without a limit ends after 1,000 steps.";
/** Seconds from the start of a race until the worlds move. */
const COUNTDOWN_SECONDS = 3;
/** A longer time between two frames counts as this, so that nobody loses by an interruption. */
const MAX_FRAME_SECONDS = 0.1;

/** One side on the screen: the picture of its world, and its score. */
class Lane extends RaceLane {
  readonly surface: HTMLElement;
  #canvas: ResponsiveCanvas;
  #colours = roleColours();
  #trails = new Trails();

  constructor(
    title: string,
    readonly side: OwnSide,
  ) {
    const canvas = new ResponsiveCanvas({
      class: "own-world-canvas",
      resized: () => this.draw(),
      recoloured: () => {
        this.#colours = roleColours();
        this.draw();
      },
    });
    const surface = el("div", { class: "own-run-surface" }, canvas.element);
    super(title, surface, { class: "own" });
    this.surface = surface;
    this.#canvas = canvas;
  }

  /** Begins another episode. */
  begin(): void {
    this.#trails = new Trails();
  }

  draw(): void {
    const { stage, picture } = this.side;
    if (!stage || this.#canvas.width === 0) return;
    this.#trails.note(stage.steps, shapesOf(picture));
    this.showScore(formatNumber(stage.score, 3));
    const context = this.#canvas.clear();
    const font = getComputedStyle(this.element).fontFamily;
    drawPicture(context, this.#canvas, picture, this.#trails, this.#colours, font);
  }

  destroy(): void {
    this.#canvas.destroy();
  }
}

class OwnRace {
  readonly frame: RaceFrame;
  #you: OwnSide;
  #agent: OwnSide;
  #lanes: [you: Lane, agent: Lane];
  #buttons = el("div", { class: "own-run-actions race-actions" });
  #unit: string;
  #controls: Controls | null = null;
  #keys = new Set<string>();
  /** Where the pointer is held down in the visitor's picture. */
  #pointer: Place | null = null;
  #action: number[] = [];
  /** The world of both sides; null before the first race. */
  #world: Promise<WorldCommand | null> | null = null;
  #races = 0;
  /** Seconds since the worlds began to move; negative before, null while no race goes on. */
  #seconds: number | null = null;
  /** Seconds that have passed and that the worlds have not been told yet. */
  #due = 0;
  #isBusy = false;
  #isClosed = false;
  #drawnAt = 0;
  #animation = 0;
  #unsubscribe: () => void;

  constructor(
    readonly run: Run,
    signal: AbortSignal,
  ) {
    this.#you = new OwnSide(new StageCopy(run));
    this.#agent = new OwnSide(new StageCopy(run));
    this.#lanes = [new Lane("You", this.#you), new Lane("The agent", this.#agent)];
    this.#unit = run.lab?.about.unit ?? "unit";
    this.frame = new RaceFrame({
      name: "your own world",
      rule: RULE,
      lanes: this.#lanes,
      beside: [[this.#buttons], []],
      wraps: "everywhere",
      begin: () => void this.#begin(),
      ended: () => this.#end(),
      signal,
    });
    listenPointer(
      this.#lanes[0].surface,
      () => this.#canPoint,
      (place) => {
        this.#pointer = place;
        this.#act(place === null);
      },
    );
    addEventListener("keydown", this.#onKey, { capture: true });
    addEventListener("keyup", this.#onKey, { capture: true });
    addEventListener("blur", this.#releaseAll);
    this.frame.open();
    this.#unsubscribe = run.on("view", (view) => this.#introduce((view as ControlView).own));
    this.#animation = requestAnimationFrame(this.#tick);
  }

  #onKey = (event: KeyboardEvent): void => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!this.#controls || !keysOf(this.#controls).has(key) || hasModifier(event)) return;
    // Space also presses a button that has the focus, which it may do only while nothing is raced.
    if (key === " " && this.#seconds === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.#setKey(key, event.type === "keydown");
  };

  get #canPoint(): boolean {
    return this.#controls !== null && canPoint(this.#controls);
  }

  #releaseAll = (): void => {
    this.#keys.clear();
    this.#pointer = null;
    this.#act(true);
  };

  #setKey(key: string, down: boolean): void {
    if (down) this.#keys.add(key);
    else this.#keys.delete(key);
    this.#act(!down);
  }

  /** Tells the visitor's world what is pressed. */
  #act(released: boolean): void {
    const controls = this.#controls;
    if (!controls) return;
    this.#action = actionOf(controls, { keys: this.#keys, pointer: this.#pointer }, this.#action, released);
    this.#you.act({ type: "act", numbers: this.#action });
  }

  async #begin(): Promise<void> {
    this.frame.start.disabled = true;
    this.frame.say("The worlds are being prepared …");
    try {
      this.#world ??= learnedWorld(this.run);
      await Promise.all([this.#you.open(), this.#agent.open()]);
      const resets = ++this.#races;
      await Promise.all([this.#you.begin(resets), this.#agent.begin(resets)]);
      this.#showControls();
      for (const lane of this.#lanes) lane.begin();
      this.#action = [];
      this.#act(true);
      [this.#due, this.#seconds] = [0, -COUNTDOWN_SECONDS];
    } catch (error) {
      this.#fail("The race cannot begin", error as Error);
    }
  }

  /** Before the first race: says in which world it is, and how it is played, as soon as the open run has told it. */
  #introduce(own: ControlOwnWorld | undefined): void {
    if (!own) return;
    this.#unsubscribe();
    this.frame.rename(own.title);
    if (this.#races === 0) this.frame.showWho(howToPlay(controlsOf(actionsOf(own.actions))));
  }

  /** Shows how this world is played. */
  #showControls(): void {
    const { own } = this.#you;
    if (!own) return;
    const controls = (this.#controls = controlsOf(actionsOf(own.actions)));
    this.#lanes[0].surface.classList.toggle("pointed", this.#canPoint);
    this.frame.rename(own.title);
    this.frame.showWho(`${howToPlay(controls)} ${whichAgent(this.#unit, this.#agent.units)}`);
    this.#buttons.replaceChildren(
      ...buttonsOf(controls).map(({ label, key }) => {
        const hold = el(
          "button",
          { type: "button", class: "button small own-run-hold", title: "Hold it to act" },
          label,
        );
        listenHold(hold, (down) => this.#setKey(key, down));
        return hold;
      }),
    );
  }

  #tick = (now: number): void => {
    this.#animation = requestAnimationFrame(this.#tick);
    const seconds = this.#drawnAt > 0 ? Math.min(MAX_FRAME_SECONDS, (now - this.#drawnAt) / 1000) : 0;
    this.#drawnAt = now;
    if (this.#seconds === null) return;
    this.#seconds += seconds;
    if (this.#seconds < 0) {
      this.frame.say(`Get ready: ${Math.ceil(-this.#seconds)}`);
      for (const lane of this.#lanes) lane.draw();
      return;
    }
    this.#due += seconds;
    if (!this.#isBusy) void this.#advance();
  };

  /** Lets both worlds go on for the time that has passed: the same for both. */
  async #advance(): Promise<void> {
    this.#isBusy = true;
    const due = this.#due;
    this.#due = 0;
    try {
      await Promise.all([this.#you.advance(due), this.#agent.advance(due)]);
      this.frame.say("Go!");
      for (const lane of this.#lanes) lane.draw();
      if (this.#you.isOver) await this.#finish();
    } catch (error) {
      this.#fail("The race had to stop", error as Error);
    }
    this.#isBusy = false;
  }

  async #finish(): Promise<void> {
    this.#seconds = null;
    this.frame.say("The agent is finishing its episode …");
    // Before the agent's end: the dialog may be closed until then.
    await this.#noteScore();
    await this.#agent.finish();
    for (const lane of this.#lanes) lane.draw();
    this.frame.say(verdict(this.#you.stage, this.#agent.stage));
    this.frame.offerStart("Race again");
  }

  async #noteScore(): Promise<void> {
    const { stage, isComplete } = this.#you;
    const world = await this.#world;
    if (!world) this.#world = null; // the next race asks again
    if (world && stage && isComplete) noteOwnScore(world, stage.score);
  }

  #fail(what: string, error: Error): void {
    this.#seconds = null;
    if (this.#isClosed) return;
    this.frame.say(`${what}: ${sentenceEnd(error.message)}`);
    this.frame.start.disabled = false;
  }

  #end(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#seconds = null;
    removeEventListener("keydown", this.#onKey, { capture: true });
    removeEventListener("keyup", this.#onKey, { capture: true });
    removeEventListener("blur", this.#releaseAll);
    cancelAnimationFrame(this.#animation);
    for (const lane of this.#lanes) lane.destroy();
    for (const side of [this.#you, this.#agent]) side.close();
  }
}

/** The keys, and what they do not say. */
function howToPlay(controls: Controls): string {
  const rests =
    controls.kind === "choice" && controls.rest === null ? " Your last choice goes on until you make another." : "";
  const places = canPoint(controls) ? "the buttons, or press or drag in your picture" : "or the buttons";
  return `To play: ${keyWords(controls)}, ${places}.${rests}`;
}

/** Opens a race against the agent of a run. Resolves when it is closed, which the signal also does. */
export async function openRace(run: Run, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new OwnRace(run, signal).frame.closed;
}
