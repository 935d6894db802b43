// What a match or a money session adds around the board: the score, the cube, its questions with their buttons and
// keys, what the visitor's cube decisions cost, and ways to save, resign and analyse it. Loaded when a match begins.

import "./match.css";
import { download } from "../../../core/checkpoint";
import { button, dialogIsOpen, el, hasModifier, isLaidOut, takesKeys, write } from "../../../core/dom";
import type {
  BackgammonCubeChoice,
  BackgammonCommand,
  BackgammonMatch,
  BackgammonStage,
} from "../../../generated/protocol";
import type { Board } from "../board";
import { describeError } from "../wording";
import { Cube } from "./cube";
import { askToEnd, askToResign } from "./questions";
import {
  asksVisitor,
  describeAnswer,
  describeCubeReview,
  describeMatch,
  describeScore,
  describeShortResult,
  isGameOver,
} from "./words";

/** The name of a match as a file. */
const MATCH_FILE_NAME = "learnery-match.mat";

export interface MatchActions {
  send: (command: BackgammonCommand) => void;
  /** Asks the lab for the match so far as a file. */
  file: () => Promise<string>;
  /** Judges every decision of a match and shows them. */
  analyse: (file: File) => void;
  /** Sends what the visitor decides at this moment of the game, unless that was sent already. */
  decide: (command: BackgammonCommand) => void;
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
  /** Whether the visitor may resign now: in a turn, but not before an answer to a double. */
  #mayResign = false;
  /** Whether the board shows an earlier turn. */
  #reviewing = false;
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
  #save: HTMLButtonElement;
  #resign: HTMLButtonElement;
  #file: () => Promise<string>;
  /** The question that was opened last. */
  #dialog: HTMLDialogElement | null = null;
  /** The buttons by their keys. */
  #keys: Map<string, HTMLButtonElement>;

  constructor(board: Board, actions: MatchActions) {
    this.#board = board;
    this.#send = actions.send;
    this.#file = actions.file;
    const choose = (type: BackgammonCubeChoice) => () => actions.decide({ type });
    this.#roll = button("Roll", choose("roll"), { title: "Roll the dice (R)", class: "primary" });
    this.#double = button("Double", choose("double"), { title: "Offer a double (D)" });
    this.#take = button("Take", choose("take"), { title: "Play on at twice the stakes (T)" });
    this.#pass = button("Pass", choose("pass"), { title: "Give this game up at the present stakes (P)" });
    this.#beaver = button("Beaver", choose("beaver"), { title: "Take, double once more, and keep the cube (B)" });
    this.#next = button("Next game", () => actions.decide({ type: "next" }), {
      title: "Begin the next game (N)",
      class: "primary",
    });
    this.#again = button("New match", actions.newMatch, { title: "Choose the length of another match, and begin it" });
    const analyse = (text: string) => actions.analyse(new File([text], "your match"));
    this.#analysis = button("Analysis", () => void this.#withFile(analyse), {
      title: "See every decision, what it cost, and the luck of the dice (A)",
      class: "primary",
    });
    const save = (text: string) => download(MATCH_FILE_NAME, new TextEncoder().encode(text));
    this.#save = button("Save as .mat", () => void this.#withFile(save), {
      title: "Download the match so far as a text file that other backgammon programs read",
    });
    this.#resign = button("Resign", () => this.#askToResign(), { title: "Give this game up" });
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
      this.#save,
      this.#resign,
    ];
    this.buttons = el("div", { class: "match-buttons", role: "group", "aria-label": "The match" }, ...buttons);
    this.lines = el("div", { class: "match-lines" }, this.#news, this.#review);
    addEventListener("keydown", this.#onKeyDown);
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKeyDown);
    this.ended();
  }

  /** The match ends with a new game or a new run. */
  ended(): void {
    this.#match = null;
    this.#dialog?.close();
  }

  /** Whether a match is under way. */
  get underWay(): boolean {
    return this.#match !== null && this.#match.step !== "over";
  }

  /** Asks the visitor whether the match under way may end, and resolves to the answer. */
  mayEnd(): Promise<boolean> {
    const length = this.#match?.length ?? 0;
    this.#dialog?.close();
    return new Promise((answered) => (this.#dialog = askToEnd(length, answered)));
  }

  /**
   * Whether the panel's buttons take the place of those of the game: the visitor decides about the cube, or a game is
   * over.
   */
  get asks(): boolean {
    return this.#match !== null && (asksVisitor(this.#match) || isGameOver(this.#match));
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
    this.score.hidden = this.lines.hidden = match === null;
    if (!match) this.buttons.hidden = true;
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
    show(this.#resign, !isGameOver(match));
    show(
      this.buttons,
      [...this.buttons.children].some((each) => !(each as HTMLElement).hidden),
    );
    this.#mayResign = stage.awaits || (asked && match.step === "doubleOrRoll");
    this.#enable();
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

  /** While an earlier turn is reviewed, nothing can be decided about the present one. */
  set reviewing(reviewing: boolean) {
    this.#reviewing = reviewing;
    this.#enable();
  }

  #enable(): void {
    for (const each of [this.#roll, this.#double, this.#take, this.#pass, this.#beaver])
      each.disabled = this.#reviewing;
    this.#resign.disabled = this.#reviewing || !this.#mayResign;
  }

  /** Passes the match so far as a file to `use`. */
  async #withFile(use: (text: string) => void): Promise<void> {
    const text = await this.#file().catch(() => ""); // a refusal and a failed worker are shown elsewhere
    if (text !== "") use(text);
  }

  #askToResign(): void {
    if (this.#stage) this.#dialog = askToResign(this.#stage, (loss) => this.#send({ type: "resign", loss }));
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
