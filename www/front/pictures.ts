// The front's pictures and recordings, one of each for every lab. All of them together are smaller than one lab.

import type { LabTypes } from "../generated/protocol";
import { smallPicture } from "./painted";
import type { Picture } from "./picture";
import { readRecording, type Recording, type StoredRecording } from "./recording";
import backgammon from "./recordings/backgammon.json";
import control from "./recordings/control.json";
import cube from "./recordings/cube.json";
import language from "./recordings/language.json";
import logic from "./recordings/logic.json";

const RECORDINGS: { [Id in keyof LabTypes]: StoredRecording } = { control, backgammon, cube, logic, language };

/** How a lab is drawn, and its recording. A lab without them has a card with words only. */
export function pictureOf(id: string): { picture: Picture; recording: Recording } | null {
  const stored = (RECORDINGS as Partial<Record<string, StoredRecording>>)[id];
  const picture = smallPicture(id);
  return stored && picture ? { picture, recording: readRecording(stored) } : null;
}
