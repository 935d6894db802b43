// Openings and replies on a board, in a dialog: a roll is chosen, then one of its plays, then the other side's roll.
// What each play is worth comes from a table. Loaded when it is opened.

import "../match/match.css";
import "../match-file/match-file.css";
import "../trainer/trainer.css";
import "./openings.css";
import { button, el, listen, write } from "../../../core/dom";
import { Choices } from "../../../ui/choices";
import { createDialog } from "../../../ui/dialog";
import type { MoveArrow } from "../arrows";
import { Board } from "../board";
import { parsePlay } from "../game-record";
import { copyPosition, SOUTH, START_POSITION, type Position } from "../position";
import type { SetUp } from "../set-up/xgid";
import { positionAfter } from "./position-after";
import { RollGrid } from "./roll-grid";
import { OpeningTable, type Decision, type Opening, type Roll, type ScoreName } from "./table";
import { describeLead, describePlay, describeQuestion, describeScore, describeTable, SCORE_NAMES } from "./words";

/** The roll that is shown first. */
const FIRST_ROLL: Roll = [3, 1];
/** Weights (see `MoveArrow`) of the arrows of the chosen play and of the best one. */
const [CHOSEN_WEIGHT, BEST_WEIGHT] = [0.6, 0.35];

/** Loads the table and returns the function that opens the dialog. `setUp` sets the position up on the lab's board. */
export async function loadOpenings(setUp: (setUp: SetUp) => void): Promise<() => HTMLDialogElement> {
  const { default: text } = await import("./table.tsv?raw");
  return () => new OpeningsDialog(new OpeningTable(text), setUp).dialog;
}

class OpeningsDialog {
  readonly dialog: HTMLDialogElement;
  #score: ScoreName = "money";
  /** The first roll and its play, once the replies are looked at. */
  #opening: Opening | null = null;
  #roll: Roll = FIRST_ROLL;
  #decision: Decision | null = null;
  /** The index of the chosen play. */
  #chosen = 0;

  #board = new Board(() => this.#drawBoard());
  #question = el("p", { class: "viewer-text", role: "status" });
  #lead = el("p", {});
  #scoreText = el("p", { class: "quiet" });
  #note = el("p", { class: "opening-note quiet" });
  #grid = new RollGrid((roll) => this.#show(roll));
  #list = el("div", { class: "trainer-options", role: "group", "aria-label": "Plays, the best first" });
  #replies = button("Replies to this play", () => this.#showReplies(), { class: "primary" });
  #back = button("Back to the first roll", () => this.#goBack(), { title: "Back to the first roll (Backspace)" });
  #scores = new Choices<ScoreName>({
    class: "button-group",
    buttonClass: "button",
    label: "What the game counts for",
    choices: SCORE_NAMES.map(([value, text, title]) => ({ value, content: [text], title })),
    choose: (score) => this.#chooseScore(score),
  });

  constructor(
    readonly table: OpeningTable,
    setUp: (setUp: SetUp) => void,
  ) {
    const playOn = () => {
      this.dialog.close();
      setUp({ position: this.#position, side: SOUTH, dice: this.#roll });
    };
    const dialog: HTMLDialogElement = (this.dialog = createDialog(
      {
        class: "match-viewer trainer openings",
        titleId: "openings-title",
        title: "Openings and replies",
        closed: () => {
          this.#board.destroy();
          dialog.remove();
        },
      },
      this.#scores.element,
      el(
        "div",
        { class: "viewer-columns" },
        el("div", { class: "viewer-board" }, this.#board.element, this.#question, this.#lead, this.#scoreText),
        el(
          "div",
          { class: "viewer-side" },
          this.#grid.element,
          el(
            "div",
            {},
            el(
              "p",
              { class: "opening-row opening-head quiet" },
              el("span", { text: "Play" }),
              el("span", { text: "Equity" }),
              el("span", { text: "Beside the best" }),
            ),
            this.#list,
          ),
          el(
            "div",
            { class: "viewer-buttons" },
            this.#replies,
            this.#back,
            button("Play from here", playOn, { title: "Set up this position, to change it or play from it" }),
          ),
        ),
      ),
      this.#note,
      el(
        "div",
        { class: "dialog-actions button-group" },
        button("Close", () => dialog.close()),
      ),
    ));
    listen(dialog, { keydown: this.#onKeyDown });
    document.body.append(dialog);
    dialog.showModal();
    this.#show(FIRST_ROLL);
    this.#grid.focus({ preventScroll: true }); // in a narrow window it lies below the board
  }

  /** The position that is played from, with the side that rolls below. */
  get #position(): Position {
    return this.#opening ? positionAfter(this.#opening.play) : copyPosition(START_POSITION);
  }

  #show(roll: Roll): void {
    this.#roll = roll;
    const decision = (this.#decision = this.table.find(this.#score, this.#opening, roll));
    const isReply = this.#opening !== null;
    this.#grid.show(roll);
    this.#scores.show(this.#score);
    write(this.#question, describeQuestion(this.#opening, roll));
    write(this.#lead, decision ? describeLead(decision, this.#score, isReply) : "This roll was not rolled out.");
    write(this.#scoreText, describeScore(this.#score, isReply));
    write(this.#note, decision ? describeTable(decision, this.#score, isReply) : "");
    const rows = (decision?.plays ?? []).map((play, i) => {
      const { equity, behind } = describePlay(decision as Decision, play, i === 0);
      return el(
        "button",
        { type: "button", class: "button trainer-option opening-row", on: { click: () => this.#choose(i) } },
        el("span", { class: "opening-play", text: play.play }),
        el("span", { class: "num", text: equity }),
        el("span", { class: "num quiet", text: behind }),
      );
    });
    this.#list.replaceChildren(...rows);
    this.#choose(0);
  }

  /** Chooses a play: the board shows its arrows. */
  #choose(chosen: number): void {
    this.#chosen = chosen;
    for (const [i, row] of [...this.#list.children].entries()) row.setAttribute("aria-pressed", String(i === chosen));
    const opening = this.#chosenOpening;
    this.#replies.hidden = this.#opening !== null;
    this.#replies.disabled = !opening || !this.table.hasReplies(this.#score, opening);
    this.#replies.title = this.#replies.disabled ? "The table has no replies to this play" : "";
    this.#back.hidden = this.#opening === null;
    this.#drawBoard();
  }

  /** The chosen play of the first roll; null among the replies. */
  get #chosenOpening(): Opening | null {
    const play = this.#decision?.plays[this.#chosen]?.play;
    return play === undefined || this.#opening ? null : { roll: this.#roll, play };
  }

  #showReplies(): void {
    const opening = this.#chosenOpening;
    if (!opening) return;
    this.#opening = opening;
    this.#show(FIRST_ROLL);
    this.#grid.focus();
  }

  #goBack(): void {
    const opening = this.#opening;
    if (!opening) return;
    this.#opening = null;
    this.#show(opening.roll);
    this.#choose(Math.max(0, this.#decision?.plays.findIndex(({ play }) => play === opening.play) ?? 0));
    this.#grid.focus();
  }

  /** The same position at another score. An opening play that has no replies there leads back to its roll. */
  #chooseScore(score: ScoreName): void {
    this.#score = score;
    if (this.#opening && !this.table.hasReplies(score, this.#opening)) this.#goBack();
    else this.#show(this.#roll);
  }

  #drawBoard(): void {
    const { layout, checkers, dice, arrows } = this.#board;
    const position = this.#position;
    checkers.set(position, true);
    dice.show(layout, SOUTH, this.#roll);
    arrows.draw(layout, position, SOUTH, this.#arrows());
  }

  #arrows(): MoveArrow[] {
    const [best, chosen] = [this.#decision?.plays[0], this.#decision?.plays[this.#chosen]];
    if (!best || !chosen) return [];
    const of = (play: string, weight: number, tone: MoveArrow["tone"]) => ({ moves: parsePlay(play), weight, tone });
    if (chosen === best) return [of(best.play, CHOSEN_WEIGHT, "candidate")];
    return [of(chosen.play, CHOSEN_WEIGHT, "played"), of(best.play, BEST_WEIGHT, "best")];
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    if (this.#grid.press(event)) event.preventDefault();
    else if (event.key === "Backspace") this.#goBack();
  };
}
