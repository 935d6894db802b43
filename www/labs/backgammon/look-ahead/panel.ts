// Judges the position on the board with lookahead or by a rollout, with the network that the board shows: that of the
// run, or the expert's in a game against it. A result belongs to one position, so it goes when the position changes.

import "./look-ahead.css";
import { ToolRefusal, WAITED_FOR, type AskOptions } from "../../../core/ask";
import { button, el, write } from "../../../core/dom";
import type { Run } from "../../../core/run";
import { Choices } from "../../../ui/choices";
import { term } from "../../../ui/term";
import type { BackgammonStage } from "../../../generated/protocol";
import { readExpert } from "../expert";
import { describePlies } from "../match-file/plies";
import { OneDialog } from "../one-dialog";
import { readPosition, type Side } from "../position";
import { lower, playerName } from "../wording";
import { describeRefusal } from "../refusal";
import { writeXgid } from "../set-up/xgid";
import type { AskScores } from "./score-matrix";
import { MAX_AWAY } from "./scores";
import {
  describeEquity,
  describeLine,
  describeResult,
  hasCube,
  positionOf,
  type Line,
  type Question,
  type RolloutResult,
} from "./words";

/** Games of a rollout from each play, and the rolls after which the network values the position. */
const [ROLLOUT_GAMES, ROLLOUT_ROLLS] = [108, 7];
/** The plies of lookahead of the table of scores. */
const SCORES_PLIES = 1;
/** How many plays are listed at most. */
const MAX_LINES = 5;

export class LookAheadPanel {
  readonly element: HTMLElement;
  #choices = new Choices<Question>({
    class: "segments",
    buttonClass: "button",
    label: "Look ahead",
    choices: [
      {
        value: 0,
        content: ["No lookahead"],
        title: "Judges the positions after all plays as they stand",
      },
      { value: 1, content: ["1 ply"], title: "Looks at all rolls of the opponent, and the best play of each" },
      { value: 2, content: ["2 plies"], title: "Looks two turns ahead" },
      {
        value: "rollout",
        content: ["Rollout"],
        title: `Plays on from here ${ROLLOUT_GAMES} times for ${ROLLOUT_ROLLS} rolls, has the network value what comes out, and takes the mean`,
      },
    ],
    choose: (question) => void this.#ask(question),
    repeats: () => true,
  });
  #bar = el("progress", { max: 1, value: 0, "aria-label": "Progress" });
  #text = el("p", { class: "quiet", role: "status" });
  #equityHead = el("span", {});
  /** The heads of the two columns of the list. */
  #head = el("p", { class: "look-ahead-head quiet" }, el("span", {}, term("play", "play notation")), this.#equityHead);
  #list = el("ol", {});
  #cancel = button("Cancel", () => this.cancel());
  #stage: BackgammonStage | null = null;
  /** The position that the result is about. */
  #position = "";
  #open: AbortController | null = null;
  /** How many questions wait until the game has stopped. */
  #waiting = 0;
  #scores = new OneDialog();

  /** `hold` stops a game that goes on by itself, and resolves when its last turn has been drawn. */
  constructor(
    readonly run: Pick<Run, "ask">,
    readonly hold: () => Promise<void>,
  ) {
    const scores = button("Cube at every score", () => void this.#openScores(), {
      title: "A table of what to do with the cube in this position, at every score of a match up to 7 points away",
    });
    const row = el("div", { class: "look-ahead-row" }, this.#choices.element, scores, this.#cancel);
    this.element = el("div", {}, row, this.#bar, this.#text, this.#head, this.#list);
    this.#clear();
  }

  focus(): void {
    this.#choices.element.querySelector("button")?.focus();
  }

  draw(stage: BackgammonStage): void {
    this.#stage = stage;
    const position = positionOf(stage);
    if (position === this.#position) return;
    this.#position = position;
    if (this.#waiting > 0) return; // The question is about the position in which the game stops.
    this.cancel();
    this.#clear();
  }

  /** Ends the open question. What a rollout knows by then stays. */
  cancel(): void {
    this.#open?.abort();
  }

  destroy(): void {
    this.cancel();
    this.#scores.destroy();
  }

  /** Takes the result away. */
  #clear(): void {
    this.#choices.show(null);
    this.#bar.hidden = this.#cancel.hidden = true;
    this.#showLines([]);
    write(this.#text, "Judges this position with lookahead, or by playing on from it many times.");
  }

  async #ask(question: Question): Promise<void> {
    this.cancel();
    const open = (this.#open = new AbortController());
    let position: string | null = null;
    const isCurrent = () => this.#open === open && (position ?? this.#position) === this.#position;
    this.#clear();
    this.#choices.show(question);
    this.#bar.hidden = this.#cancel.hidden = false;
    this.#bar.removeAttribute("value");
    write(this.#text, "Computing …");
    try {
      await this.#stopGame();
      const stage = this.#stage;
      if (!stage || !isCurrent()) return;
      position = this.#position;
      const lines = open.signal.aborted ? null : await this.#answer(stage, question, open.signal);
      if (!isCurrent()) return;
      write(this.#text, lines === null ? "Cancelled." : describeResult(stage, question, lines.games));
      write(this.#equityHead, describeEquity(stage, question));
      this.#showLines(lines?.lines.slice(0, MAX_LINES) ?? []);
    } catch (error) {
      if (!isCurrent()) return;
      write(this.#text, describeRefusal(error, "It could not be loaded. Check the network connection."));
    }
    this.#bar.hidden = this.#cancel.hidden = true;
  }

  /** Stops a game that goes on by itself. The position in which it stops is the one that is asked about. */
  async #stopGame(): Promise<void> {
    this.#waiting += 1;
    try {
      await this.hold();
    } finally {
      this.#waiting -= 1;
    }
  }

  #showLines(lines: Line[]): void {
    this.#head.hidden = !lines.some(({ equity }) => equity !== null);
    this.#list.replaceChildren(...lines.map(createLine));
  }

  /** What the tool says; null if it was cancelled before it knew anything. */
  async #answer(
    stage: BackgammonStage,
    question: Question,
    signal: AbortSignal,
  ): Promise<{ lines: Line[]; games: number | null } | null> {
    const { run } = this;
    const position = this.#position;
    const options: AskOptions<"plays"> & AskOptions<"cube"> & AskOptions<"rollout"> = {
      ...(await this.#source(stage)),
      signal,
      onProgress: ({ share }) => (this.#bar.value = share),
    };
    if (question === "rollout") {
      const input = { position, games: ROLLOUT_GAMES, truncate: ROLLOUT_ROLLS };
      const { output } = await run.ask("rollout", input, options);
      const rollout = output?.rollout as RolloutResult | undefined;
      if (!rollout) return null;
      const lines = rollout.candidates.map(({ play, equity, error }) => ({ play: play ?? "", equity, error }));
      return { lines, games: rollout.games };
    }
    // A rollout takes turns with the analysis of a match, and what is short comes before both.
    const short = { ...options, priority: WAITED_FOR };
    if (stage.dice[0] === 0) {
      const { output } = await run.ask("cube", { position, plies: question }, short);
      return output && { lines: [{ play: output.verdict, equity: null, error: null }], games: null };
    }
    const input = { position, plies: question, cube: hasCube(stage) };
    const { output } = await run.ask("plays", input, short);
    // Plays that are far behind without lookahead are not looked at.
    const looked = output?.plays.filter(({ plies }) => plies === question);
    return looked ? { lines: looked.map(({ play, equity }) => ({ play, equity, error: null })), games: null } : null;
  }

  /** The network that is asked: the expert's in a game against it; undefined is that of the run. */
  async #source(stage: BackgammonStage): Promise<{ source?: Uint8Array<ArrayBuffer> }> {
    if (stage.players !== "expert") return {};
    const source = await readExpert();
    if (!source) throw new ToolRefusal("The expert network could not be loaded. Check the network connection.", null);
    return { source };
  }

  /** Opens a table of what to do with the cube at every score. */
  async #openScores(): Promise<void> {
    // It fails if another run is opened meanwhile.
    const isHeld = await this.hold().then(
      () => true,
      () => false,
    );
    const stage = this.#stage;
    if (!isHeld || !stage) return;
    await this.#scores.open(async () => {
      const { openScoreMatrix } = await import("./score-matrix");
      const side = stage.side as Side;
      const position = writeXgid({ position: readPosition(stage.board), side, dice: null }, null);
      const ask: AskScores = async (onEvent, signal) => {
        const options = { ...(await this.#source(stage)), onEvent, signal, priority: WAITED_FOR };
        return this.run.ask("scores", { position, plies: SCORES_PLIES, away: MAX_AWAY }, options);
      };
      const name = lower(playerName(stage.players, side));
      return () => openScoreMatrix(name, describePlies(SCORES_PLIES), ask);
    });
  }
}

function createLine(line: Line): HTMLElement {
  const [play, value] = describeLine(line);
  return el("li", {}, el("span", { text: play }), el("span", { class: "num", text: value }));
}
