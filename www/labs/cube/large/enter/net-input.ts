// The net (the unfolded cube) on which a visitor paints stickers: with a mouse or a finger, also by dragging over
// several of them, and with keys. It is four faces wide, or three in a narrow window (enter.css).

import { ARROW_STEPS, el, hasModifier, listen } from "../../../../core/dom";
import { FACES } from "../../space";
import { flatColour, letterColour } from "../../sticker-colours";
import { colourInitial, colourOfInitial, FACE_NAMES } from "../../colours";
import { BLANK, describeSticker, faceOf, isCentre, STICKERS_PER_FACE, STICKER_COUNT } from "./stickers";

export interface NetActions {
  /** Paints a sticker in the chosen colour. */
  paint: (sticker: number) => void;
  /** Chooses the colour of the face with this letter (U is white), and paints `sticker` with it if it is given. */
  choose: (letter: string, sticker?: number) => void;
}

const LABEL =
  "The unfolded cube. Arrow keys move to the next sticker, Enter paints it in the chosen colour, and the keys W R G Y O B or 1 to 6 paint it white, red, green, yellow, orange or blue.";
const STICKER_CLASS = "cube3-facelet";

export class NetInput {
  readonly element: HTMLElement;
  #stickers: HTMLButtonElement[];
  #actions: NetActions;
  /** During a drag that paints: its pointer, and the last sticker that it reached. */
  #painting: { pointerId: number; last: number } | null = null;

  constructor(actions: NetActions) {
    this.#actions = actions;
    this.#stickers = Array.from({ length: STICKER_COUNT }, (_, i) => {
      const name = isCentre(i) ? `${STICKER_CLASS} centre` : STICKER_CLASS;
      return el("button", { type: "button", class: name, tabindex: i === 0 ? 0 : -1, "data-sticker": i });
    });
    const faces = [...FACES].map((letter, face) => {
      const stickers = this.#stickers.slice(STICKERS_PER_FACE * face, STICKERS_PER_FACE * (face + 1));
      const label = `Face ${FACE_NAMES[face]}`;
      return el("div", { class: `cube3-face face-${letter}`, role: "group", "aria-label": label }, ...stickers);
    });
    this.element = el("div", { class: "cube3-enter-net", role: "group", "aria-label": LABEL }, ...faces);
    listen(this.element, {
      pointerdown: (event) => this.#down(event),
      pointermove: (event) => this.#move(event),
      pointerup: (event) => this.#up(event),
      pointercancel: (event) => this.#up(event),
      // Clicks with detail 0 come from keys and screen readers. `pointerdown` has handled the others.
      click: (event) => event.detail === 0 && this.#press(stickerAt(event.target)),
      keydown: (event) => this.#onKeyDown(event),
      focusin: ({ target }) => this.#focused(stickerAt(target)),
    });
  }

  /** Shows these stickers (stickers.ts). */
  show(stickers: string): void {
    this.#stickers.forEach((button, i) => {
      const letter = stickers[i] as string;
      const text = letter === BLANK ? "" : colourInitial(letter);
      // A button without a background has never been shown.
      if (button.textContent === text && button.style.background !== "") return;
      button.textContent = text;
      button.classList.toggle("blank", letter === BLANK);
      button.style.background = letter === BLANK ? "transparent" : flatColour(letter);
      button.style.color = letterColour(letter);
      button.setAttribute("aria-label", describeSticker(stickers, i));
    });
  }

  /** Paints a sticker in the chosen colour. Pressing a centre instead chooses its colour. */
  #press(sticker: number | null): void {
    if (sticker === null) return;
    if (isCentre(sticker)) this.#actions.choose(FACES[faceOf(sticker)] as string);
    else this.#actions.paint(sticker);
  }

  #down(event: PointerEvent): void {
    const sticker = stickerAt(event.target);
    if (sticker === null || event.button !== 0) return;
    this.#press(sticker);
    if (isCentre(sticker)) return;
    this.#painting = { pointerId: event.pointerId, last: sticker };
    this.element.setPointerCapture(event.pointerId);
  }

  #move({ pointerId, clientX, clientY }: PointerEvent): void {
    const painting = this.#painting;
    if (painting?.pointerId !== pointerId) return;
    // The net has captured the pointer, so it is the target of every event.
    const sticker = stickerAt(document.elementFromPoint(clientX, clientY));
    if (sticker === null || sticker === painting.last) return;
    painting.last = sticker;
    if (!isCentre(sticker)) this.#actions.paint(sticker);
  }

  #up({ pointerId }: PointerEvent): void {
    if (this.#painting?.pointerId === pointerId) this.#painting = null;
  }

  /** Roving tabindex: only the sticker that had the focus last can be reached by Tab. */
  #focused(sticker: number | null): void {
    if (sticker === null) return;
    this.#stickers.forEach((button, i) => (button.tabIndex = i === sticker ? 0 : -1));
  }

  #onKeyDown(event: KeyboardEvent): void {
    const sticker = stickerAt(event.target);
    if (sticker === null || hasModifier(event)) return;
    const step = ARROW_STEPS[event.key];
    const key = event.key.toUpperCase();
    // Keys are the initials of colours (W R G Y O B) or of faces (U R F D L B), whose centres have the colours. Only R
    // and B are in both alphabets, and there they mean the same colour.
    const letter = colourOfInitial(key) ?? FACES[FACES.indexOf(key)] ?? FACES[Number(key) - 1];
    if (step) this.#neighbour(sticker, step)?.focus();
    else if (event.key.length === 1 && letter) this.#actions.choose(letter, sticker);
    else return;
    event.preventDefault();
  }

  /**
   * The next sticker in a direction, by the positions on the screen, which depend on the width of the window. It lies
   * ahead (by more than half a sticker) in the same row or column (less than half a sticker aside); the nearest wins.
   */
  #neighbour(sticker: number, [x, y]: readonly [number, number]): HTMLButtonElement | undefined {
    const centreOf = (button: HTMLElement) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return [left + width / 2, top + height / 2] as const;
    };
    const from = this.#stickers[sticker] as HTMLButtonElement;
    const [fromX, fromY] = centreOf(from);
    const halfWidth = from.offsetWidth / 2;
    const candidates = this.#stickers.flatMap((button) => {
      const [dx, dy] = [centreOf(button)[0] - fromX, centreOf(button)[1] - fromY];
      const [along, across] = x === 0 ? [y * dy, Math.abs(dx)] : [x * dx, Math.abs(dy)];
      return along > halfWidth && across < halfWidth ? [{ button, along }] : [];
    });
    return candidates.sort((a, b) => a.along - b.along)[0]?.button;
  }
}

/** The index of the sticker that an element shows; null if it shows none. */
function stickerAt(target: EventTarget | null): number | null {
  const text = target instanceof HTMLElement ? target.dataset["sticker"] : undefined;
  return text === undefined ? null : Number(text);
}
