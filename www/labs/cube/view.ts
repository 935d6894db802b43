// The picture of the cube lab. Each puzzle has a screen of its own: `small-screen.ts` shows the 2×2×2, and
// `large/screen.ts` the 3×3×3, which is loaded with the first run that needs it. The cards above choose the cube.

import { formatCount } from "../../core/format";
import { button, el, write } from "../../core/dom";
import { presetById } from "../../core/presets";
import type { Run } from "../../core/run";
import type { Settings } from "../../core/link";
import type { AboutWords, LabView, OpenFile, Restart } from "../../ui/lab-view";
import { aboutWords } from "./about-words";
import { cubeCards, type Card } from "./cards";
import { nameColours } from "./colours";
import { EXPERTS } from "./expert";
import { SmallScreen } from "./small-screen";
import { openTrained } from "./trained";
import { introduceTrained } from "./trained-words";
import type { Headline } from "../../ui/headline";
import type { Introduction } from "../../ui/introduction";
import type { LargeScreen } from "./large/screen";
import type { About, CubeLearner, CubeView } from "../../generated/protocol";
import "./cube.css";
import "./solid.css";

type Puzzle = CubeView["puzzle"];

/** The preset that a card starts: for the 3×3×3 the one that learns within minutes. */
const PRESETS: Record<Puzzle, string> = { "2x2x2": "standard", "3x3x3": "cube3-small" };

export { default as recordedRuns } from "./goal-units.json";

export { story } from "./story";

/** The keys of the picture, for the list in the page's help: each with what it does. */
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

function puzzleOf(settings: Settings): Puzzle {
  return settings["puzzle"] === "3x3x3" ? "3x3x3" : "2x2x2";
}

export function open(run: Run, restart: Restart, openFile: OpenFile): LabView<CubeView> {
  return new CubeLabView(run, restart, openFile);
}

/** Shows the screen of the run's puzzle. A restart may change the puzzle. */
class CubeLabView implements LabView<CubeView> {
  /** Says that the screen of the 3×3×3 is being loaded, or could not be. */
  #loadingText = el("p", { role: "status" });
  #again = button("Try again", () => void this.#load());
  #loading = el("div", { class: "cube-loading", hidden: true }, this.#loadingText, this.#again);
  /** What is said while the network for the visitor's own cube is loaded, or why it could not be. */
  #ownText = el("p", { class: "cube-own-text", role: "status" });
  readonly element = el("div", { class: "cube-lab" }, this.#ownText, this.#loading);
  #cards = cubeCards((card) => this.#choose(card));
  readonly choice = this.#cards.element;
  readonly estimates = "estimates";
  /** The card that is shown as chosen. */
  #card: Card | null = null;
  /** Whether the visitor enters a cube as soon as the screen of the 3×3×3 is there. */
  #willEnter = false;
  /** Takes back the loading of the network for that; null unless it is being loaded. */
  #loadingForOwn: AbortController | null = null;
  #puzzle: Puzzle | null = null;
  #small: SmallScreen | null = null;
  #large: LargeScreen | null = null;
  #destroyed = false;

  constructor(
    readonly run: Run,
    readonly restart: Restart,
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

  #choose(card: Card): void {
    this.#willEnter = card === "own";
    if (card === "own") void this.#loadForOwn();
    else {
      this.#takeBackOwn();
      if (card === this.#puzzle) this.#large?.scramble();
      else if (this.run.lab) this.restart(presetById(this.run.lab, PRESETS[card]));
    }
    this.#markCard();
  }

  /** Before a cube is entered, loads the trained network in place of a run of the 2×2×2. */
  async #loadForOwn(): Promise<void> {
    if (this.#puzzle === "3x3x3" || this.#loadingForOwn) return;
    const { signal } = (this.#loadingForOwn = new AbortController());
    const show = (text: string) => write(this.#ownText, text);
    const opened = await openTrained(EXPERTS.large, this.run, this.openFile, show, signal);
    if (signal.aborted) return;
    this.#loadingForOwn = null;
    this.#willEnter &&= opened;
    this.#markCard();
  }

  /** The visitor wants another cube than their own, or has left. */
  #takeBackOwn(): void {
    this.#loadingForOwn?.abort();
    this.#loadingForOwn = null;
    write(this.#ownText, "");
  }

  /** Marks the card of the cube that is shown. */
  #markCard(): void {
    const card = this.#large?.isOwn || this.#willEnter ? "own" : this.#puzzle;
    if (card !== this.#card) this.#cards.show((this.#card = card));
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
    else if (this.#large) {
      this.#large.draw(view, seconds);
      if (this.#willEnter) this.#large.enter();
      this.#willEnter = false;
    }
    // While the picture says that the agent has not solved this cube, cube.css hides the page's note that the run has
    // reached its goal: side by side they would seem to contradict each other.
    this.element.classList.toggle("attempt-failed", this.#small?.showsFailure ?? false);
    this.#markCard();
  }

  opened(): void {
    this.#show(puzzleOf(this.run.settings));
    this.#screen?.opened();
    this.#markCard();
  }

  headline(): Partial<Headline> {
    const turns = this.run.settings["evaluate_scramble"];
    // All states of the 2×2×2 are tested; of the 3×3×3 the label says which.
    if (this.#puzzle !== "3x3x3") return {};
    return {
      name: turns ? `solved, of cubes scrambled by ${formatCount(Number(turns), "turn")}` : "solved, of random cubes",
    };
  }

  aboutWords(about: About): AboutWords {
    const { settings, goal } = this.run;
    return aboutWords(about, puzzleOf(settings) === "3x3x3", (settings["learner"] ?? "davi") as CubeLearner, goal);
  }

  introduction(): Introduction | null {
    return introduceTrained(this.run);
  }

  show(text: string): void {
    const tell = (problem: string) => write(this.#ownText, problem);
    const failed = () => tell("The cube of the link could not be loaded. Check the network connection.");
    const { run } = this;
    import("./shown").then(
      ({ showCube }) => showCube(text, puzzleOf(run.settings), (command) => run.command(command), tell),
      failed,
    );
  }

  celebrate(): void {
    this.#screen?.celebrate();
  }

  describe(): string {
    return this.#screen?.describe() ?? "";
  }

  destroy(): void {
    this.#destroyed = true;
    this.#takeBackOwn();
    this.#close();
  }
}
