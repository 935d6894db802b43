// The small pictures of the gallery, by lab. They are drawn still, and move where the lab's run goes on.

import { backgammonCard } from "./backgammon/card";
import { controlCard } from "./control/card";

export interface CardPicture {
  element: Element;
  draw(view: unknown, seconds: number): void;
}

export const CARDS: Record<string, () => CardPicture> = {
  backgammon: backgammonCard,
  control: controlCard,
};
