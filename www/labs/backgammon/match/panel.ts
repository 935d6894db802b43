// What a match or a money session adds around the board: the score, the cube, its questions with their buttons and keys,
// and what the visitor's cube decisions cost. Loaded when a match begins.

import "./match.css";
import { button, dialogIsOpen, el, hasModifier, isLaidOut, takesKeys, write } from "../../../core/dom";
import type {
  BackgammonCubeChoice,
  BackgammonCommand,
  BackgammonMatch,
  BackgammonReport,
  BackgammonStage,
} from "../../../generated/protocol";
import type { Board } from "../board";
import { describeError } from "../wording";
import { Cube } from "./cube";
import {
  asksVisitor,
  describeAnswer,
  describeCubeReview,
  describeMatch,
  describeScore,
  describeShortResult,
} from "./words";

export interface MatchActions {
  send: (command: BackgammonCommand) => void;
  /** Opens the dialog that begins another match. */
  newMatch: () => void;
}

export class MatchPanel {
  /** The score, above the board. */
  readonly score = el("p", { class: "match-score" });
  /** The buttons, below the board. */
  readonly buttons: HTMLElement;
  /** What has happened to the cube, in words. */
  readonly lines: HTMLElement;
  #cube = new Cube();
  #board: Board;
  #send: (command: BackgammonCommand) => void;
  #match: BackgammonMatch | null = null;
  #stage: BackgammonStage | null = null;
  #news = el("p", { class: "match-news", "aria-live": "polite" });
  /** The turn of the news. */
  #newsTurn = 0;
  #review = el("p", { class: "match-review" });
  #roll: HTMLButtonElement;
  #double: HTMLButtonElement;
  #take: HTMLButtonElement;
  #pass: HTMLButtonElement;
  #beaver: HTMLButtonElement;
  #next: HTMLButtonElement;
  #again: HTMLButtonElement;
  #analysis: HTMLButtonElement;
  /** Whether the report was asked for and has not arrived. */
  #awaitsReport = false;
  /** The buttons by their keys. */
  #keys: Map<string, HTMLButtonElement>;

  constructor(board: Board, actions: MatchActions) {
    this.#board = board;
    this.#send = actions.send;
    const choose = (type: BackgammonCubeChoice) => () => actions.send({ type });
    this.#roll = button("Roll", choose("roll"), { title: "Roll the dice (R)", class: "primary" });
    this.#double = button("Double", choose("double"), { title: "Offer a double (D)" });
    this.#take = button("Take", choose("take"), { title: "Play on at twice the stakes (T)" });
    this.#pass = button("Pass", choose("pass"), { title: "Give this game up at the present stakes (P)" });
    this.#beaver = button("Beaver", choose("beaver"), { title: "Take, double once more, and keep the cube (B)" });
    this.#next = button("Next game", () => actions.send({ type: "next" }), {
      title: "Begin the next game (N)",
      class: "primary",
    });
    this.#again = button("New match", actions.newMatch, { title: "Play another match" });
    this.#analysis = button("Analysis", () => this.#askForReport(), {
      title: "See errors, luck and the worst decisions, and save the match (A)",
      class: "primary",
    });
    this.#keys = new Map([
      ["r", this.#roll],
      ["d", this.#double],
      ["t", this.#take],
      ["p", this.#pass],
      ["b", this.#beaver],
      ["a", this.#analysis],
    ]);
    const buttons = [
      this.#roll,
      this.#double,
      this.#take,
      this.#pass,
      this.#beaver,
      this.#next,
      this.#analysis,
      this.#again,
    ];
    this.buttons = el("div", { class: "match-buttons", role: "group", "aria-label": "The doubling cube" }, ...buttons);
    this.lines = el("div", { class: "match-lines" }, this.#news, this.#review);
    addEventListener("keydown", this.#onKeyDown);
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKeyDown);
  }

  /** Whether the panel's buttons take the place of those of the game. */
  get asks(): boolean {
    return this.#match !== null && this.#match.step !== "play";
  }

  /** Whether the match waits for a decision of the visitor about the cube, or is over. */
  get holds(): boolean {
    return this.#match !== null && (asksVisitor(this.#match) || this.#match.step === "over");
  }

  /** A sentence about the cube or the end of a game; empty while a roll is played. */
  sentence(stage: BackgammonStage): string {
    return describeMatch(stage);
  }

  /** How the game or the match ended, in a few words; empty outside a match. */
  result(stage: BackgammonStage): string {
    return describeShortResult(stage);
  }

  draw(stage: BackgammonStage): void {
    const [before, match] = [this.#stage, stage.matchPlay];
    this.#stage = stage;
    this.#match = match;
    this.score.hidden = this.buttons.hidden = this.lines.hidden = match === null;
    this.#cube.draw(this.#board, match);
    if (!match) return;
    write(this.score, describeScore(stage));
    const asked = asksVisitor(match);
    show(this.#roll, asked && match.step === "doubleOrRoll");
    show(this.#double, asked && match.step === "doubleOrRoll");
    write(this.#double, match.cube === 1 ? "Double" : `Redouble to ${2 * match.cube}`);
    show(this.#take, asked && match.step === "answer");
    show(this.#pass, asked && match.step === "answer");
    show(this.#beaver, asked && match.step === "answer" && match.beavers);
    show(this.#next, match.step === "nextGame");
    show(this.#again, match.step === "over");
    // A money session has no end, so it can be analysed after every game.
    show(this.#analysis, match.step === "over" || (match.step === "nextGame" && match.length === 0));
    this.#analysis.classList.toggle("primary", match.step === "over");
    write(this.#analysis, this.#awaitsReport ? "Judging…" : "Analysis");
    if (match.report && this.#awaitsReport) void this.#showReport(stage, match.report);
    if (before) {
      const news = describeAnswer(before, stage);
      // It stays until the agent's next turn is over.
      if (news !== "") this.#newsTurn = stage.turn;
      if (news !== "" || before.game !== stage.game || stage.turn > this.#newsTurn + 1) write(this.#news, news);
    }
    const review = match.cubeReview;
    write(this.#review, review ? describeCubeReview(review) : "");
    this.#review.className = `match-review ${describeError(review?.cost ?? 0).replace(" ", "-")}`;
  }

  #askForReport(): void {
    this.#awaitsReport = true;
    this.#send({ type: "report" });
  }

  async #showReport(stage: BackgammonStage, report: BackgammonReport): Promise<void> {
    this.#awaitsReport = false;
    this.#send({ type: "taken" });
    const module = await import("./report").catch(() => null);
    if (module) module.openReport(stage, report);
    else write(this.#news, "The analysis could not be loaded. Check the network connection.");
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    if (takesKeys(event.target) || hasModifier(event) || dialogIsOpen() || event.repeat) return;
    const pressed = this.#keys.get(event.key.toLowerCase());
    if (pressed && isLaidOut(pressed)) pressed.click();
  };
}

function show(node: HTMLElement, shown: boolean): void {
  node.hidden = !shown;
}
