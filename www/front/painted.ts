// The small pictures of the labs, without recordings.

import type { LabTypes } from "../generated/protocol";
import type { Picture } from "../ui/small-picture/picture";
import { backgammonPicture } from "../labs/backgammon/picture";
import { controlPicture } from "../labs/control/picture";
import { cubePicture } from "../labs/cube/picture";
import { languagePicture } from "../labs/language/picture";
import { logicPicture } from "../labs/logic/picture";

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
