// The front's pictures and recordings, one of each for every lab. All of them together are smaller than one lab.

import type { LabTypes } from "../generated/protocol";
import type { Picture } from "./picture";
import { backgammonPicture } from "./pictures/backgammon";
import { controlPicture } from "./pictures/control";
import { cubePicture } from "./pictures/cube";
import { languagePicture } from "./pictures/language";
import { logicPicture } from "./pictures/logic";
import { readRecording, type Recording, type StoredRecording } from "./recording";
import backgammon from "./recordings/backgammon.json";
import control from "./recordings/control.json";
import cube from "./recordings/cube.json";
import language from "./recordings/language.json";
import logic from "./recordings/logic.json";

type Listed = { picture: Picture; stored: StoredRecording };

const LISTED: { [Id in keyof LabTypes]: Listed } = {
  control: { picture: controlPicture, stored: control },
  backgammon: { picture: backgammonPicture, stored: backgammon },
  cube: { picture: cubePicture, stored: cube },
  logic: { picture: logicPicture, stored: logic },
  language: { picture: languagePicture, stored: language },
};

/** How a lab is drawn, and its recording. A lab without them has a card with words only. */
export function pictureOf(id: string): { picture: Picture; recording: Recording } | null {
  const listed = (LISTED as Partial<Record<string, Listed>>)[id];
  return listed ? { picture: listed.picture, recording: readRecording(listed.stored) } : null;
}
