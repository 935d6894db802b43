// A match from a file with its analysis, in a dialog: a board on which one steps through the decisions, the list of all
// of them, and the statistics of both players. Loaded when the analysis is complete.

import "../match/match.css";
import "./match-file.css";
import { download } from "../../../core/checkpoint";
import { button, el, hasModifier, listen, write } from "../../../core/dom";
import { copyButton } from "../../../ui/copy";
import { createDialog } from "../../../ui/dialog";
import type {
  BackgammonAnalysedDecision,
  BackgammonAnalysedMatch,
  BackgammonAnalyseOutput,
} from "../../../generated/protocol";
import type { MoveArrow } from "../arrows";
import { Board } from "../board";
import { DecisionPicture } from "../decision-picture";
import { chancesTable, statisticsTable } from "./statistics-table";
import { PASS } from "../game-record";
import { readMoves } from "../position";
import { writeShowLink, type SetUp } from "../set-up/xgid";
import { describeError, formatLoss } from "../wording";
import { setUpOf, xgidOf } from "./decision-xgid";
import { atPlies, choosePlies } from "./plies";
import {
  describeDecision,
  describeEquities,
  describeGame,
  describeLuck,
  describeMatchFile,
  describeVerdict,
  nextError,
  shortDecision,
} from "./words";

/** Weights (see `MoveArrow`) of the arrows of the play and of the best one. */
const [PLAYED_WEIGHT, BEST_WEIGHT] = [0.5, 0.6];

interface ViewerOptions {
  /** Opens the dialog in which a position is set up; null where there is no board to play on. */
  setUp: ((setUp: SetUp) => void) | null;
  /** Judges the match again, with this lookahead. */
  again: (plies: number) => void;
  /** Makes cards for the trainer of the mistakes of a player. */
  practise: (player: number) => void;
  closed: () => void;
}

/** Shows a match that was analysed with so many plies of lookahead. */
export function openViewer(output: BackgammonAnalyseOutput, plies: number, options: ViewerOptions): HTMLDialogElement {
  return new MatchViewer(output, plies, options).dialog;
}

class MatchViewer {
  readonly dialog: HTMLDialogElement;
  #match: BackgammonAnalysedMatch;
  #shown = 0;
  #board = new Board(() => this.#drawBoard());
  #picture = new DecisionPicture(this.#board);
  #text = el("p", { class: "viewer-text" });
  #verdict = el("p", {});
  #luck = el("p", { class: "quiet" });
  #table = el("div", {});
  #rows: HTMLButtonElement[];
  #list = el("div", { class: "viewer-list" });
  #back = button("Previous", () => this.#step(-1), { title: "Previous decision (←)" });
  #forward = button("Next", () => this.#step(1), { title: "Next decision (→)", class: "primary" });
  #errorBefore = button("Previous error", () => this.#stepToError(-1), { title: "Previous error (↑)" });
  #errorAfter = button("Next error", () => this.#stepToError(1), { title: "Next error (↓)" });

  constructor(
    { shown: match, mat }: BackgammonAnalyseOutput,
    plies: number,
    { setUp, again, practise, closed }: ViewerOptions,
  ) {
    this.#match = match;
    this.#rows = match.decisions.map((decision, i) => this.#createRow(decision, i));
    this.#list.append(...this.#createGameLists());
    const save = button("Save annotated .mat", () => download("learnery-analysis.mat", new TextEncoder().encode(mat)), {
      title: "Download the match with comments on its errors, as a text file that other backgammon programs read",
    });
    const play = () => {
      dialog.close();
      setUp?.(setUpOf(this.#decision));
    };
    const playOn = button("Play from here", play, { title: "Set up this position, to change it or play from it" });
    playOn.hidden = setUp === null;
    const lookahead = choosePlies("Judge again with this lookahead", (chosen) => {
      again(chosen);
      dialog.close();
    });
    lookahead.show(plies);
    const practiseAs = match.players.map((name, player) =>
      button(name, () => {
        practise(player);
        dialog.close();
      }),
    );
    const [light, dark] = match.players;
    const dialog: HTMLDialogElement = (this.dialog = createDialog(
      {
        class: "match-viewer",
        titleId: "match-viewer-title",
        title: describeMatchFile(match),
        closed: () => {
          this.#board.destroy();
          dialog.remove();
          closed();
        },
      },
      el(
        "div",
        { class: "viewer-columns" },
        el(
          "div",
          { class: "viewer-board" },
          this.#board.element,
          el("div", { class: "viewer-buttons" }, this.#back, this.#forward, this.#errorBefore, this.#errorAfter),
          el("div", { role: "status" }, this.#text, this.#verdict),
          this.#table,
          this.#luck,
        ),
        el(
          "div",
          { class: "viewer-side" },
          statisticsTable([`${light} (light)`, `${dark} (dark)`], match.reports),
          this.#list,
        ),
      ),
      el("p", {
        class: "report-note",
        text:
          `The expert's network judges every decision ${atPlies(plies)}. ` +
          "What is lost is equity: points, where a game at the present cube counts 1.",
      }),
      el(
        "div",
        { class: "viewer-lookahead" },
        el("span", { class: "quiet", text: "Judge again at" }),
        lookahead.element,
      ),
      el(
        "div",
        { class: "viewer-lookahead" },
        el("span", { class: "quiet", text: "Practise the mistakes of" }),
        el("div", { class: "button-group", role: "group", "aria-label": "Practise the mistakes of" }, ...practiseAs),
      ),
      el(
        "div",
        { class: "dialog-actions button-group" },
        playOn,
        copyButton("Copy link to this position", () => this.#linkToShown()),
        save,
        button("Close", () => dialog.close()),
      ),
    ));
    dialog.tabIndex = -1;
    listen(dialog, { keydown: this.#onKeyDown });
    document.body.append(dialog);
    dialog.showModal();
    this.#show(0);
    this.#forward.focus();
  }

  /** The list of decisions, game by game. */
  #createGameLists(): HTMLElement[] {
    const { decisions, games } = this.#match;
    return games.flatMap((game, i) => [
      el("h3", { text: describeGame(this.#match, game, i) }),
      el("ol", {}, ...this.#rows.filter((_, row) => decisions[row]?.game === i).map((row) => el("li", {}, row))),
    ]);
  }

  #createRow(decision: BackgammonAnalysedDecision, i: number): HTMLButtonElement {
    const { player, dice, cubeReview, cost } = decision;
    const error = describeError(cost);
    const lost = formatLoss(cost);
    const row = el(
      "button",
      { type: "button", class: "move", title: error && `${error}: lost ${lost.replace("−", "")}` },
      el("span", { class: "viewer-name", text: this.#match.players[player] ?? "" }),
      el("span", { class: "num move-dice", text: cubeReview ? "" : dice.join("-") }),
      el("span", { class: "move-play", text: shortDecision(decision) }),
      error !== "" && el("span", { class: `num move-loss ${error.replace(" ", "-")}`, text: lost }),
    );
    listen(row, { click: () => this.#show(i) });
    return row;
  }

  #step(by: number): void {
    this.#show(Math.max(0, Math.min(this.#match.decisions.length - 1, this.#shown + by)));
  }

  #stepToError(step: 1 | -1): void {
    const found = nextError(this.#match.decisions, this.#shown, step);
    if (found !== null) this.#show(found);
  }

  #show(i: number): void {
    const { decisions } = this.#match;
    const decision = decisions[i];
    if (!decision) return;
    this.#rows[this.#shown]?.removeAttribute("aria-pressed");
    this.#shown = i;
    this.#rows[i]?.setAttribute("aria-pressed", "true");
    this.#scrollTo(this.#rows[i]);
    this.#disable(this.#back, i === 0);
    this.#disable(this.#forward, i === decisions.length - 1);
    this.#disable(this.#errorBefore, nextError(decisions, i, -1) === null);
    this.#disable(this.#errorAfter, nextError(decisions, i, 1) === null);
    write(this.#text, describeDecision(this.#match, decision));
    write(this.#verdict, describeVerdict(decision));
    this.#verdict.className = `viewer-verdict ${describeError(decision.cost).replace(" ", "-")}`;
    write(this.#luck, describeLuck(decision));
    this.#table.replaceChildren(...tables(this.#match, decision));
    this.#drawBoard();
  }

  /** Disables a button or enables it. The dialog takes over its focus, because keys go to what has the focus. */
  #disable(node: HTMLButtonElement, disabled: boolean): void {
    if (disabled && document.activeElement === node) this.dialog.focus();
    node.disabled = disabled;
  }

  /** Scrolls the list, but not the dialog around it, until the row is in view. */
  #scrollTo(row: HTMLElement | undefined): void {
    if (!row) return;
    const [list, { top, bottom }] = [this.#list.getBoundingClientRect(), row.getBoundingClientRect()];
    if (top < list.top) this.#list.scrollTop += top - list.top;
    else if (bottom > list.bottom) this.#list.scrollTop += bottom - list.bottom;
  }

  #drawBoard(): void {
    const decision = this.#match.decisions[this.#shown];
    if (!decision) return;
    const { moves, cubeReview, cost, unplayed, game } = decision;
    const [played, best] = moves;
    const isError = describeError(cost) !== "";
    const shown: MoveArrow[] = [
      { moves: readMoves(played), weight: PLAYED_WEIGHT, tone: isError ? "played" : "candidate" },
    ];
    if (isError) shown.push({ moves: readMoves(best), weight: BEST_WEIGHT, tone: "best" });
    const crawford = this.#match.games[game]?.crawford ?? false;
    const stakes = { length: this.#match.length, crawford };
    this.#picture.draw(decision, stakes, cubeReview || unplayed ? [] : shown);
  }

  /** The address that shows the decision's position in the lab. */
  #linkToShown(): string {
    const { length, games, moneyRules = null } = this.#match;
    const decision = this.#decision;
    const crawford = games[decision.game]?.crawford ?? false;
    return location.origin + location.pathname + writeShowLink(xgidOf({ decision, length, crawford, moneyRules }));
  }

  get #decision(): BackgammonAnalysedDecision {
    return this.#match.decisions[this.#shown] as BackgammonAnalysedDecision;
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    if (hasModifier(event)) return;
    const { key } = event;
    if (key === "ArrowLeft") this.#step(-1);
    else if (key === "ArrowRight") this.#step(1);
    else if (key === "ArrowUp") this.#stepToError(-1);
    else if (key === "ArrowDown") this.#stepToError(1);
    else return;
    event.preventDefault();
  };
}

/** The chances of a decision, and its equities. */
function tables(match: BackgammonAnalysedMatch, decision: BackgammonAnalysedDecision): HTMLElement[] {
  const { cubeReview, notations, unplayed } = decision;
  if (unplayed || (!cubeReview && notations[0] === PASS)) return [];
  return [chancesTable(decision), el("p", { class: "quiet num", text: describeEquities(match, decision) })];
}
