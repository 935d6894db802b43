// The dialog in which a position is set up, by hand or as an XGID, to be played from or copied as a link. Loaded when
// it is opened.

import "./set-up.css";
import { button, el, listen, write } from "../../../core/dom";
import { Choices } from "../../../ui/choices";
import { copyButton } from "../../../ui/copy";
import { createDialog } from "../../../ui/dialog";
import type { BackgammonPlayers } from "../../../generated/protocol";
import { PLAYERS } from "../players";
import { copyPosition, NORTH, SIDES, SOUTH, START_POSITION, type Position, type Side } from "../position";
import { playerName } from "../wording";
import { checkerName, describeCounts, describeUnplayable, emptyPosition, withChecker, withoutChecker } from "./places";
import { PositionInput } from "./position-input";
import { parseXgid, writeShowLink, writeXgid, type SetUp } from "./xgid";

/** What a press on a place does: it adds a checker of a side, or removes one. */
type Kind = "light" | "dark" | "remove";
/** The side whose checker a press adds. */
const SIDE_OF = { light: SOUTH, dark: NORTH } as const;
const KIND_LABELS: [Kind, string][] = [
  ["light", checkerName(SOUTH)],
  ["dark", checkerName(NORTH)],
  ["remove", "Remove"],
];
const DIE_NUMBERS = [1, 2, 3, 4, 5, 6];
/** The roll that is offered first when the dice are chosen. */
const DEFAULT_ROLL = [3, 1] as const;

/** Begins a game of these players from a position, which is an XGID. */
type Play = (players: BackgammonPlayers, position: string) => void;

/** Opens the dialog with a position, and with the players of the present game. */
export function openSetUpDialog(setUp: SetUp, players: BackgammonPlayers, play: Play): HTMLDialogElement {
  return new SetUpDialog(setUp, players, play).open();
}

class SetUpDialog {
  #setUp: SetUp;
  #players: BackgammonPlayers;
  #play: Play;
  #kind: Kind = "light";
  #input: PositionInput;
  #kinds = createChoices<Kind>(
    "What a press on the board does",
    KIND_LABELS.map(([kind, text]) => [kind, [text]]),
    (kind) => {
      this.#kind = kind;
      this.#draw();
    },
  );
  #counts = el("p", { class: "set-up-counts", "aria-live": "polite" });
  /** Why the last press did nothing, or why the position cannot be played. */
  #problem = el("p", { class: "set-up-problem", role: "alert" });
  #sideNames = SIDES.map(() => el("span", {}));
  #sides = createChoices<Side>(
    "Who rolls",
    SIDES.map((side) => [side, [this.#sideNames[side] as HTMLElement]]),
    (side) => this.#change({ side }),
  );
  #rolls = createChoices<"random" | "chosen">(
    "The first roll",
    [
      ["random", ["Random"]],
      ["chosen", ["Chosen"]],
    ],
    (roll) => this.#change({ dice: roll === "random" ? null : DEFAULT_ROLL }),
  );
  #dice = ["First die", "Second die"].map((label) =>
    el(
      "select",
      { "aria-label": label, on: { change: () => this.#diceChosen() } },
      ...DIE_NUMBERS.map((number) => el("option", { text: String(number) })),
    ),
  );
  #opponents = createChoices<BackgammonPlayers>(
    "Players",
    PLAYERS.map(({ players, name }) => [players, [name]]),
    (players) => {
      this.#players = players;
      this.#draw();
    },
  );
  #field = el("input", { type: "text", id: "set-up-xgid", class: "set-up-xgid", spellcheck: "false" });
  #fieldProblem = el("p", { class: "set-up-problem", role: "alert", id: "set-up-xgid-problem" });
  #begin = button("Play from here", () => this.#start(), { class: "primary" });
  #copy = copyButton("Copy link", () => location.origin + location.pathname + writeShowLink(writeXgid(this.#setUp)));
  #dialog: HTMLDialogElement;

  constructor(setUp: SetUp, players: BackgammonPlayers, play: Play) {
    this.#setUp = setUp;
    this.#players = players;
    this.#play = play;
    this.#input = new PositionInput(setUp, {
      press: (place) => {
        if (this.#kind === "remove") this.#remove(place);
        else this.#add(place, SIDE_OF[this.#kind]);
      },
      remove: (place) => this.#remove(place),
    });
    this.#field.setAttribute("aria-describedby", this.#fieldProblem.id);
    listen(this.#field, { input: () => this.#fieldChanged(), change: () => this.#writeField() });
    const position = (text: string, create: () => Position) => button(text, () => this.#change({ position: create() }));
    const tools = el(
      "div",
      { class: "set-up-tools" },
      this.#kinds.element,
      position("Starting position", () => copyPosition(START_POSITION)),
      position("Clear", emptyPosition),
    );
    const heading = (text: string) => el("h3", { text });
    const settings = el(
      "div",
      { class: "set-up-settings" },
      heading("Who rolls"),
      this.#sides.element,
      heading("First roll"),
      el("div", { class: "set-up-roll" }, this.#rolls.element, ...this.#dice),
      heading("Players"),
      this.#opponents.element,
      el("h3", {}, el("label", { for: "set-up-xgid", text: "XGID" })),
      this.#field,
      this.#fieldProblem,
      el("p", {
        class: "quiet",
        text: "An XGID is eXtreme Gammon's position ID. Its cube and score are ignored.",
      }),
      el("div", { class: "dialog-actions set-up-actions" }, this.#begin, this.#copy),
    );
    const board = el("div", {}, tools, this.#input.element, this.#counts, this.#problem);
    this.#dialog = createDialog(
      { class: "set-up", titleId: "set-up-title", title: "Set up a position", closed: () => this.#closed() },
      el("div", { class: "set-up-parts" }, board, settings),
    );
    this.#draw();
    this.#writeField();
  }

  open(): HTMLDialogElement {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    return this.#dialog;
  }

  #closed(): void {
    this.#input.destroy();
    this.#dialog.remove();
  }

  /** Changes what is set up, and writes it into the field of the XGID. */
  #change(changed: Partial<SetUp>): void {
    this.#setUp = { ...this.#setUp, ...changed };
    write(this.#fieldProblem, "");
    this.#draw();
    this.#writeField();
  }

  #add(place: number, side: Side): void {
    const position = withChecker(this.#setUp.position, place, side);
    if (position) this.#change({ position });
    else write(this.#problem, `All ${checkerName(side)} checkers are on the board.`);
  }

  #remove(place: number): void {
    const position = withoutChecker(this.#setUp.position, place);
    if (position) this.#change({ position });
  }

  #diceChosen(): void {
    const [first = 1, second = 1] = this.#dice.map(({ value }) => Number(value));
    this.#change({ dice: [first, second] });
  }

  /** Reads the field while it is typed into. A text that is no XGID leaves the board as it is. */
  #fieldChanged(): void {
    const parsed = parseXgid(this.#field.value);
    write(this.#fieldProblem, "problem" in parsed ? parsed.problem : "");
    if ("setUp" in parsed) this.#setUp = parsed.setUp;
    this.#draw();
  }

  /** Writes the XGID of the board, unless the visitor has to correct the field. */
  #writeField(): void {
    if (this.#fieldProblem.textContent === "") this.#field.value = writeXgid(this.#setUp);
  }

  #draw(): void {
    const { position, side, dice } = this.#setUp;
    this.#input.show(this.#setUp);
    this.#kinds.show(this.#kind);
    write(this.#counts, describeCounts(position));
    const unplayable = describeUnplayable(position);
    write(this.#problem, unplayable);
    for (const each of SIDES) write(this.#sideNames[each] as HTMLElement, playerName(this.#players, each));
    this.#sides.show(side);
    this.#rolls.show(dice ? "chosen" : "random");
    this.#dice.forEach((select, i) => {
      select.hidden = dice === null;
      if (dice) select.value = String(dice[i]);
    });
    this.#opponents.show(this.#players);
    this.#begin.disabled = this.#copy.disabled = unplayable !== "" || this.#fieldProblem.textContent !== "";
  }

  #start(): void {
    this.#dialog.close();
    // The button that opened the dialog has the focus again. Enter is to play on the board, not to press it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    this.#play(this.#players, writeXgid(this.#setUp));
  }
}

/** A row of buttons of which one is chosen. */
function createChoices<Value>(label: string, options: [Value, (Node | string)[]][], choose: (value: Value) => void) {
  return new Choices<Value>({
    class: "set-up-choice",
    buttonClass: "button",
    label,
    choices: options.map(([value, content]) => ({ value, content })),
    choose,
  });
}
