// The trainer: a dialog that asks about one card after the other, says what an answer costs and why, and notes when the
// card comes back. Loaded when it is opened.

import "../match/match.css";
import "../match-file/match-file.css";
import "./trainer.css";
import type { BundleChoice } from "../../../core/bundle";
import { download } from "../../../core/checkpoint";
import { button, el, write } from "../../../core/dom";
import { createDialog } from "../../../ui/dialog";
import { Choices } from "../../../ui/choices";
import type { MoveArrow } from "../arrows";
import { Board } from "../board";
import { DecisionPicture } from "../decision-picture";
import { parsePlay } from "../game-record";
import { chancesTable } from "../match-file/statistics-table";
import { opponent, type Side } from "../position";
import { formatLoss } from "../wording";
import { ankiText } from "./anki";
import type { Card } from "./card";
import { cardsOfDay, DailyAnswers, dayOf, loadPool } from "./daily";
import { Deck, dueCards } from "./deck";
import { expertChances, expertPlays } from "./expert-plays";
import { KIND_HELP, KIND_NAMES, KINDS, type Kind } from "./kind";
import { cubeOptions, isRight, playOptions, type Option } from "./options";
import { xgidOf } from "../match-file/decision-xgid";
import { costlyRolls } from "./replies";
import { newSchedule } from "./schedule";
import {
  describeChoice,
  describeAdded,
  describeDeck,
  describeKept,
  describePlayed,
  describeQuestion,
  describeReplies,
  describeReturn,
  describeStakes,
} from "./words";

/** Where the cards come from. */
type Pile = "own" | "daily";

/** The smallest errors that are practised, and their names. */
const LEAST_COSTS: [cost: number, name: string][] = [
  [0, "All sizes"],
  [0.06, "Bad"],
  [0.12, "Very bad"],
];
/** Weights (see `MoveArrow`) of the arrows of the chosen play and of the best one. */
const [CHOSEN_WEIGHT, BEST_WEIGHT] = [0.5, 0.6];

/** The visitor's cards and the answers of the day, as long as the page is open. */
let deck: Deck | null = null;
let dailyAnswers: DailyAnswers | null = null;

/** Opens the trainer with new cards, which become part of the visitor's own. */
export function openTrainer(bundle: BundleChoice, cards: Card[] = []): HTMLDialogElement {
  deck ??= new Deck();
  deck.readAgain();
  dailyAnswers ??= new DailyAnswers();
  return new Trainer(bundle, deck, dailyAnswers, cards).dialog;
}

class Trainer {
  readonly dialog: HTMLDialogElement;
  #pile: Pile = "own";
  #kind: Kind | null = null;
  #leastCost = 0;
  /** The cards of this round that are still to be answered. */
  #round: Card[] = [];
  #daily: Card[] | null = null;
  /** The day of those cards. */
  #day = 0;
  #card: Card | null = null;
  #options: Option[] = [];
  #chosen: Option | null = null;
  /** The chances before the roll of a play, once they are known. */
  #before: readonly number[] | null = null;
  /** Ends questions to the network about a card that is not shown any more. */
  #questions = new AbortController();

  #board = new Board(() => this.#drawBoard());
  #picture = new DecisionPicture(this.#board);
  #status = el("p", { role: "status", class: "quiet" });
  #question = el("p", { class: "viewer-text" });
  #stakes = el("p", { class: "quiet" });
  #list = el("div", { class: "trainer-options", role: "group", "aria-label": "Your choice" });
  #verdict = el("p", { class: "viewer-verdict", role: "status" });
  #played = el("p", {});
  #chances = el("div", {});
  #replies = el("p", {});
  #return = el("p", { class: "quiet" });
  #next = button("Next", () => this.#showNext(), { class: "primary" });
  #forget = button("Forget this card", () => this.#forgetCard());
  #columns: HTMLElement;
  #piles = new Choices<Pile>({
    class: "button-group",
    buttonClass: "button",
    label: "Cards",
    choices: [
      {
        value: "own",
        content: ["Your cards"],
        title: "Mistakes from matches that you have analysed, and positions of the day that you got wrong",
      },
      { value: "daily", content: ["Today's ten"], title: "Ten positions, the same for everybody today" },
    ],
    choose: (pile) => void this.#choosePile(pile),
  });
  #kinds = new Choices<Kind | null>({
    class: "button-group",
    buttonClass: "button",
    label: "Kind of position",
    choices: [
      { value: null, content: ["All kinds"] },
      ...KINDS.map((kind) => ({ value: kind, content: [KIND_NAMES[kind]], title: KIND_HELP[kind] })),
    ],
    choose: (kind) => {
      this.#kind = kind;
      this.#begin();
    },
  });
  #costs = new Choices<number>({
    class: "button-group",
    buttonClass: "button",
    label: "Size of the mistake",
    choices: LEAST_COSTS.map(([value, name]) => ({
      value,
      content: [name],
      title: value === 0 ? "Mistakes of every size" : `Mistakes that cost ${value} points a game or more`,
    })),
    choose: (cost) => {
      this.#leastCost = cost;
      this.#begin();
    },
  });
  #filters = el("div", { class: "trainer-filters" }, this.#kinds.element, this.#costs.element);

  constructor(
    readonly bundle: BundleChoice,
    readonly deck: Deck,
    readonly dailyAnswers: DailyAnswers,
    cards: Card[],
  ) {
    const added = cards.length > 0 ? deck.add(cards) : null;
    this.#columns = el(
      "div",
      { class: "viewer-columns" },
      el("div", { class: "viewer-board" }, this.#board.element),
      el(
        "div",
        { class: "viewer-side" },
        el("div", {}, this.#question, this.#stakes),
        this.#list,
        el("div", { class: "trainer-answer" }, this.#verdict, this.#played, this.#chances, this.#replies, this.#return),
        el("div", { class: "button-group" }, this.#next, this.#forget),
      ),
    );
    const save = button("Export for Anki", () => this.#export(), {
      title: "Download your cards with drawings of the boards, as a text file that the program Anki imports",
    });
    const dialog = (this.dialog = createDialog(
      {
        class: "match-viewer trainer",
        titleId: "trainer-title",
        title: "Trainer",
        closed: () => {
          this.#questions.abort();
          this.#board.destroy();
          dialog.remove();
        },
      },
      this.#piles.element,
      this.#filters,
      this.#status,
      this.#columns,
      el(
        "div",
        { class: "dialog-actions button-group" },
        save,
        button("Close", () => dialog.close()),
      ),
    ));
    document.body.append(dialog);
    dialog.showModal();
    void this.#choosePile("own");
    if (added) this.#say(`${describeAdded(added)} ${this.#status.textContent}`);
  }

  async #choosePile(pile: Pile): Promise<void> {
    this.#pile = pile;
    this.#piles.show(pile);
    this.#filters.hidden = pile === "daily";
    if (pile === "daily" && !this.#daily) {
      this.#showCard(null);
      this.#say("Loading the positions …");
      const now = Date.now();
      const pool = await loadPool(now);
      this.#daily = pool.length > 0 ? cardsOfDay(pool, now) : null;
      this.#day = dayOf(now);
      if (this.#pile !== "daily" || !this.dialog.open) return;
    }
    this.#begin();
  }

  /** Begins a round with the cards that are due. */
  #begin(): void {
    this.#kinds.show(this.#kind);
    this.#costs.show(this.#leastCost);
    this.#round =
      this.#pile === "daily"
        ? this.dailyAnswers.left(this.#daily ?? [], this.#day)
        : dueCards(this.#shown(), Date.now());
    this.#showNext();
  }

  /** The visitor's cards of the chosen kind and size. */
  #shown(): Card[] {
    const isShown = ({ kind, decision }: Card) =>
      (this.#kind === null || kind === this.#kind) && decision.cost >= this.#leastCost;
    return this.deck.all.filter(isShown);
  }

  #showNext(): void {
    this.#showCard(this.#round.shift() ?? null);
    this.#describeRound();
  }

  /** Asks about a card, or shows none for null. */
  #showCard(card: Card | null): void {
    this.#questions.abort();
    this.#questions = new AbortController();
    this.#card = card;
    this.#chosen = this.#before = null;
    this.#options = [];
    this.#columns.hidden = card === null;
    if (!card) return;
    write(this.#question, describeQuestion(card));
    write(this.#stakes, describeStakes(card));
    for (const node of [this.#verdict, this.#played, this.#replies, this.#return]) write(node, "");
    this.#verdict.className = "viewer-verdict";
    this.#chances.replaceChildren();
    this.#next.hidden = true;
    this.#forget.hidden = this.#pile === "daily";
    this.#list.replaceChildren(el("p", { class: "quiet", text: "Judging the plays …" }));
    this.#drawBoard();
    void this.#offer(card, this.#questions.signal);
  }

  /** Says how many cards there are. */
  #describeRound(): void {
    const now = Date.now();
    if (this.#pile === "daily") {
      const left = this.#round.length + (this.#card ? 1 : 0);
      this.#say(
        !this.#daily
          ? "The positions could not be loaded. Check the network connection."
          : left === 0
            ? "That was all for today. New positions come at midnight, by the clock of Greenwich (UTC)."
            : `${left} of ${this.#daily.length} positions are left today. What you get wrong becomes one of your cards.`,
      );
      return;
    }
    const shown = this.#shown();
    const due = this.#round.length + (this.#card ? 1 : 0);
    const later = shown.map((card) => card.due).filter((time) => time > now);
    const next = later.length > 0 ? Math.min(...later) : null;
    const kept = this.deck.isStored ? "" : " This browser does not keep them: they are lost when the page is closed.";
    this.#say(describeDeck(due, shown.length, this.deck.all.length, next, now) + kept);
  }

  #say(text: string): void {
    write(this.#status, text);
  }

  /** Offers what can be chosen. The network judges all legal plays, so that a choice can be compared. */
  async #offer(card: Card, signal: AbortSignal): Promise<void> {
    if (card.decision.cubeReview) this.#options = cubeOptions(card);
    else {
      const [played] = card.decision.notations;
      const plays = await expertPlays(this.bundle, xgidOf(card), card.plies, signal, played);
      if (signal.aborted) return;
      this.#options = playOptions(card, plays);
    }
    const buttons = this.#options.map((option) =>
      button(option.label, () => this.#choose(option), { class: "trainer-option" }),
    );
    // The button that was pressed for this card is gone; a visitor who went elsewhere stays there.
    const { activeElement } = document;
    const hasFocus = activeElement === this.dialog || activeElement === document.body;
    this.#list.replaceChildren(...buttons);
    if (hasFocus) buttons[0]?.focus();
    if (!card.decision.cubeReview) await this.#findChances(card, signal);
  }

  /** Finds out the chances before the roll of a card. It takes some 20 times as long as to judge a play. */
  async #findChances(card: Card, signal: AbortSignal): Promise<void> {
    const before = await expertChances(this.bundle, xgidOf(card, true), card.plies, signal);
    if (signal.aborted) return;
    this.#before = before;
    this.#showChances();
  }

  #choose(option: Option): void {
    const card = this.#card;
    if (!card || this.#chosen) return;
    this.#chosen = option;
    const right = isRight(option);
    // Every option says now what it costs.
    for (const [i, node] of [...this.#list.children].entries()) {
      const { isBest, cost } = this.#options[i] as Option;
      node.append(el("span", { class: "num", text: isBest ? "best" : formatLoss(cost, 3) }));
      (node as HTMLButtonElement).disabled = true;
      node.classList.toggle("best", isBest);
      node.classList.toggle("chosen", this.#options[i] === option);
    }
    write(this.#verdict, describeChoice(option, this.#options));
    this.#verdict.classList.toggle("bad", !right);
    write(this.#played, describePlayed(card, option, this.#options));
    this.#showChances();
    this.#note(card, right);
    this.#next.hidden = false;
    this.#next.focus();
    this.#drawBoard();
    if (!right && !card.decision.cubeReview) void this.#explain(card, option, this.#questions.signal);
  }

  /** Shows the chances before the roll, after the chosen play and after the best one, or before a cube decision. */
  #showChances(): void {
    const [decision, chosen] = [this.#card?.decision, this.#chosen];
    if (!decision || !chosen) return;
    const best = this.#options.find(({ isBest }) => isBest);
    const compared =
      decision.cubeReview || !chosen.outcomes || !best?.outcomes
        ? decision
        : {
            ...decision,
            notations: [chosen.label, best.label] as [string, string],
            outcomes: [chosen.outcomes, best.outcomes] as typeof decision.outcomes,
          };
    this.#chances.replaceChildren(chancesTable(compared, this.#before));
  }

  /** Notes when the card comes back. A position of the day that was answered wrong becomes a card. */
  #note(card: Card, right: boolean): void {
    const now = Date.now();
    if (this.#pile === "daily") {
      this.dailyAnswers.note(card.id, this.#day, now);
      const added = right ? null : this.deck.add([{ ...card, ...newSchedule(now) }]);
      write(this.#return, added ? describeKept(added) : "");
      return;
    }
    const schedule = this.deck.answer(card.id, right, now);
    if (!right) this.#round.push(card);
    write(this.#return, schedule ? describeReturn(schedule, now) : "");
  }

  /** Says which replies hurt. */
  async #explain(card: Card, option: Option, signal: AbortSignal): Promise<void> {
    const best = this.#options.find(({ isBest }) => isBest);
    if (!best) return;
    write(this.#replies, "Looking at the replies …");
    const ask = (position: string, plies: number) => expertPlays(this.bundle, position, plies, signal);
    const replies = await costlyRolls(card, option.label, best.label, ask);
    if (signal.aborted) return;
    write(this.#replies, describeReplies(replies, card.players[opponent(card.decision.player as Side)] ?? ""));
  }

  #forgetCard(): void {
    if (this.#card) {
      const { id } = this.#card;
      this.deck.forget(id);
      this.#round = this.#round.filter((card) => card.id !== id);
    }
    this.#showNext();
  }

  #drawBoard(): void {
    if (this.#card) this.#picture.draw(this.#card.decision, this.#card, this.#arrows());
  }

  /** The arrows of the answer, once there is one. */
  #arrows(): MoveArrow[] {
    const chosen = this.#chosen;
    if (!chosen || this.#card?.decision.cubeReview) return [];
    const best = this.#options.find(({ isBest }) => isBest);
    const arrows: MoveArrow[] = [
      { moves: parsePlay(chosen.label), weight: CHOSEN_WEIGHT, tone: isRight(chosen) ? "candidate" : "played" },
    ];
    if (best && best !== chosen) arrows.push({ moves: parsePlay(best.label), weight: BEST_WEIGHT, tone: "best" });
    return arrows;
  }

  #export(): void {
    const cards = this.#pile === "daily" ? (this.#daily ?? []) : this.#shown();
    if (cards.length === 0) return this.#say("There is no card to export.");
    download("learnery-backgammon-cards.txt", new TextEncoder().encode(ankiText(cards)));
  }
}
