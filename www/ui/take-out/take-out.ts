// The section for taking pictures and curves out of the page: the lab's picture as PNG or as a short clip, the curves
// as CSV, SVG and PNG.

import { download } from "../../core/checkpoint";
import { button, el, write } from "../../core/dom";
import { sentenceEnd } from "../../core/format";
import type { LookBack } from "../../core/look-back";
import type { Run } from "../../core/run";
import { colour } from "../../core/theme";
import { headlineOf, type HeadlineView } from "../headline";
import type { Introduction } from "../introduction";
import { captionOf, introducedCaption, type CaptionedRun } from "./caption";
import { curvesCsv, curvesSvg } from "./curves-text";
import { canvasPng, clipType, picturePng, recordClip } from "./picture";
import "./take-out.css";

const CLIP_SECONDS = 6;
/** Bitmap pixels per pixel of the drawing of the curves. */
const CURVES_SCALE = 2;

/** The screen whose run is taken out. */
export interface TakenScreen {
  run: Run;
  view: HeadlineView | null;
  /** The earlier moment that the picture may show. */
  lookBack: LookBack;
  /** What is said of a trained network that the picture may show. */
  introduction: () => Introduction | null;
}

export class TakeOut {
  readonly element: HTMLElement;
  #message = el("p", { class: "file-message", role: "status" });
  #buttons: HTMLButtonElement[];

  constructor(
    readonly screen: TakenScreen,
    /** The lab's picture. */
    readonly picture: HTMLElement,
  ) {
    const type = clipType();
    const take = (text: string, action: () => Promise<void>) => button(text, () => void this.#take(action));
    const clip = take(`Clip of ${CLIP_SECONDS} seconds`, () => this.#saveClip(type as string));
    clip.disabled = type === undefined;
    if (!type) clip.title = "This browser cannot record clips";
    const pictures = [take("Picture (PNG)", () => this.#savePicture()), clip];
    const curves = [
      take("Curves (CSV)", () => this.#saveText("csv", "text/csv", this.#csv())),
      take("Curves (SVG)", () => this.#saveText("svg", "image/svg+xml", this.#svg())),
      take("Curves (PNG)", () => this.#saveCurves()),
    ];
    this.#buttons = [...pictures, ...curves];
    this.element = el(
      "section",
      { class: "take-out", "aria-labelledby": "take-out-title" },
      el("h2", { id: "take-out-title", text: "Pictures and curves" }),
      el("p", {
        class: "quiet",
        text: "For slides and reports: what the page shows now, with its score, and every metric over the whole run.",
      }),
      el("p", { class: "row" }, ...pictures),
      el("p", { class: "row" }, ...curves),
      this.#message,
    );
  }

  /** Does one thing at a time, and says what went wrong. */
  async #take(action: () => Promise<void>): Promise<void> {
    const usable = this.#buttons.filter((each) => !each.disabled);
    for (const each of usable) each.disabled = true;
    try {
      this.#say("");
      await action();
    } catch (error) {
      this.#say(
        `It could not be saved: ${sentenceEnd(error instanceof Error ? error.message : "the browser refused")}`,
        true,
      );
    } finally {
      for (const each of usable) each.disabled = false;
    }
  }

  async #savePicture(): Promise<void> {
    const run = this.#openRun();
    const introduction = this.screen.introduction();
    const caption = introduction ? introducedCaption(run.lab, introduction) : captionOf(run, this.#shownUnit);
    this.#save(await picturePng(this.picture, caption), "png");
  }

  async #saveClip(type: string): Promise<void> {
    const blob = await recordClip(this.picture, CLIP_SECONDS, type, (left) =>
      this.#say(`Recording, ${Math.ceil(left)} seconds left`),
    );
    this.#say("");
    this.#save(blob, blob.type === "video/mp4" ? "mp4" : "webm");
  }

  async #saveCurves(): Promise<void> {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.#svg())}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [CURVES_SCALE * image.width, CURVES_SCALE * image.height];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    this.#save(await canvasPng(canvas), "png", "-curves");
  }

  #saveText(extension: string, type: string, text: string): Promise<void> {
    this.#save(new Blob([text], { type }), extension, "-curves");
    return Promise.resolve();
  }

  #save(blob: Blob, extension: string, what = ""): void {
    const { lab, seed, progress } = this.screen.run;
    // The curves are those of the whole run, also while the picture shows an earlier moment.
    const units = what === "" ? this.#shownUnit : progress.units;
    download(`learnery-${lab?.about.id ?? "run"}-seed${seed}-${units}${what}.${extension}`, blob);
  }

  /** The unit that the picture shows. */
  get #shownUnit(): number {
    return this.screen.lookBack.unit ?? this.screen.run.progress.units;
  }

  #openRun(): CaptionedRun {
    const { run, view } = this.screen;
    const { lab, series, seed, settings } = run;
    if (!lab) throw new Error("no run is open");
    return { lab, series, headline: (last) => headlineOf(run, view, last), seed, settings };
  }

  #csv(): string {
    const { lab, series } = this.screen.run;
    return curvesCsv(series, lab?.about.unit ?? "unit");
  }

  #svg(): string {
    const run = this.#openRun();
    const { goal, progress } = this.screen.run;
    const { lab, series } = run;
    const { unit, charts } = lab.about;
    const { title, parts } = captionOf(run, progress.units);
    const shown = goal && !charts.includes(goal.metric) ? [goal.metric, ...charts] : charts;
    return curvesSvg(
      {
        series,
        charts: shown,
        goal,
        unit,
        title,
        subtitle: parts.join(" · "),
      },
      {
        paper: colour("--paper"),
        ink: colour("--ink"),
        quiet: colour("--ink-3"),
        line: colour("--line-strong"),
        curve: colour("--learn"),
      },
    );
  }

  #say(text: string, wrong = false): void {
    write(this.#message, text);
    this.#message.classList.toggle("wrong", wrong);
  }
}
