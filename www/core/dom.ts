// Creates elements with attributes, listeners and children; the page has no framework. There is one style of events.
// Listeners of an element are given as `on` when it is created, or by `listen` afterwards. Components report to their
// owner through callbacks given to their constructor. Events of a run come from `Run.on`.

type Child = Node | string | null | undefined | false;
type Attribute = string | number | boolean | null | undefined;
type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

interface Props {
  class?: string | undefined;
  text?: string;
  on?: Listeners;
  [attribute: string]: Attribute | Listeners;
}

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

/** A push button in the common style `.button`. `class` adds to that style. */
export function button(text: string, press: () => void, { class: more, ...attributes }: Props = {}): HTMLButtonElement {
  const name = more ? `button ${more}` : "button";
  return el("button", { type: "button", class: name, text, on: { click: press }, ...attributes });
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: SVGElement[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/** Nothing and `false` leave an attribute out; `true` sets it without a value. */
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

/** Sets the text only if it differs, because even an equal text costs a layout. */
export function write(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** True for elements that use letters or arrow keys themselves. */
export function takesKeys(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]");
}

/** True for key combinations of the browser or the system. */
export function hasModifier({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

export function dialogIsOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** The steps of the arrow keys in x and y. */
export const ARROW_STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Calls back when an element scrolls into or out of sight. Returns a function that stops this. */
export function watchVisible(node: Element, changed: (visible: boolean) => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => changed(entries[entries.length - 1]?.isIntersecting ?? false),
    { rootMargin: "40px" },
  );
  observer.observe(node);
  return () => observer.disconnect();
}

/** Lets the visitor pick a file. `parent` is the dialog in front, if one is open. */
export function pickFile(accept: string, picked: (file: File) => void, parent: Element = document.body): void {
  const input = el("input", { type: "file", accept, class: "unseen" });
  listen(input, {
    change: () => {
      if (input.files?.[0]) picked(input.files[0]);
      input.remove();
    },
    cancel: () => input.remove(),
  });
  parent.append(input);
  input.click();
}
