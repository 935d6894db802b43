// The pictures on the gallery's cards, one for each lab. Only the picture of the lab whose run is open moves. Each
// picture is a module of its own that is loaded when the gallery is shown, so a visitor who goes straight to a lab
// downloads none of them.

import { el } from "../core/dom";
import type { AnyView } from "../core/run";
import type { LabTypes } from "../generated/protocol";
import type { CardPicture } from "./lab-view";

/** A loader for each lab, typed by the lab's view (the data that the lab sends to be drawn). */
type CardLoaders = { [Id in keyof LabTypes]: () => Promise<CardPicture<LabTypes[Id]["view"]>> };

const CARD_LOADERS: CardLoaders = {
  control: async () => (await import("./control/card")).controlCard(),
  backgammon: async () => (await import("./backgammon/card")).backgammonCard(),
  cube: async () => (await import("./cube/card")).cubeCard(),
  language: async () => (await import("./language/card")).languageCard(),
  logic: async () => (await import("./logic/card")).logicCard(),
};

/** The picture of a lab, or null if there is none. The returned element is empty until the picture has been loaded. */
export function cardPicture(id: string): CardPicture<AnyView> | null {
  // A run sends only views of its own lab, which the types cannot express.
  const load = (CARD_LOADERS as Partial<Record<string, () => Promise<CardPicture<AnyView>>>>)[id];
  if (!load) return null;
  const element = el("span", { class: "lab-card-place" });
  let picture: CardPicture<AnyView> | null = null;
  void load().then((loaded) => {
    picture = loaded;
    element.append(loaded.element);
  });
  return { element, draw: (view, seconds) => picture?.draw(view, seconds) };
}
