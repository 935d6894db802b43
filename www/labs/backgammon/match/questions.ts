// Questions about a match under way, in dialogs: whether it may end, and what the visitor resigns.

import { button, el, write } from "../../../core/dom";
import { Choices } from "../../../ui/choices";
import { createDialog } from "../../../ui/dialog";
import type { BackgammonStage } from "../../../generated/protocol";
import { describeResignation, LOSS_NAMES, possibleLosses } from "./words";

/** Asks whether a match may end, which is a money session if `length` is 0. A dialog that is closed is a "no". */
export function askToEnd(length: number, answered: (mayEnd: boolean) => void): HTMLDialogElement {
  const name = length === 0 ? "money session" : "match";
  let mayEnd = false;
  const choose = () => {
    mayEnd = true;
    dialog.close();
  };
  const closed = () => answered(mayEnd);
  const dialog = openQuestion(`A ${name} is under way. End it?`, closed, el("p", { text: "It cannot be resumed." }), [
    button(`End the ${name}`, choose),
    button("Keep playing", () => dialog.close(), { class: "primary" }),
  ]);
  return dialog;
}

/** Asks what the visitor resigns: at first a single game. */
export function askToResign(stage: BackgammonStage, resign: (loss: number) => void): HTMLDialogElement {
  const possible = possibleLosses(stage);
  let loss = 1;
  const text = el("p", { role: "status" });
  const losses = new Choices<number>({
    class: "match-losses",
    buttonClass: "button",
    label: "What you resign",
    choices: possible.map((value) => ({ value, content: [LOSS_NAMES[value] ?? ""] })),
    choose: (value) => {
      loss = value;
      show();
    },
  });
  losses.element.hidden = possible.length === 1;
  const show = () => {
    losses.show(loss);
    write(text, describeResignation(stage, loss));
  };
  const choose = () => {
    dialog.close();
    resign(loss);
  };
  const dialog = openQuestion("Resign this game?", () => undefined, el("div", {}, losses.element, text), [
    button("Resign", choose),
    button("Keep playing", () => dialog.close(), { class: "primary" }),
  ]);
  show();
  return dialog;
}

function openQuestion(
  title: string,
  closed: () => void,
  content: HTMLElement,
  buttons: HTMLElement[],
): HTMLDialogElement {
  const dialog = createDialog(
    {
      class: "match-question",
      titleId: "match-question-title",
      title,
      closed: () => {
        dialog.remove();
        closed();
      },
    },
    content,
    el("div", { class: "dialog-actions button-group" }, ...buttons),
  );
  document.body.append(dialog);
  dialog.showModal();
  buttons.at(-1)?.focus();
  return dialog;
}
