// The list of the small pictures on the gallery's cards (`CardPicture` in lab-view.ts). They are loaded with the
// gallery, so a visitor who goes straight to a lab loads none of them.

import { el } from "../core/dom";
import type { AnyView } from "../core/run";
import type { LabTypes } from "../generated/protocol";
import type { CardPicture } from "./lab-view";

type Cards = { [Id in keyof LabTypes]: () => Promise<CardPicture<LabTypes[Id]["view"]>> };

const CARDS: Cards = {
  control: async () => (await import("./control/card")).controlCard(),
  backgammon: async () => (await import("./backgammon/card")).backgammonCard(),
  cube: async () => (await import("./cube/card")).cubeCard(),
  language: async () => (await import("./language/card")).languageCard(),
  logic: async () => (await import("./logic/card")).logicCard(),
};

/**
 * The small picture of a lab, or null if it has none. Its element is returned at once; the drawing is appended when
 * loaded.
 */
export function cardPicture(id: string): CardPicture<AnyView> | null {
  // A run sends only views of its own lab, which the types cannot express.
  const load = (CARDS as Partial<Record<string, () => Promise<CardPicture<AnyView>>>>)[id];
  if (!load) return null;
  const element = el("span", { class: "lab-card-place" });
  let picture: CardPicture<AnyView> | null = null;
  void load().then((loaded) => {
    picture = loaded;
    element.append(loaded.element);
  });
  return { element, draw: (view, seconds) => picture?.draw(view, seconds) };
}
