// The explanation of a word: a small card beside it with a sentence, a formula where one helps, and what turning a
// setting up or down does. There is one card for the whole page. It closes with Escape, a press elsewhere, or when
// the pointer or the focus that opened it has left.

import TERMS from "../../docs/glossary.md?terms";
import { placeBeside } from "../core/beside";
import { el } from "../core/dom";
import { splitHelp } from "../core/effects";
import { sentenceStart } from "../core/format";
import "../style/explanation.css";

/** What is explained: a term of docs/glossary.md, a setting or metric of a lab by its help, or a text by a sentence. */
export type About =
  | { term: string }
  | { title: string; help: string; lab: string; setting: string }
  | { title: string; help: string; lab: string; metric: string }
  | { title: string; sentence: string };

/** The pointer may be away from the word and the card for this long, to travel between them. */
const LEAVE_MS = 250;

interface Explanation {
  title: string;
  text: string;
  formula: string | undefined;
  effects: [direction: string, effect: string][];
}

const card = el("div", { class: "explanation", id: "explanation", role: "tooltip", popover: "manual" });
const arrow = el("span", { class: "card-arrow", "aria-hidden": "true" });
/** The word whose explanation is open. */
let openWord: HTMLElement | null = null;
/** Whether the explanation was opened by a press, so that it stays when the pointer leaves. */
let isPinned = false;
let leaveTimer: ReturnType<typeof setTimeout> | undefined;

/** Opens the explanation of a word. With `isBrief` it says what that is, but not what turning it up or down does. */
export function openExplanation(word: HTMLElement, about: About, isBrief = false): void {
  clearTimeout(leaveTimer);
  if (openWord === word) return;
  closeExplanation();
  openWord = word;
  isPinned = false;
  const whole = explain(about);
  const { title, text, formula, effects } = isBrief ? { ...whole, formula: undefined, effects: [] } : whole;
  card.replaceChildren(
    arrow,
    el("b", { text: sentenceStart(title) }),
    el("p", { text }),
    ...(formula ? [el("p", { class: "formula", text: formula })] : []),
    ...(effects.length > 0 ? [el("dl", {}, ...effects.flatMap(effectRow))] : []),
  );
  // Beside the word, so that a dialog that holds the word holds the card too.
  (word.closest("dialog, main") ?? document.body).append(card);
  card.showPopover();
  word.setAttribute("aria-expanded", "true");
  word.setAttribute("aria-describedby", card.id);
  placeCard();
  listenWhileOpen("addEventListener");
}

/** Opens the explanation of a word that was pressed, or closes it at the second press. */
export function toggleExplanation(word: HTMLElement, about: About, isBrief = false): void {
  if (openWord === word && isPinned) return closeExplanation();
  openExplanation(word, about, isBrief);
  isPinned = true;
}

export function closeExplanation(): void {
  clearTimeout(leaveTimer);
  if (!openWord) return;
  listenWhileOpen("removeEventListener");
  openWord.setAttribute("aria-expanded", "false");
  openWord.removeAttribute("aria-describedby");
  openWord = null;
  if (card.isConnected) card.hidePopover();
}

const DIRECTION_MARKS: Record<string, string> = { Up: "▲", Down: "▼" };

function effectRow([direction, effect]: [string, string]): HTMLElement[] {
  const mark = DIRECTION_MARKS[direction];
  const term = el("dt", {}, mark ? el("span", { "aria-hidden": "true", text: `${mark} ` }) : null, direction);
  return [term, el("dd", { text: sentenceStart(effect) })];
}

/** The explanation of a term, or of a setting or metric with the formula of the term that names it. */
function explain(about: About): Explanation {
  if ("term" in about) {
    const term = TERMS.find(({ name }) => name === about.term);
    if (!term) return { title: about.term, text: "", formula: undefined, effects: [] };
    const effects: [string, string][] = [];
    if (term.up) effects.push(["Up", term.up]);
    if (term.down) effects.push(["Down", term.down]);
    return { title: term.name, text: term.text, formula: term.formula, effects };
  }
  if ("sentence" in about) return { title: about.title, text: about.sentence, formula: undefined, effects: [] };
  const { sentence, effects } = splitHelp(about.help);
  const termOfFormula = TERMS.find((term) => {
    const isMeant = "setting" in about ? term.settings.includes(about.setting) : term.metrics.includes(about.metric);
    return isMeant && (term.in.length === 0 || term.in.includes(about.lab));
  });
  // Many sentences begin with the name of what they explain, which is the title here.
  const name = `${sentenceStart(about.title)}: `;
  const text = sentence.startsWith(name) ? sentenceStart(sentence.slice(name.length)) : sentence;
  return { title: about.title, text, formula: termOfFormula?.formula, effects };
}

/** Puts the card beside its word, or closes it if the word is gone. */
function placeCard(): void {
  const target = openWord?.getBoundingClientRect();
  if (!target || target.width === 0) return closeExplanation();
  const { offsetWidth: width, offsetHeight: height } = card;
  const area = { left: 0, top: 0, width: document.documentElement.clientWidth, height: innerHeight };
  const { left, top, side, arrow: arrowAt } = placeBeside(target, { width, height }, area, ["below", "above"]);
  card.style.translate = `${left}px ${top}px`;
  card.dataset["side"] = side;
  arrow.style.setProperty("--at", `${arrowAt}px`);
}

/** Adds or removes the listeners that are needed only while the card is open. */
function listenWhileOpen(change: "addEventListener" | "removeEventListener"): void {
  document[change]("keydown", onKeyDown as EventListener, true);
  document[change]("pointerdown", onPress as EventListener, true);
  document[change]("pointermove", onMove as EventListener);
  document[change]("focusin", onFocus);
  window[change]("scroll", placeCard, true);
  window[change]("resize", placeCard);
  window[change]("hashchange", closeExplanation);
}

const isInside = (target: EventTarget | null) =>
  target instanceof Node && (card.contains(target) || Boolean(openWord?.contains(target)));

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  // Escape closes only the explanation, not what lies behind it.
  event.preventDefault();
  event.stopPropagation();
  closeExplanation();
}

function onPress({ target }: PointerEvent): void {
  if (!isInside(target)) closeExplanation();
}

function onMove({ target, pointerType }: PointerEvent): void {
  if (pointerType !== "mouse" || isPinned || openWord?.matches(":focus-visible")) return;
  clearTimeout(leaveTimer);
  if (!isInside(target)) leaveTimer = setTimeout(closeExplanation, LEAVE_MS);
}

function onFocus({ target }: Event): void {
  if (!isInside(target)) closeExplanation();
}
