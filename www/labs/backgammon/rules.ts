// The dialog with the rules of backgammon, for visitors who have never played it. Loaded when it is opened.

import { button, el } from "../../core/dom";
import { createDialog } from "../../ui/dialog";
import "./rules.css";

const RULES: [title: string, text: string][] = [
  [
    "Aim",
    "You play the light checkers, which move from point 24 down to point 1 and then off the board. Dark moves the other way. Whoever has all 15 checkers off first wins.",
  ],
  [
    "A turn",
    "Two dice are rolled. Each number moves one checker by that many points; one checker may use both. With equal dice you play the number four times. You must use as many numbers as you can.",
  ],
  [
    "Where a checker may land",
    "On any point without two or more checkers of the other side. A single checker there is hit: it goes to the bar in the middle, and must come in again on the first six points of its way before its side moves another one.",
  ],
  [
    "Taking off",
    "Once all your checkers are on points 6 to 1, a number also takes off a checker: from the point of that number, or from your highest point if that is lower.",
  ],
  [
    "What a win is worth",
    "One point. Two (a gammon) if the other side has taken off no checker yet; three (a backgammon) if it also has one on the bar or on the winner's last six points.",
  ],
  [
    "Here",
    "Press a checker with a ring: dashed circles show where it can go. Press one of them. When the numbers are used, press the dice or “Finish turn”.",
  ],
];

export function openRules(): HTMLDialogElement {
  const close = button("Close", () => dialog.close(), { class: "primary" });
  const dialog: HTMLDialogElement = createDialog(
    {
      class: "backgammon-rules",
      titleId: "rules-title",
      title: "The rules in one minute",
      closed: () => dialog.remove(),
    },
    ...RULES.map(([title, text]) => el("p", {}, el("b", { text: `${title}. ` }), text)),
    el("div", { class: "dialog-actions row" }, close),
  );
  document.body.append(dialog);
  dialog.showModal();
  close.focus({ preventScroll: true });
  return dialog;
}
