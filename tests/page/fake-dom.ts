// As much of a browser's document as the parts of the page need that write texts, so that a test can read in Node what
// they say. Nothing is laid out or drawn: sizes are 0, and everything counts as in sight. Imported before the page's
// files, some of which ask for the theme when they are loaded.

/** A node with children. */
class FakeNode extends EventTarget {
  parentNode: FakeNode | null = null;
  childNodes: FakeNode[] = [];

  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }

  get lastChild(): FakeNode | null {
    return this.childNodes.at(-1) ?? null;
  }

  get children(): FakeNode[] {
    return this.childNodes.filter((node) => node instanceof FakeElement);
  }

  get textContent(): string {
    return this.childNodes.map(({ textContent }) => textContent).join("");
  }

  set textContent(text: string) {
    this.replaceChildren(...(text === "" ? [] : [text]));
  }

  append(...children: (FakeNode | string)[]): void {
    this.#take(children, this.childNodes.length);
  }

  prepend(...children: (FakeNode | string)[]): void {
    this.#take(children, 0);
  }

  replaceChildren(...children: (FakeNode | string)[]): void {
    for (const child of this.childNodes) child.parentNode = null;
    this.childNodes = [];
    this.append(...children);
  }

  remove(): void {
    const { parentNode } = this;
    if (parentNode) parentNode.childNodes = parentNode.childNodes.filter((each) => each !== this);
    this.parentNode = null;
  }

  replaceWith(other: FakeNode): void {
    const { parentNode } = this;
    if (!parentNode) return;
    const at = parentNode.childNodes.indexOf(this);
    this.remove();
    parentNode.#take([other], at);
  }

  #take(children: (FakeNode | string)[], at: number): void {
    const nodes = children.map((child) => (typeof child === "string" ? new FakeText(child) : child));
    for (const node of nodes) {
      if (node.parentNode) node.parentNode.childNodes = node.parentNode.childNodes.filter((each) => each !== node);
      node.parentNode = this;
    }
    this.childNodes.splice(at, 0, ...nodes);
  }
}

class FakeText extends FakeNode {
  constructor(public data: string) {
    super();
  }

  override get textContent(): string {
    return this.data;
  }
}

class FakeElement extends FakeNode {
  hidden = false;
  title = "";
  clientWidth = 0;
  clientHeight = 0;
  style = { setProperty: () => {} };
  dataset: Record<string, string> = {};
  readonly #attributes = new Map<string, string>();

  get className(): string {
    return this.#attributes.get("class") ?? "";
  }

  set className(name: string) {
    this.#attributes.set("class", name);
  }

  get classList() {
    const names = () => new Set(this.className.split(" ").filter(Boolean));
    const toggle = (name: string, force = !names().has(name)) => {
      const all = names();
      this.className = [...(force ? all.add(name) : all)].filter((each) => force || each !== name).join(" ");
    };
    return {
      toggle,
      add: (name: string) => toggle(name, true),
      remove: (...all: string[]) => all.forEach((name) => toggle(name, false)),
      contains: (name: string) => names().has(name),
    };
  }

  setAttribute(name: string, value: string): void {
    if (name === "hidden") this.hidden = true;
    this.#attributes.set(name, value);
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  /** A copy without its listeners. */
  cloneNode(): FakeElement {
    const copy = new FakeElement();
    for (const [name, value] of this.#attributes) copy.setAttribute(name, value);
    copy.append(
      ...this.childNodes.map((child) => (child instanceof FakeElement ? child.cloneNode() : child.textContent)),
    );
    return copy;
  }

  /** Opens a dialog. */
  showModal(): void {
    this.setAttribute("open", "");
  }

  close(): void {
    this.removeAttribute("open");
    this.dispatchEvent(new Event("close"));
  }

  getContext(): null {
    return null;
  }

  /** The first element below this one that has a class. Other selectors are not known. */
  querySelector(selector: string): FakeElement | null {
    for (const child of this.childNodes) {
      if (!(child instanceof FakeElement)) continue;
      const found = child.classList.contains(selector.replace(".", "")) ? child : child.querySelector(selector);
      if (found) return found;
    }
    return null;
  }
}

/** Tells that what it watches is in sight, and has no size. */
class FakeObserver {
  constructor(readonly changed: (entries: { isIntersecting: boolean }[]) => void) {}

  observe(): void {
    this.changed([{ isIntersecting: true }]);
  }

  disconnect(): void {}
}

const FRAME_MS = 16;
const create = () => new FakeElement();
Object.assign(globalThis, {
  Text: FakeText,
  HTMLTextAreaElement: class extends FakeElement {},
  document: Object.assign(new EventTarget(), {
    createElement: create,
    createElementNS: create,
    documentElement: create(),
    body: create(),
    hidden: false,
  }),
  matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
  getComputedStyle: () => ({ getPropertyValue: () => "" }),
  IntersectionObserver: FakeObserver,
  ResizeObserver: FakeObserver,
  requestAnimationFrame: (draw: () => void) => setTimeout(draw, FRAME_MS),
  cancelAnimationFrame: (frame: ReturnType<typeof setTimeout>) => clearTimeout(frame),
});

/** What an element of the page says: the text of the part below it that has this class; empty where it is hidden. */
export function textOf(element: unknown, name?: string): string {
  const part = name === undefined ? element : (element as FakeElement).querySelector(`.${name}`);
  if (!(part instanceof FakeElement)) throw new Error(`there is no part ${name}`);
  return part.hidden ? "" : part.textContent.trim();
}
