// The picture of the cube lab. Each puzzle has a screen of its own: `small-screen.ts` shows the 2×2×2, and
// `large/screen.ts` the 3×3×3, which is loaded with the first run that needs it.

import { button, el, write } from "../../core/dom";
import { presetById } from "../../core/presets";
import type { Run } from "../../core/run";
import type { Settings } from "../../core/link";
import type { LabView, OpenFile, Suggestion } from "../../ui/lab-view";
import { nameColours } from "./colours";
import { SmallScreen } from "./small-screen";
import { introduceTrained } from "./trained-words";
import type { Introduction } from "../../ui/introduction";
import type { LargeScreen } from "./large/screen";
import type { CubeView } from "../../generated/protocol";
import "./cube.css";
import "./solid.css";

type Puzzle = CubeView["puzzle"];

export { default as recordedRuns } from "./goal-units.json";
export { story } from "./story";

export const tour = () => import("./tour").then(({ captions }) => captions);

export const keys: [string, string][] = [
  ["U R F", "turn the upper, right, front face; with Shift the other way"],
  ["L D B", "turn the faces opposite"],
  ["X Y Z", "turn the whole cube"],
  ["C", "scramble the cube"],
  ["G", "solve the cube with the agent"],
  ["N P", "3x3x3: make the next turn of the solution, or go back one turn"],
  ["M", "3x3x3: play the solution, or pause"],
  ["E", "3x3x3: enter your own cube"],
];

export function suggestions({ lab, settings }: Run): Suggestion[] {
  if (!lab) return [];
  const preset = (id: string) => presetById(lab, id);
  if (puzzleOf(settings) === "3x3x3") {
    const longer = Number(settings["evaluate_scramble"]) > 0;
    return [
      ...(longer ? [{ text: "Learn to solve any state of the 3x3x3", settings: preset("cube3") }] : []),
      { text: "Enter your own cube and let the agent solve it" },
      { text: "Learn the 2x2x2, and test all of its states", settings: preset("standard") },
    ];
  }
  const dqn = settings["learner"] === "dqn"; // deep Q-learning
  return [
    dqn
      ? { text: "Learn all states: value iteration", settings: preset("standard") }
      : { text: "Train until 99% of all states are solved", settings: preset("small") },
    { text: "Scramble the cube by hand and let the agent solve it" },
    ...(dqn ? [] : [{ text: "Learn from its own attempts: deep Q-learning", settings: preset("dqn") }]),
    { text: "Count half turns as one turn", settings: { ...settings, metric: "half" } },
    { text: "Train without symmetry reduction", settings: preset("plain") },
    { text: "Learn the 3x3x3", settings: preset("cube3-small") },
  ];
}

function puzzleOf(settings: Settings): Puzzle {
  return settings["puzzle"] === "3x3x3" ? "3x3x3" : "2x2x2";
}

export function open(run: Run, _restart: (settings: Settings) => void, openFile: OpenFile): LabView<CubeView> {
  return new CubeLabView(run, openFile);
}

/** Shows the screen of the run's puzzle. A restart may change the puzzle. */
class CubeLabView implements LabView<CubeView> {
  /** Says that the screen of the 3×3×3 is being loaded, or could not be. */
  #loadingText = el("p", { role: "status" });
  #again = button("Try again", () => void this.#load());
  #loading = el("div", { class: "cube-loading", hidden: true }, this.#loadingText, this.#again);
  readonly element = el("div", { class: "cube-lab" }, this.#loading);
  #puzzle: Puzzle | null = null;
  #small: SmallScreen | null = null;
  #large: LargeScreen | null = null;
  #destroyed = false;

  constructor(
    readonly run: Run,
    readonly openFile: OpenFile,
  ) {
    // Before the first run is open, its settings are not known.
    this.#show(puzzleOf(run.lab?.about.id === "cube" ? run.settings : {}));
  }

  get #screen(): SmallScreen | LargeScreen | null {
    return this.#small ?? this.#large;
  }

  /** Shows a reason why the lab has refused a command, where the screen has a place for it. */
  get refused(): ((text: string) => void) | undefined {
    const large = this.#large;
    return large ? (text) => large.refused(nameColours(text)) : undefined;
  }

  #show(puzzle: Puzzle): void {
    if (puzzle === this.#puzzle) return;
    this.#puzzle = puzzle;
    this.#close();
    if (puzzle === "3x3x3") void this.#load();
    else this.element.append((this.#small = new SmallScreen(this.run, this.openFile)).element);
  }

  #close(): void {
    this.#screen?.element.remove();
    this.#screen?.destroy();
    this.#small = this.#large = null;
    this.#loading.hidden = true;
  }

  async #load(): Promise<void> {
    this.#loading.hidden = false;
    this.#again.hidden = true;
    write(this.#loadingText, "Loading the 3x3x3 …");
    const module = await import("./large/screen").catch(() => null);
    if (this.#destroyed || this.#puzzle !== "3x3x3" || this.#large) return;
    if (!module) {
      write(this.#loadingText, "The screen of the 3x3x3 could not be loaded. Check the network connection.");
      this.#again.hidden = false;
      return;
    }
    this.#loading.hidden = true;
    this.element.append((this.#large = new module.LargeScreen(this.run, this.openFile)).element);
  }

  draw(view: CubeView, seconds: number): void {
    this.#show(view.puzzle);
    if (view.puzzle === "2x2x2") this.#small?.draw(view, seconds);
    else this.#large?.draw(view, seconds);
  }

  opened(): void {
    this.#show(puzzleOf(this.run.settings));
    this.#screen?.opened();
  }

  introduction(): Introduction | null {
    return introduceTrained(this.run);
  }

  celebrate(): void {
    this.#screen?.celebrate();
  }

  describe(): string {
    return this.#screen?.describe() ?? "";
  }

  destroy(): void {
    this.#destroyed = true;
    this.#close();
  }
}
