// Makes a link that carries a moment (core/moment-link.ts): the run up to its present unit (training iteration) with
// its fingerprint, and what the visitor sees there, as far as both fit into a link.

import { writeLink } from "../core/link";
import { packMoment, type LinkMoment } from "../core/moment-link";
import { DATA_TOO_LONG, MAX_PACKED, packData } from "../core/packed";
import { hasData } from "../core/recipe";
import { Superseded, type ReplyOf } from "../core/requests";
import type { Run } from "../core/run";
import type { AnyView } from "../core/run-events";
import type { LabInfo } from "../generated/protocol";
import { lastFrames, type FrameRecorder } from "./moment-frames";
import { headlineOf, type Headline, type HeadlineView } from "./headline";
import type { LabMoment } from "./lab-moment";

/** What a link of a moment is made of. */
export interface MomentSource {
  lab: LabInfo;
  /** The run at the moment, which must not train meanwhile: the open one, or the past one that the visitor looks at. */
  run: Run;
  /** The run whose metrics are shown. */
  present: Run;
  view: HeadlineView | null;
  own: LabMoment;
  recorder: FrameRecorder;
}

/** A link that carries a moment. */
export interface MadeMoment {
  /** The hash of an address. */
  link: string;
  moment: LinkMoment;
  /** How the page names the score: plain words where the lab has some. */
  words: Pick<Headline, "name" | "unit">;
  /** What it holds beside the run, as parts of a sentence. */
  holds: string[];
  /** What it had no room for, as parts of a sentence. */
  leftOut: string[];
  /** What no link can hold of this moment, and why, as sentences. */
  cannotHold: string[];
}

/** Why a moment cannot be linked to, in a sentence. */
export class NoMoment extends Error {}

/** Makes the link, or throws a `NoMoment`. */
export async function makeMoment(source: MomentSource): Promise<MadeMoment> {
  const { lab, run, own } = source;
  if (run.networkSince !== null)
    throw new NoMoment(
      "There is no link to this run: a link repeats a run from its start, and this one went on from a network that was " +
        "trained before. “Save a picture for chats” saves what you see. To give the agent to somebody, send the file " +
        "that “Save checkpoint” below makes; “Open a file…” opens it.",
    );
  const { units, fingerprint, bytes } = await saved(run);
  const view = await readyView(run, own);
  const { settings, seed, changes } = run.origin();
  const data = hasData(changes) ? await packData(changes) : "";
  if (data === null) throw new NoMoment(DATA_TOO_LONG);
  const bits = fingerprint ? `${run.bundle.bits}:${fingerprint}` : null;
  const shown = own.shown?.(view) ?? null;
  const recipe = writeLink(lab, settings, seed, units, run.device, { changes, bits }) + data;
  const start = `${recipe}${shown === null ? "" : `&show=${encodeURIComponent(shown)}`}&moment=`;
  const words = wordsOf(source, units);
  const agent = own.copy?.pack(view, bytes) ?? null;
  const full = momentOf(source, view, units, agent instanceof Uint8Array ? agent : null);
  const shorter = full.agent && own.copy?.shorter?.pack(view, bytes);
  const less = shorter instanceof Uint8Array ? shorter : null;
  const cannotHold = [
    full.clip === null && "It does not hold the picture, because this one cannot be drawn from a link.",
    agent && "because" in agent && `It does not hold ${own.copy?.words ?? "the agent"}, because ${agent.because}.`,
  ].filter((text) => typeof text === "string");
  for (const moment of shorterAndShorter(full, less)) {
    const packed = await packMoment(moment, MAX_PACKED - start.length);
    if (packed !== null)
      return { link: start + packed, moment, words, cannotHold, ...described(full, moment, own, shown !== null) };
  }
  throw new NoMoment(
    "This moment is too long for a link. Take the “Link to this run from its start”, or save a checkpoint.",
  );
}

/** What the visitor sees, for a picture of it. Unlike a link, a picture can show every run. */
export async function seenMoment(source: MomentSource): Promise<Pick<MadeMoment, "moment" | "words">> {
  const { units } = await saved(source.run);
  const view = await readyView(source.run, source.own);
  return { moment: momentOf(source, view, units, null), words: wordsOf(source, units) };
}

const wordsOf = ({ present, view }: MomentSource, units: number): Headline =>
  headlineOf(present, view, (metric) => present.series.last(metric, units));

/** All that there is of a moment. */
function momentOf(
  { lab, present, view, own, recorder }: MomentSource,
  shown: AnyView,
  unit: number,
  agent: LinkMoment["agent"],
) {
  const last = (metric: string) => present.series.last(metric, unit);
  const { metric } = headlineOf(present, view, last);
  const value = last(metric);
  const curve = present.series.measured(metric, unit);
  const measuredAt = curve.units.at(-1) ?? null;
  const isKnown = Number.isFinite(value) && lab.about.metrics.some(({ name }) => name === metric);
  const clip = recorder.clipTo(shown);
  return {
    unit,
    clip: own.isDrawable(clip) ? clip : null,
    headline: isKnown ? { metric, value, measuredAt, curve } : null,
    agent,
  } satisfies LinkMoment;
}

/**
 * A moment, and shorter ones for links without the room for it. A copy of the agent matters more than a moving picture.
 * `agent` is a shorter copy; null if there is none.
 */
function shorterAndShorter(full: LinkMoment, agent: LinkMoment["agent"]): LinkMoment[] {
  const { clip, headline } = full;
  // A text, which has a frame of one byte for each character, cannot be shortened.
  const last = (share: number) => (clip && clip.frameSize > 1 ? { ...full, clip: lastFrames(clip, share) } : null);
  const still = last(0);
  const moving = [full, last(0.5), last(0.25), still];
  const shorter = agent ? moving.map((each) => each && { ...each, agent }) : [];
  const all = [...moving, ...shorter, { ...full, agent: null }, still && { ...still, agent: null }];
  if (headline) all.push({ ...full, clip: null, agent: null });
  return all.filter((moment) => moment !== null && (moment.clip !== null || moment.headline !== null)) as LinkMoment[];
}

/** What a link holds of a moment, and what it had no room for. */
function described(
  full: LinkMoment,
  moment: LinkMoment,
  { copy, shownWords }: LabMoment,
  isShown: boolean,
): Pick<MadeMoment, "holds" | "leftOut"> {
  const frames = ({ clip }: LinkMoment) => (clip ? clip.bytes.length / clip.frameSize : 0);
  const [had, has] = [frames(full), frames(moment)];
  const isMoving = has > 1 && full.clip?.frameSize !== 1;
  const holds = [
    has > 0 && (isMoving ? "the last pictures" : "the picture"),
    isShown && shownWords,
    moment.headline && "the score with its curve",
    moment.agent && (moment.agent === full.agent ? copy?.words : copy?.shorter?.words),
  ];
  const leftOut = [
    had > 0 && has === 0 ? "the picture" : had > has && (has > 1 ? "earlier pictures" : "the pictures before the last"),
    full.agent && !moment.agent && copy?.words,
  ];
  const texts = (parts: (string | false | null | undefined)[]) => parts.filter((part) => typeof part === "string");
  return { holds: texts(holds), leftOut: texts(leftOut) };
}

/** A checkpoint of the run with its fingerprint. */
async function saved(run: Run): Promise<ReplyOf<"saved">> {
  try {
    return await run.save({ fingerprint: true });
  } catch (error) {
    const isReplaced = error instanceof Superseded;
    throw new NoMoment(
      isReplaced ? "Another run was opened meanwhile, or this one was closed." : (error as Error).message,
    );
  }
}

/** At most so many views are asked for, each so many seconds of the stage later, until it is ready. */
const [MAX_VIEWS, VIEW_SECONDS] = [80, 0.25];

/** The view that a moment shows. The stage stands still for it, unless it has only just begun something. */
async function readyView(run: Run, { isReady }: LabMoment): Promise<AnyView> {
  let view = await nextView(run, 0);
  for (let i = 0; i < MAX_VIEWS && isReady?.(view) === false; i++) view = await nextView(run, VIEW_SECONDS);
  return view;
}

/** The next view of the run, for which its stage goes on for some seconds. */
function nextView(run: Run, seconds: number): Promise<AnyView> {
  return new Promise((resolve, reject) => {
    const unsubscribes = [
      run.on("view", (view) => end(() => resolve(view))),
      run.on("closed", () => end(() => reject(new NoMoment("The run was closed meanwhile.")))),
    ];
    const end = (settle: () => void) => {
      unsubscribes.forEach((unsubscribe) => unsubscribe());
      settle();
    };
    run.requestView(seconds);
  });
}
