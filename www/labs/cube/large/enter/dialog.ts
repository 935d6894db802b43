// The dialog in which a visitor enters the cube that they hold in their hands: by painting the stickers of an unfolded
// cube, or as 54 letters. The lab knows which states turns can reach, and refuses others with a reason. Loaded when it
// is opened.

import "./enter.css";
import { button, el, listen, write } from "../../../../core/dom";
import { formatCount } from "../../../../core/format";
import { Choices } from "../../../../ui/choices";
import { createDialog } from "../../../../ui/dialog";
import { FACES, solvedStickers } from "../../space";
import { flatColour, letterColour } from "../../sticker-colours";
import { colourInitial, colourName } from "../../colours";
import { NetInput } from "./net-input";
import { BLANK, blankStickers, countOf, painted, readStickers } from "./stickers";

const LETTERS_LABEL =
  "For other programs: 54 letters, face by face in the order U R F D L B. U means the colour of the upper centre, and so on.";
/** How many stickers of each colour a 3×3×3 cube has. */
const STICKERS_PER_COLOUR = 9;

export interface EnterActions {
  /** Asks the lab to put the cube into this state, which it may refuse. */
  place: (stickers: string) => void;
  closed: () => void;
}

export class EnterDialog {
  #stickers: string;
  #actions: EnterActions;
  /** The colour in which stickers are painted. */
  #colour = "U";
  /** The stickers that the lab has been asked for, until it shows or refuses them. */
  #asked: string | null = null;
  #net = new NetInput({
    paint: (sticker) => this.#paint(sticker),
    choose: (letter, sticker) => {
      this.#colour = letter;
      if (sticker === undefined) this.#draw();
      else this.#paint(sticker);
    },
  });
  #counts = new Map([...FACES].map((letter) => [letter, el("span", { class: "cube3-colour-count num" })]));
  #palette = new Choices<string>({
    class: "cube3-palette",
    buttonClass: "cube3-colour",
    label: "The colour to paint with",
    choices: [...FACES].map((letter) => ({ value: letter, content: this.#colourContent(letter) })),
    choose: (letter) => {
      this.#colour = letter;
      this.#draw();
    },
  });
  /** Why the cube cannot be used. */
  #problem = el("p", { class: "cube3-enter-problem", role: "alert" });
  #field = el("input", {
    type: "text",
    id: "cube3-enter-text",
    class: "cube3-enter-text mono",
    spellcheck: "false",
    autocapitalize: "characters",
    autocomplete: "off",
  });
  #fieldProblem = el("p", { class: "cube3-enter-problem", role: "alert", id: "cube3-enter-text-problem" });
  #use = button("Use this cube", () => this.#place(), { class: "primary" });
  #dialog: HTMLDialogElement;

  /** `stickers` are shown at first. */
  constructor(stickers: string, actions: EnterActions) {
    this.#stickers = stickers;
    this.#actions = actions;
    this.#field.setAttribute("aria-describedby", this.#fieldProblem.id);
    listen(this.#field, { input: () => this.#fieldChanged() });
    const set = (text: string, create: () => string) => button(text, () => this.#change(create()));
    this.#dialog = createDialog(
      {
        class: "cube3-enter",
        titleId: "cube3-enter-title",
        title: "Enter your own cube",
        closed: () => this.#closed(),
      },
      el("p", {
        class: "cube3-enter-help",
        text: "Hold your cube with the white centre up and the green one in front. Choose a colour, then press the stickers or drag over them.",
      }),
      this.#palette.element,
      this.#net.element,
      el(
        "div",
        { class: "cube3-enter-below" },
        this.#problem,
        el(
          "div",
          { class: "row" },
          set("Reset to solved", () => solvedStickers(3)),
          set("Clear", blankStickers),
        ),
        el("label", { for: this.#field.id, class: "remark", text: LETTERS_LABEL }),
        this.#field,
        this.#fieldProblem,
        el(
          "div",
          { class: "row dialog-actions" },
          this.#use,
          button("Cancel", () => this.#dialog.close()),
        ),
      ),
    );
    this.#draw();
    this.#writeField();
  }

  /** The content of a button of the palette: the colour with its initial, its name, and how many stickers have it. */
  #colourContent(letter: string): (Node | string)[] {
    const swatch = el("span", { class: "cube3-swatch", text: colourInitial(letter), "aria-hidden": "true" });
    swatch.style.background = flatColour(letter);
    swatch.style.color = letterColour(letter);
    const name = el("span", { class: "cube3-colour-name", text: colourName(letter) });
    return [swatch, name, this.#counts.get(letter) as HTMLElement];
  }

  open(): void {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  close(): void {
    this.#dialog.close();
  }

  #closed(): void {
    this.#dialog.remove();
    this.#actions.closed();
  }

  /** The lab shows these stickers. Closes the dialog and returns true if they are those that it was asked for. */
  accepted(stickers: string): boolean {
    if (this.#asked !== stickers) return false;
    this.#asked = null;
    this.close();
    return true;
  }

  /** The lab has refused the cube, for the reason in the sentence. After a change that reason is about another cube. */
  refused(sentence: string): void {
    if (this.#asked === null) return;
    this.#asked = null;
    write(this.#problem, sentence);
    this.#problem.scrollIntoView({ block: "nearest" });
  }

  #paint(sticker: number): void {
    this.#change(painted(this.#stickers, sticker, this.#colour));
  }

  /** Shows other stickers, and writes them into the field. */
  #change(stickers: string): void {
    this.#stickers = stickers;
    this.#asked = null;
    write(this.#problem, "");
    write(this.#fieldProblem, "");
    this.#draw();
    this.#writeField();
  }

  /** Reads the field while it is typed into. A text that is no cube leaves the stickers as they are. */
  #fieldChanged(): void {
    const read = readStickers(this.#field.value);
    this.#asked = null;
    write(this.#problem, "");
    write(this.#fieldProblem, "problem" in read ? read.problem : "");
    if ("stickers" in read) this.#stickers = read.stickers;
    this.#draw();
  }

  #writeField(): void {
    this.#field.value = this.#stickers;
  }

  #draw(): void {
    this.#net.show(this.#stickers);
    this.#palette.show(this.#colour);
    for (const [letter, count] of this.#counts) {
      const n = countOf(this.#stickers, letter);
      write(count, `${n} of ${STICKERS_PER_COLOUR}`);
      count.classList.toggle("wrong", n > STICKERS_PER_COLOUR);
    }
    const blank = countOf(this.#stickers, BLANK);
    if (blank > 0)
      write(this.#problem, `${formatCount(blank, "sticker")} ${blank === 1 ? "has" : "have"} no colour yet.`);
    this.#use.disabled = blank > 0 || this.#fieldProblem.textContent !== "";
  }

  #place(): void {
    write(this.#problem, "");
    this.#asked = this.#stickers;
    this.#actions.place(this.#stickers);
  }
}
