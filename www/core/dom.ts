// The few lines that stand in for a framework: make an element, give it children, listen to it.

type Child = Node | string | null | undefined | false;
type Props = {
  class?: string;
  text?: string;
  on?: { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
  [attribute: string]: unknown;
};

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") node.textContent = String(value);
    else if (name === "on") {
      for (const [event, handler] of Object.entries(value as object)) node.addEventListener(event, handler);
    } else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child): child is Node | string => Boolean(child)));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: SVGElement[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** Writes text only where it changes, so that a steady number costs no layout. */
export function write(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** True while something that takes typed or arrow keys itself has the focus. */
export function takesKeys(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]");
}

/** Tells whether a node is on screen, and calls back when that changes. */
export function watchVisible(node: Element, changed: (visible: boolean) => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => changed(entries[entries.length - 1]?.isIntersecting ?? false),
    { rootMargin: "40px" },
  );
  observer.observe(node);
  return () => observer.disconnect();
}
