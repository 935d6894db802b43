// The front's pictures and recordings, one of each for every lab. All of them together are smaller than one lab.

import type { LabTypes } from "../generated/protocol";
import { smallPicture } from "./painted";
import type { Picture } from "../ui/small-picture/picture";
import { readRecording, type Recording, type StoredRecording } from "../ui/small-picture/recording";
import backgammon from "../labs/backgammon/recording.json";
import control from "../labs/control/recording.json";
import cube from "../labs/cube/recording.json";
import language from "../labs/language/recording.json";
import logic from "../labs/logic/recording.json";

const RECORDINGS: { [Id in keyof LabTypes]: StoredRecording } = { control, backgammon, cube, logic, language };

/** How a lab is drawn, and its recording. A lab without them has a card with words only. */
export function pictureOf(id: string): { picture: Picture; recording: Recording } | null {
  const stored = (RECORDINGS as Partial<Record<string, StoredRecording>>)[id];
  const picture = smallPicture(id);
  return stored && picture ? { picture, recording: readRecording(stored) } : null;
}
