// A race against the agent in a dialog: both worlds side by side, from the same start, in real time. The agent's
// episode is recorded first, so that both can begin at the same moment.

import { el, hasModifier, listen } from "../../../core/dom";
import { sentenceEnd } from "../../../core/format";
import type { Run } from "../../../core/run";
import type { ControlStage } from "../../../generated/protocol";
import { RaceFrame, RaceLane, whichAgent } from "../../../ui/race-frame";
import { pushButton, type PushKey } from "../push-button";
import { Scene } from "../scene";
import { WORLD_KINDS } from "../worlds/list";
import type { BuiltInWorld, WorldKind } from "../worlds/world-kind";
import { noteScore } from "../own-world/note-score";
import { RaceAgent, stateOf, type AgentEpisode } from "./agent";
import { SCORING, SPEEDS, verdict, type Direction } from "./rules";
import { RaceVisitor } from "./you";

const HOW = "Play with the arrow keys or the buttons.";
/** Seconds from the start of a race until the worlds move. */
const COUNTDOWN_SECONDS = 3;
/** A longer time between two frames counts as this, so that nobody loses by an interruption. */
const MAX_FRAME_SECONDS = 0.1;

/** What the lanes show before the start is known: the world at rest. */
const AT_REST: Record<BuiltInWorld, number[]> = {
  cartpole: [0, 0, 0, 0],
  mountaincar: [-0.5, 0],
  pendulum: [Math.PI, 0],
  acrobot: [0, 0, 0, 0],
};

/** One side of the race: the world, and the score so far. */
class Lane extends RaceLane {
  readonly scene: Scene;

  constructor(kind: WorldKind, title: string) {
    const scene = new Scene(kind);
    super(title, scene.drawing.element, { class: `stage ${kind.world}` });
    this.scene = scene;
    scene.drawing.draw(AT_REST[kind.world], 0, 0);
  }

  draw(stage: ControlStage, state: number[], score: string, seconds: number): void {
    this.scene.draw(stage, state, seconds);
    this.showScore(score);
  }
}

class RaceDialog {
  readonly frame: RaceFrame;
  #agent: RaceAgent;
  #you: RaceVisitor;
  #lanes: [you: Lane, agent: Lane];
  #unit: string;
  #held = new Set<PushKey>();
  /** The speed of both sides, as a fraction of the full one. */
  #speed = 1;
  #speeds = el(
    "select",
    { id: "race-speed" },
    ...SPEEDS.map(({ speed, name }) => el("option", { value: String(speed), text: name })),
  );
  #episode: AgentEpisode | null = null;
  /** Seconds since the worlds began to move; negative before, null while no race goes on. */
  #seconds: number | null = null;
  #drawnAt = 0;
  /** The requested animation frame. */
  #animation = 0;
  /** Raised with each race, so that the pictures begin anew. */
  #race = 0;

  constructor(
    run: Run,
    readonly kind: WorldKind,
    signal: AbortSignal,
  ) {
    this.#agent = new RaceAgent(run, kind);
    this.#you = new RaceVisitor(kind);
    this.#lanes = [new Lane(kind, "You"), new Lane(kind, "The agent")];
    this.#unit = run.lab?.about.unit ?? "unit";
    const { labels, symbols } = kind.controls;
    this.frame = new RaceFrame({
      name: kind.name,
      rule: SCORING[kind.world].rule,
      lanes: this.#lanes,
      beside: [[this.#push("ArrowLeft", labels[0], symbols[0])], [this.#push("ArrowRight", labels[1], symbols[1])]],
      choice: el("p", {}, el("label", { for: "race-speed", text: "Both sides run at " }), this.#speeds),
      begin: () => void this.#begin(),
      ended: () => this.#end(),
      signal,
    });
    this.frame.showWho(HOW);
    listen(this.#speeds, { change: () => (this.#speed = Number(this.#speeds.value)) });
    // The window hears the keys, because the focus leaves a button that is switched off. It hears them first (in the
    // capture phase), because they would also push on the page's stage.
    addEventListener("keydown", this.#onKey, { capture: true });
    addEventListener("keyup", this.#onKey, { capture: true });
    addEventListener("blur", this.#releaseAll);
    this.frame.open();
    this.#animation = requestAnimationFrame(this.#tick);
  }

  #push(key: PushKey, label: string, symbol: string): HTMLElement {
    return pushButton(key, label, symbol, (down) => this.#setHeld(key, down));
  }

  #onKey = (event: KeyboardEvent): void => {
    if ((event.key !== "ArrowLeft" && event.key !== "ArrowRight") || hasModifier(event)) return;
    // In the list of speeds the arrows choose; the release of a key that was pressed elsewhere counts.
    if (event.target === this.#speeds && event.type === "keydown") return;
    event.preventDefault();
    event.stopPropagation();
    this.#setHeld(event.key, event.type === "keydown");
  };

  /** The release of a key is not heard outside of the window. */
  #releaseAll = (): void => {
    for (const key of [...this.#held]) this.#setHeld(key, false);
  };

  #setHeld(key: PushKey, down: boolean): void {
    if (down) this.#held.add(key);
    else this.#held.delete(key);
    for (const each of this.frame.dialog.querySelectorAll(`.push.${key}`)) each.classList.toggle("down", down);
    const direction = Number(this.#held.has("ArrowRight")) - Number(this.#held.has("ArrowLeft"));
    this.#you.press(direction as Direction);
  }

  async #begin(): Promise<void> {
    this.#allowStart(false);
    this.#seconds = null;
    this.frame.say("The agent plays first. You will see it beside you …");
    try {
      const episode = await this.#agent.play();
      this.frame.showWho(`${HOW} ${whichAgent(this.#unit, this.#agent.units)}`);
      const [first] = episode.stages;
      if (!first) throw new Error("the agent did not play");
      this.#you.result = { steps: 0, score: 0, terminated: false };
      this.#you.isOver = false;
      await this.#you.begin(stateOf(first));
      this.#episode = episode;
      this.#race++;
      this.#seconds = -COUNTDOWN_SECONDS;
    } catch (error) {
      this.frame.say(`The race cannot begin: ${sentenceEnd((error as Error).message)}`);
      this.#allowStart(true);
    }
  }

  /** Between races, the speed can be chosen too. */
  #allowStart(allowed: boolean): void {
    this.frame.start.disabled = this.#speeds.disabled = !allowed;
  }

  #tick = (now: number): void => {
    this.#animation = requestAnimationFrame(this.#tick);
    const seconds = this.#drawnAt > 0 ? Math.min(MAX_FRAME_SECONDS, (now - this.#drawnAt) / 1000) : 0;
    this.#drawnAt = now;
    // The countdown is as long at each speed.
    const passed = this.#seconds !== null && this.#seconds >= 0 ? this.#speed * seconds : seconds;
    if (this.#seconds !== null) this.#seconds += passed;
    this.#advance(passed);
  };

  #advance(seconds: number): void {
    const episode = this.#episode;
    if (!episode || this.#seconds === null) return;
    const steps = Math.max(0, Math.floor(this.#seconds / this.kind.motion.secondsShown));
    if (this.#seconds < 0) this.frame.say(`Get ready: ${Math.ceil(-this.#seconds)}`);
    else if (!this.#you.isOver) this.frame.say("Go!");
    this.#you.stepTo(steps).catch((error: unknown) => this.#fail(error as Error));
    this.#draw(episode, steps, seconds);
    if (this.#you.isOver) this.#finish(episode);
  }

  #draw({ stages, ...result }: AgentEpisode, steps: number, seconds: number): void {
    const { kind } = this;
    const you = this.#you;
    const stage = stages[Math.min(steps, stages.length - 1)];
    if (!stage) return;
    const { words } = SCORING[kind.world];
    const visitor = you.isOver ? 0 : you.push;
    const yours = { ...stage, ...you.result, episode: this.#race, agent: 0, visitor, over: you.result.terminated };
    this.#lanes[0].draw(yours, you.state, words(you.result), seconds);
    const ended = steps >= result.steps;
    const score = words(ended ? result : { steps: stage.steps, score: stage.score, terminated: false });
    this.#lanes[1].draw({ ...stage, episode: this.#race }, stateOf(stage), score, seconds);
  }

  #finish(episode: AgentEpisode): void {
    this.#seconds = null;
    this.#draw(episode, episode.steps, 0);
    noteScore(this.kind.world, this.#you.result.score);
    this.frame.say(verdict(this.kind.world, this.#you.result, episode, this.#speed));
    this.#allowStart(true);
    this.frame.offerStart("Race again");
  }

  #fail(error: Error): void {
    if (this.#seconds === null) return;
    this.#seconds = null;
    this.frame.say(`The race has ended: ${sentenceEnd(error.message)}`);
    this.#allowStart(true);
  }

  #end(): void {
    removeEventListener("keydown", this.#onKey, { capture: true });
    removeEventListener("keyup", this.#onKey, { capture: true });
    removeEventListener("blur", this.#releaseAll);
    cancelAnimationFrame(this.#animation);
    this.#agent.close();
    this.#you.destroy();
  }
}

/** Opens a race against the agent of a run. Resolves when it is closed, which the signal also does. */
export async function openRace(run: Run, signal: AbortSignal): Promise<void> {
  const kind = WORLD_KINDS[run.settings["world"] as BuiltInWorld] as WorldKind | undefined;
  if (kind && !signal.aborted) await new RaceDialog(run, kind, signal).frame.closed;
}
