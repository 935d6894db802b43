// The small pictures of the labs, without recordings.

import type { LabTypes } from "../generated/protocol";
import type { Picture } from "./picture";
import { backgammonPicture } from "./pictures/backgammon";
import { controlPicture } from "./pictures/control";
import { cubePicture } from "./pictures/cube";
import { languagePicture } from "./pictures/language";
import { logicPicture } from "./pictures/logic";

export const PICTURES: { [Id in keyof LabTypes]: Picture } = {
  control: controlPicture,
  backgammon: backgammonPicture,
  cube: cubePicture,
  logic: logicPicture,
  language: languagePicture,
};

/** How a lab is drawn in small, or null if it has no such picture. */
export function smallPicture(lab: string): Picture | null {
  return (PICTURES as Partial<Record<string, Picture>>)[lab] ?? null;
}
