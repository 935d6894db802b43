// Helpers for the DOM, because the page uses no framework: they create elements with attributes, listeners and
// children. Conventions for events: listeners of an element are given as `on` when it is created, or by `listen` later;
// a component reports to its owner through callbacks given to its constructor; events of a run come from `Run.on`.

type Child = Node | string | null | undefined | false;
type Attribute = string | number | boolean | null | undefined;
type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

/** Attributes of an element, with its text and its listeners. */
interface Props {
  class?: string | undefined;
  text?: string;
  on?: Listeners;
  [attribute: string]: Attribute | Listeners;
}

/** Creates an HTML element. `text` is its text content, `on` its listeners; all other properties are attributes. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  { on, text, ...attributes }: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  setAttributes(node, attributes as Record<string, Attribute>);
  if (text !== undefined) node.textContent = text;
  if (on) listen(node, on);
  node.append(...children.filter((child): child is Node | string => Boolean(child)));
  return node;
}

/** Creates a push button. Its classes are `button` and the given `class`, if any. `press` is called on a click. */
export function button(
  text: string,
  press: () => void,
  { class: extraClass, ...attributes }: Props = {},
): HTMLButtonElement {
  const name = extraClass ? `button ${extraClass}` : "button";
  return el("button", { type: "button", class: name, text, on: { click: press }, ...attributes });
}

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** Creates an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: SVGElement[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG_NAMESPACE, tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/** Sets attributes. `undefined`, `null` and `false` leave one out; `true` sets it to the empty text. */
function setAttributes(node: Element, attributes: Record<string, Attribute>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Adds listeners to an element that was created elsewhere or earlier. */
export function listen(node: Element, listeners: Listeners): void {
  for (const [name, listener] of Object.entries(listeners)) node.addEventListener(name, listener as EventListener);
}

/** Sets an element's text if it differs, because the browser lays out the page again even if an equal text is set. */
export function write(node: Element, text: string): void {
  const { firstChild: first } = node;
  // A text node that stays is laid out anew with less work than one that is replaced.
  if (first instanceof Text && first === node.lastChild) {
    if (first.data !== text) first.data = text;
  } else if (node.textContent !== text) node.textContent = text;
}

/** True for elements that handle letters or arrow keys themselves, such as text boxes and sliders. */
export function takesKeys(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]");
}

/** True for elements that handle letters themselves, such as text boxes. Sliders and checkboxes do not. */
export function takesLetters(target: EventTarget | null): boolean {
  return takesKeys(target) && !(target as Element).matches("[type=range], [type=checkbox]");
}

/** True for key combinations, which belong to the browser or the system. */
export function hasModifier({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

/** Whether a dialog covers the page. A sheet (ui/sheet.ts) leaves the rest of the page in use. */
export function dialogIsOpen(): boolean {
  return document.querySelector("dialog:modal") !== null;
}

/** True if an element is laid out, that is, neither it nor one around it is hidden. It may be out of sight. */
export function isLaidOut(node: Element): boolean {
  return node.getClientRects().length > 0;
}

/** The step of each arrow key in x (to the right) and y (downwards). */
export const ARROW_STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Calls `changed` when an element scrolls into or out of sight. Returns a function that ends this. */
export function watchVisible(node: Element, changed: (visible: boolean) => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => changed(entries[entries.length - 1]?.isIntersecting ?? false),
    { rootMargin: "40px" }, // counts an element as visible already when it is this close
  );
  observer.observe(node);
  return () => observer.disconnect();
}

/**
 * Keeps a CSS variable of the page equal to the height of an element that covers a part of the window, or to what
 * `height` measures when the element has changed its size. Returns a function that ends this and removes the variable.
 */
export function publishHeight(
  node: Element,
  variable: string,
  height = () => node.getBoundingClientRect().height,
): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(variable, `${height()}px`));
  observer.observe(node);
  return () => {
    observer.disconnect();
    style.removeProperty(variable);
  };
}

/**
 * Sets or removes a class of the page as a whole, for rules about other parts than those that change it. In place of
 * the selector `:has()`, because with that the browser matches rules anew for a whole screen after each change in it.
 */
export function markPage(name: string, on: boolean): void {
  document.documentElement.classList.toggle(name, on);
}

/** Lets the visitor pick a file. The file input is added to `parent`, which must be the open dialog if there is one. */
export function pickFile(accept: string, picked: (file: File) => void, parent: Element = document.body): void {
  openPicker(accept, false, ([file]) => file && picked(file), parent);
}

/** Lets the visitor pick any number of files. */
export function pickFiles(accept: string, picked: (files: File[]) => void): void {
  openPicker(accept, true, picked, document.body);
}

function openPicker(accept: string, multiple: boolean, picked: (files: File[]) => void, parent: Element): void {
  const input = el("input", { type: "file", accept, multiple, class: "unseen" });
  listen(input, {
    change: () => {
      picked([...(input.files ?? [])]);
      input.remove();
    },
    cancel: () => input.remove(),
  });
  parent.append(input);
  input.click();
}
