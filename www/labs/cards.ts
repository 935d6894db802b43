// The small pictures of the gallery, by lab. They are drawn still, and move where the lab's run goes on. A visitor who
// goes straight to a lab loads none of them.

import { el } from "../core/dom";

export interface CardPicture {
  element: Element;
  draw(view: unknown, seconds: number): void;
}

export const CARDS: Record<string, () => CardPicture> = {
  control: later(async () => (await import("./control/card")).controlCard()),
  backgammon: later(async () => (await import("./backgammon/card")).backgammonCard()),
  cube: later(async () => (await import("./cube/card")).cubeCard()),
  language: later(async () => (await import("./language/card")).languageCard()),
  logic: later(async () => (await import("./logic/card")).logicCard()),
};

/** A picture that comes a moment after its place. */
function later(load: () => Promise<CardPicture>): () => CardPicture {
  return () => {
    const element = el("span", { class: "lab-card-place" });
    let picture: CardPicture | null = null;
    void load().then((loaded) => {
      picture = loaded;
      element.append(loaded.element);
    });
    return { element, draw: (view, seconds) => picture?.draw(view, seconds) };
  };
}
