// What a story says of each of its scenes. Every number comes from the records of the run.

import { formatMeasured, sentence, sentenceStart, withUnit } from "../format";
import { marginName } from "../series";
import { addMoment, type StoryMoment, type StoryRun } from "./moments";
import type { Scene } from "./plan";

/** What was recorded for a scene. */
export interface Recorded {
  /** The unit (training iteration) of the agent in the picture. */
  unit: number;
  /** False if repeating the run measured something else than the run did. */
  same: boolean;
  /** What the picture shows of a behaviour, in a part of a sentence; null if it shows none. */
  shown: string | null;
}

/** What is written beside the picture of a scene. */
export interface Caption {
  title: string;
  text: string;
  /** What has to be said of the picture; empty if it is that of the scene. */
  note: string;
}

/** A scene with what was recorded for it. */
export interface ToldScene<Shot extends Recorded> {
  scene: Scene;
  shot: Shot;
}

/**
 * Puts scenes and their pictures together. A scene that is no moment is about the unit that its picture shows, and is
 * left out if the picture of another scene shows it too. The first picture that shows a behaviour becomes a moment;
 * `name` is the behaviour's, as a title.
 */
export function tellScenes<Shot extends Recorded>(
  scenes: Scene[],
  shots: Shot[],
  unit: string,
  name = "A behaviour",
): ToldScene<Shot>[] {
  const told = scenes.map((scene, i) => {
    const shot = shots[i] as Shot;
    return { shot, scene: scene.kind === "moment" ? scene : { ...scene, unit: shot.unit } };
  });
  const kept: ToldScene<Shot>[] = [];
  for (const [i, each] of told.entries()) {
    const before = kept.at(-1)?.scene.unit ?? -1;
    const next = told.slice(i + 1).find(({ scene }) => scene.kind === "moment")?.scene.unit ?? Infinity;
    const isNew = each.scene.unit > before && each.scene.unit < next;
    if (each.scene.kind === "moment" || kept.length === 0 || isNew) kept.push(each);
  }
  const at = kept.findIndex(({ shot }) => shot.shown !== null);
  const first = kept[at];
  const last = kept[at - 1];
  if (!first || !last) return kept; // seen nowhere, or from the beginning
  const text = `With this agent, ${first.shot.shown}. With the agent before, of ${unit} ${last.shot.unit}, none was seen.`;
  const seen: StoryMoment = {
    unit: first.scene.unit,
    kinds: ["behaviour"],
    title: `${name}, first seen in this story`,
    text,
  };
  const [moment] = first.scene.moment ? addMoment([first.scene.moment], seen) : [seen];
  return kept.map((each) =>
    each === first ? { ...each, scene: { ...each.scene, kind: "moment", moment: moment ?? seen } } : each,
  );
}

/**
 * The last test of the run's metric up to a unit, with its name and, if it is an earlier one, its unit; empty before
 * the first.
 */
export function measuredAt({ series, metric, name, unit: noun }: StoryRun, unit: number): string {
  const row = series.lastRow(metric, unit);
  const at = series.units[row];
  if (at === undefined) return "";
  const spec = series.spec(metric);
  const margin = series.last(marginName(series.specs, metric) ?? "", at);
  const value = withUnit(formatMeasured(series.column(metric)[row] ?? NaN, margin, 3, spec?.unit), spec?.unit ?? "");
  return at === unit ? `${name}: ${value}` : `${name}: ${value}, in the test of ${noun} ${at}`;
}

/** What is said of a scene, from the records of the run. */
export function captionOf(run: StoryRun, { scene, shot }: ToldScene<Recorded>): Caption {
  const { kind, unit, moment } = scene;
  const where = `${sentenceStart(run.unit)} ${unit}`;
  const notes = [
    shot.unit === unit ? "" : `The picture shows the agent of ${run.unit} ${shot.unit}.`,
    shot.same ? "" : "Replaying the run gave other values, so the picture shows another agent with the same settings.",
  ];
  const note = notes.filter(Boolean).join(" ");
  if (moment) {
    const title = moment.title.charAt(0).toLowerCase() + moment.title.slice(1);
    return { title: `${where}: ${title}`, text: moment.text, note };
  }
  const measured = measuredAt(run, unit);
  const value = measured === "" ? "Not tested yet." : sentence(measured);
  const texts: Partial<Record<Scene["kind"], string>> = {
    start: unit === 0 ? "The agent before it has learned anything." : `The first picture of this run. ${value}`,
    end: unit === run.progress.units ? `The agent as it is now. ${value}` : `The last picture of this run. ${value}`,
  };
  return { title: where, text: texts[kind] ?? value, note };
}
