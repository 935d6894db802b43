// The picture of the live world beside the editor, with what plays it: buttons, sliders, keys, the pointer, and the
// score.

import { button, el, listen, write } from "../../../core/dom";
import { ResponsiveCanvas } from "../../../core/canvas";
import { formatNumber, sentenceEnd } from "../../../core/format";
import { reducedMotion } from "../../../core/theme";
import type { Episode, EpisodeState, WorldSummary } from "../../../generated/protocol";
import { Slider } from "../../../ui/slider";
import { buttonOf, canPoint, keyName, keysOf, keyWords, playWords, type Controls } from "./controls";
import { listenHold } from "../hold";
import type { Moment } from "./messages";
import { PlayedEpisodes } from "./played-episodes";
import { Player, Scores, type Wish } from "./player";
import { listenPointer } from "./pointer";
import { drawPicture } from "./drawing";
import { roleColours } from "./role-colours";
import { shapesOf, Trails } from "./shapes";

/** Positions of the slider of the pace: times as fast as real time. */
const PACES = [0.1, 0.25, 0.5, 1, 2, 4];
/** What is written on the picture at the end of an episode. */
const END_WORDS: Record<EpisodeState, string> = {
  running: "",
  failed: "Failed",
  succeeded: "Done!",
  truncated: "Time is up",
};
/** What is shown before there is a world. */
const NOTHING: Moment = { episode: null, picture: { numbers: new Float32Array(), texts: [] } };
/** Positions of the slider of a continuous action. */
const AXIS_NOTCHES = 100;

export class Stage {
  readonly element: HTMLElement;
  readonly player = new Player();
  #canvas: ResponsiveCanvas;
  #surface: HTMLElement;
  #end = el("p", { class: "own-world-end", "aria-hidden": "true" });
  #who = el("p", { class: "quiet own-world-who" });
  #play = button("Play it yourself", () => this.#pressPlay(), { class: "primary" });
  #pause = button("Pause", () => this.#setPaused(!this.player.paused));
  #waits = el("input", { type: "checkbox", class: "switch" });
  #pace: Slider;
  #actions = el("div", { class: "own-world-actions" });
  #facts: Record<"score" | "last" | "best" | "solved" | "steps", HTMLElement>;
  #announcement = el("p", { class: "unseen", role: "status" });
  /** Shows the present action on its buttons or sliders. */
  #showAction: (action: number[]) => void = () => {};
  #moment = NOTHING;
  #summary: WorldSummary | null = null;
  /** The visitor's scores, in the world of this text. */
  #scores = new Scores();
  #text = "";
  /** How many texts have become the live world, and how many episodes it has begun. */
  #texts = 0;
  #episodes = 0;
  #played = new PlayedEpisodes();
  #trails = new Trails();
  #colours = roleColours();
  #frame = 0;
  #lastFrameAt = 0;
  #isBusy = false;

  /**
   * `ask` has the worker do something, and calls `show` with what follows. `played` is told the score of an episode that
   * the visitor has played by the rules of a text with these values of its parameters.
   */
  constructor(
    readonly ask: (wish: Wish) => Promise<void>,
    readonly played: (score: number, text: string, parameters: readonly number[]) => void,
  ) {
    this.#canvas = new ResponsiveCanvas({
      class: "own-world-canvas",
      resized: () => this.#draw(),
      recoloured: () => {
        this.#colours = roleColours();
        this.#draw();
      },
    });
    this.#surface = el(
      "div",
      { class: "own-world-surface", tabindex: 0, role: "application" },
      this.#canvas.element,
      this.#end,
    );
    this.#pace = new Slider({
      class: "slider own-world-slider",
      label: "Pace",
      title: "Times as fast as real time",
      notches: PACES.length - 1,
      value: (notch) => PACES[notch] as number,
      notch: (pace) => PACES.indexOf(pace),
      format: (pace) => `${pace}×`,
      change: (pace) => (this.player.pace = pace),
    });
    this.#pace.show(1);
    listen(this.#waits, { change: () => (this.player.waits = this.#waits.checked) });
    const fact = (label: string, title?: string) => {
      const value = el("dd", { class: "num", text: "–" });
      facts.append(el("div", { title }, el("dt", { text: label }), value));
      return value;
    };
    const facts = el("dl", { class: "own-world-facts" });
    this.#facts = {
      score: fact("Score"),
      last: fact("Your last score"),
      best: fact("Your best score"),
      solved: fact("Solved at", "The world counts as solved from this mean score on"),
      steps: fact("Steps"),
    };
    this.element = el(
      "section",
      { class: "own-world-stage", "aria-label": "The world" },
      this.#surface,
      facts,
      el("div", { class: "row own-world-row" }, this.#play, this.#pause, this.#pace.element),
      el("label", { class: "check small" }, this.#waits, "Wait for me: one step for each press; hold to repeat"),
      this.#who,
      this.#actions,
      this.#announcement,
    );
    this.#listen();
    this.player.paused = reducedMotion();
    this.#setPaused(this.player.paused);
    this.#lastFrameAt = performance.now();
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#canvas.destroy();
    removeEventListener("blur", this.#release);
  }

  /** A text has become the live world. Scores by other rules are no scores of this one. */
  setWorld(summary: WorldSummary, text: string): void {
    const before = this.player.controls;
    this.player.setWorld(summary);
    this.#summary = summary;
    if (this.player.controls !== before && this.player.controls) this.#buildActions(this.player.controls);
    if (text !== this.#text) {
      this.#scores = new Scores();
      this.#texts++;
    }
    this.#text = text;
    this.#waits.checked = this.player.waits;
    this.#describe();
  }

  /** Another text was opened: nobody plays it yet, and it may be no world. */
  begin(): void {
    this.#scores = new Scores();
    this.#played.forget();
    this.#trails = new Trails();
    this.#moment = NOTHING;
    this.#setPlaying(false);
    write(this.#end, "");
    this.#showFacts();
    this.#draw();
  }

  /** Shows the world after something has happened. */
  show(moment: Moment): void {
    const before = this.#moment.episode;
    this.#moment = moment;
    const { episode, picture } = moment;
    if (!episode) return;
    this.#trails.note(episode.steps, shapesOf(picture));
    const hasEnded = episode.state !== "running" && (before?.state === "running" || before?.steps !== episode.steps);
    if (hasEnded && this.player.playing && episode.steps > 0) {
      this.#scores.ended(episode.score);
      write(
        this.#announcement,
        `${sentenceEnd(END_WORDS[episode.state])} Your score is ${formatNumber(episode.score, 3)}.`,
      );
    }
    this.#notePlayed(episode, before);
    write(this.#end, END_WORDS[episode.state]);
    this.#end.className = `own-world-end ${episode.state}`;
    this.#showFacts();
    this.#draw();
  }

  #notePlayed({ steps, score, state, parameters }: Episode, before: Episode | null): void {
    if (steps < (before?.steps ?? Infinity)) this.#episodes++;
    const whole = this.#played.next({
      episode: this.#episodes,
      steps,
      score,
      isOver: state !== "running",
      limit: this.#summary?.limit ?? null,
      isPlayed: this.player.playing,
      rules: `${this.#texts} ${parameters.join(" ")}`,
    });
    if (whole !== null) this.played(whole, this.#text, parameters);
  }

  #showFacts(): void {
    const { episode } = this.#moment;
    const number = (x: number | null | undefined) => (x === null || x === undefined ? "–" : formatNumber(x, 3));
    write(this.#facts.score, number(episode?.score));
    write(this.#facts.last, number(this.#scores.last));
    write(this.#facts.best, number(this.#scores.best));
    write(this.#facts.solved, number(this.#summary?.solved));
    const limit = this.#summary?.limit ?? null;
    write(this.#facts.steps, `${episode?.steps ?? 0}${limit === null ? "" : ` of ${limit}`}`);
  }

  #draw(): void {
    const context = this.#canvas.clear();
    if (this.#moment.picture.numbers.length === 0 || this.#canvas.width === 0) return;
    const font = getComputedStyle(this.#surface).fontFamily;
    drawPicture(context, this.#canvas, this.#moment.picture, this.#trails, this.#colours, font);
  }

  #tick(now: number): void {
    this.#frame = requestAnimationFrame((later) => this.#tick(later));
    // The time that passes while the worker is busy counts in the frame after it.
    if (this.#isBusy) return;
    const seconds = Math.max(0, now - this.#lastFrameAt) / 1000;
    this.#lastFrameAt = now;
    const wish = this.player.due(seconds, this.#moment);
    this.#showAction(this.player.action);
    if (!wish) return;
    this.#isBusy = true;
    void this.ask(wish).finally(() => (this.#isBusy = false));
  }

  #listen(): void {
    const press = (event: KeyboardEvent, down: boolean) => {
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const { controls } = this.player;
      if (!controls || event.ctrlKey || event.altKey || event.metaKey || !keysOf(controls).has(key)) return;
      event.preventDefault();
      if (down && !this.player.playing) this.#setPlaying(true);
      this.player.setKey(key, down);
    };
    const allows = () => this.player.controls !== null && canPoint(this.player.controls);
    listen(this.#surface, {
      keydown: (event) => press(event, true),
      keyup: (event) => press(event, false),
      blur: () => this.player.release(),
      pointerdown: () => {
        this.#surface.focus({ preventScroll: true });
        if (allows() && !this.player.playing) this.#setPlaying(true);
      },
    });
    listenPointer(this.#surface, allows, (place) => this.player.setPointer(place));
    addEventListener("blur", this.#release);
  }

  #release = (): void => this.player.release();

  /** Whoever presses this button wants to play by keys, which the picture takes. */
  #pressPlay(): void {
    this.#setPlaying(!this.player.playing);
    if (this.player.playing) this.#surface.focus();
  }

  /**
   * Begins or ends that the visitor plays. A game begins with a new episode. The focus stays where it is: a button that
   * is held must see its release, and a slider the next key.
   */
  #setPlaying(playing: boolean): void {
    const isNew = playing && !this.player.playing;
    if (playing !== this.player.playing) this.#played.forget();
    this.player.playing = playing;
    this.player.release();
    this.player.action = [];
    write(this.#play, playing ? "Let chance play" : "Play it yourself");
    if (playing) this.#setPaused(false);
    this.#describe();
    if (isNew && this.#moment.episode) void this.ask({ type: "next" });
  }

  #setPaused(paused: boolean): void {
    this.player.paused = paused;
    write(this.#pause, paused ? "Go on" : "Pause");
  }

  /** Says who plays, and with which keys. */
  #describe(): void {
    const { controls, playing } = this.player;
    write(this.#who, controls ? playWords(controls, playing) : "");
    const toPlay = controls ? ` ${this.#summary?.title ?? ""}. To play: ${keyWords(controls)}` : "";
    this.#surface.setAttribute("aria-label", `Picture of the world${toPlay}`);
  }

  /** Buttons for choices, which act while they are held, or sliders for numbers. */
  #buildActions(controls: Controls): void {
    if (controls.kind === "choice") {
      const buttons = controls.choices.map(({ label, keys }, i) => {
        const hold = (down: boolean) => {
          if (down && !this.player.playing) this.#setPlaying(true);
          this.player.setKey(buttonOf(i), down);
        };
        const press = el("button", { type: "button", class: "button own-world-choice" }, label);
        if (keys[0]) press.append(" ", el("kbd", { text: keyName(keys[0]) }));
        // The focus does not leave the picture for the button: the picture would release what is pressed.
        listen(press, { mousedown: (event) => event.preventDefault() });
        listenHold(press, hold);
        return press;
      });
      this.#actions.replaceChildren(...buttons);
      this.#showAction = ([choice]) => buttons.forEach((press, i) => press.classList.toggle("down", i === choice));
      return;
    }
    const sliders = controls.axes.map(({ name, low, high, neutral }, i) => {
      const slider = new Slider({
        class: "slider own-world-slider",
        label: name,
        title: `The action ${name}`,
        notches: AXIS_NOTCHES,
        value: (notch) => low + ((high - low) * notch) / AXIS_NOTCHES,
        notch: (value) => (AXIS_NOTCHES * (value - low)) / (high - low || 1),
        format: (value) => formatNumber(value, 2),
        change: (value) => {
          if (!this.player.playing) this.#setPlaying(true);
          this.player.setAxis(i, value);
        },
      });
      slider.show(neutral);
      return slider;
    });
    this.#actions.replaceChildren(...sliders.map(({ element }) => element));
    this.#showAction = (action) =>
      sliders.forEach((slider, i) => slider.show(action[i] ?? controls.axes[i]?.neutral ?? 0));
  }
}
