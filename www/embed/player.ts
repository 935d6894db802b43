// The embed as a whole: the lab's picture, the title and the sentence above it, the goal and the buttons below it, and
// the run, which trains only while the embed is in sight.

import type { BundleChoice } from "../core/bundle";
import { button, el, watchVisible, write } from "../core/dom";
import { sentence } from "../core/format";
import { Incoming, IncomingFailure } from "../core/incoming";
import { Superseded } from "../core/requests";
import { withoutHidden, writeLink, type RunRequest, type Settings } from "../core/link";
import { LookBack } from "../core/look-back";
import { DEFAULT_PACE } from "../core/pace";
import { presetOf } from "../core/presets";
import { hasData } from "../core/recipe";
import { Run } from "../core/run";
import type { AnyView } from "../core/run-events";
import { ShownTest } from "../core/shown-test";
import { ViewLoop } from "../core/view-loop";
import { headlineOf, type Headline } from "../ui/headline";
import type { LabView, OpenFile, Restart, ViewModule } from "../ui/lab-view";
import { icon } from "../ui/icons";
import { StoryLine } from "../ui/story-line";
import { GoalLine } from "./goal-line";
import type { EmbedOptions, Part } from "./parameters";

export class Player {
  readonly element: HTMLElement;
  /** The test that the caption and the goal speak of. */
  readonly shown: ShownTest;
  #request: RunRequest;
  #view: LabView<AnyView> | null;
  #picture = el("div", { class: "embed-picture" });
  #title = el("h1", { class: "embed-title" });
  #runButton = button("", () => this.toggle(), { class: "primary embed-run" });
  #restartButton = button("", () => this.#restart(), { class: "embed-restart", title: "Start anew" });
  #link = el("a", { class: "embed-link", target: "_blank", rel: "noopener" });
  /** Stands on the picture until the run begins. */
  #start = button("", () => this.play(), { class: "primary embed-start" });
  /** What is said in place of the picture. */
  #message = el("div", { class: "embed-message", role: "status", hidden: true });
  /** What the lab has refused. */
  #refusal = el("p", { class: "embed-problems", role: "status", hidden: true });
  #views: ViewLoop | null = null;
  /** Whether the visitor, or the author by `autoplay`, wants the run to train. */
  #shouldTrain: boolean;
  #inSight = false;
  /** Whether the worker was last told to train. Its answer comes later, when the embed may be out of sight. */
  #requestedTraining = false;
  /** The worker that was asked for last; null before the embed has been in sight. */
  #incoming: Incoming | null = null;
  /** Whether that worker has failed. */
  #failed = false;
  /** The run ends after this many units (training iterations), and then only starts anew; null to run on. */
  lastUnit: number | null = null;
  #stopWatching: (() => void) | null = null;

  constructor(
    { request, parts, autoplay, pace }: EmbedOptions & { request: RunRequest },
    module: ViewModule<AnyView> | null,
    bundle: BundleChoice,
    readonly run = new Run(bundle),
  ) {
    this.#request = request;
    this.#shouldTrain = autoplay;
    run.loaded = request.lab;
    // The embed has a pace of its own, whatever the visitor has chosen on the page.
    run.pace = pace !== undefined ? pace : module?.pace !== undefined ? module.pace : DEFAULT_PACE;
    const restart: Restart = (settings) => (settings ? this.#startWith(settings) : this.#restart());
    this.#view = module?.open(run, restart, this.#openFile) ?? null;
    if (this.#view) this.#picture.append(this.#view.element);
    const has = (part: Part) => parts.has(part);
    const introduction = () => this.#view?.introduction?.() ?? null;
    const shown = (this.shown = new ShownTest(run, new LookBack(run), () => [headline(), introduction()]));
    const headline = (): Headline => headlineOf(run, this.#view, (metric) => this.shown.last(metric));
    const recorded = module?.recordedRuns ?? {};
    const story = module && new StoryLine(shown, module.story, recorded, headline, introduction);
    const goal = new GoalLine(shown, headline, introduction);
    this.#start.append(icon("play"), "Start learning");
    this.#restartButton.append(icon("restart"), el("span", { text: "Restart" }));
    this.#link.append("Open in Learnery");
    const tools = [has("run") && this.#runButton, has("restart") && this.#restartButton, has("link") && this.#link];
    this.element = el(
      "article",
      { class: "embed" },
      el("header", { class: "embed-head" }, has("title") && this.#title, has("caption") && story?.element),
      has("choice") && this.#view?.choice,
      this.#refusal,
      el("div", { class: "embed-frame" }, this.#picture, this.#start, this.#message),
      has("goal") && goal.element,
      tools.some(Boolean) && el("footer", { class: "embed-tools" }, ...tools),
    );
    for (const part of ["controls", "figures"] as const) this.element.classList.toggle(`with-${part}`, has(part));
    this.#listen();
    this.#drawRequest();
    this.#draw();
  }

  /** Watches whether the embed is in sight. The lab is loaded when it comes into sight first. */
  begin(): void {
    let visible = false;
    const update = () => this.#sightChanged(visible && document.visibilityState === "visible");
    const stopWatching = watchVisible(this.#picture, (now) => {
      visible = now;
      update();
    });
    document.addEventListener("visibilitychange", update);
    this.#stopWatching = () => {
      stopWatching();
      document.removeEventListener("visibilitychange", update);
    };
  }

  /** Ends the run and its picture. */
  destroy(): void {
    this.#stopWatching?.();
    this.#incoming?.close();
    this.#views?.stop();
    this.run.close();
    this.#view?.destroy();
  }

  /** The run trains from now on, while the embed is in sight. */
  play(): void {
    this.#shouldTrain = true;
    this.#update();
  }

  pause(): void {
    this.#shouldTrain = false;
    this.#update();
  }

  toggle(): void {
    if (this.#shouldTrain) this.pause();
    else if (this.#hasEnded) this.#restart();
    else this.play();
  }

  get #hasEnded(): boolean {
    return this.lastUnit !== null && this.run.progress.units >= this.lastUnit;
  }

  #sightChanged(inSight: boolean): void {
    this.#inSight = inSight;
    if (inSight && !this.#incoming) void this.#load();
    if (this.#views) this.#views.visible = inSight;
    this.#update();
  }

  /** Fetches and starts the lab's bundle, and opens the run. */
  async #load(): Promise<void> {
    const { run } = this;
    const { lab, settings } = this.#request;
    this.#failed = false;
    const loading = `${lab.about.title} is loading …`;
    this.#say(loading);
    // Only the development server has more to say, while it builds the bundle.
    const showLoading = (_: number, text = loading) => this.#say(text);
    const incoming = (this.#incoming = new Incoming(run.cpuBundle, lab, settings, showLoading));
    try {
      await incoming.fetched;
    } catch (error) {
      if (this.#incoming !== incoming || error instanceof Superseded) return; // another one was asked for meanwhile
      if (error instanceof IncomingFailure) this.#fail(error.message);
      else this.#fail(String(error));
      return;
    }
    run.adopt(incoming);
  }

  #listen(): void {
    const { run } = this;
    const view = this.#view;
    run.on("ready", () => void run.start(this.#request.lab, this.#request.settings, this.#request.seed));
    run.on("opened", () => {
      const data = this.#request.changes[0]?.data ?? null;
      if (data !== null && run.progress.units === 0 && run.changes.length === 0) run.command(data);
      this.#say("");
      view?.opened();
      view?.hide?.(this.#request.hide, false); // the sentence above the frame says what is lost
      if (this.#request.show !== null) view?.show?.(this.#request.show);
      this.#requestedTraining = false;
      this.#update();
    });
    run.on("progress", () => {
      if (this.#hasEnded && this.#shouldTrain) this.pause();
      this.#draw();
    });
    run.on("solved", () => view?.celebrate());
    run.on("refused", ({ message: reason, request }) => {
      const message = withoutHidden(reason, this.#request.hide);
      if (request === "command" && view?.refused) return view.refused(message);
      write(this.#refusal, sentence(message));
      this.#refusal.hidden = false;
      if (!run.open) this.#say(sentence(message));
    });
    run.on("failed", ({ message }) => this.#fail(message));
    if (!view) return;
    this.#views = new ViewLoop(run, (data, seconds) => view.draw(data, seconds));
    this.#views.visible = false;
  }

  /** Runs or pauses: the run trains while it is wanted and in sight. */
  #update(): void {
    const { run } = this;
    const goesOn = this.#shouldTrain && this.#inSight;
    if (run.open && goesOn !== this.#requestedTraining) {
      this.#requestedTraining = goesOn;
      if (goesOn) run.play();
      else run.pause();
    }
    this.#draw();
  }

  /** Starts the run anew. */
  #restart(): void {
    this.#shouldTrain = true;
    this.#refusal.hidden = true;
    const { lab, settings, seed } = this.#request;
    // A world of the author's own needs another program than the others.
    if (this.run.open && this.run.isReadyFor(lab, settings)) void this.run.start(lab, settings, seed);
    else if (this.run.open || this.#failed) void this.#load();
    this.#draw();
  }

  /** Starts a run with settings that the visitor has chosen in the picture. */
  #startWith(settings: Settings): void {
    this.startWith(settings, []);
  }

  /** Starts a run with these settings, and with these data of the author's own. */
  startWith(settings: Settings, changes = this.#request.changes): void {
    this.useNext(settings, changes);
    this.#drawRequest();
    this.#restart();
  }

  /** The next run has these settings. */
  useNext(settings: Settings, changes = this.#request.changes): void {
    this.#request = { ...this.#request, settings, changes, show: null };
  }

  /** Continues from a checkpoint of the site itself, which a lab's button has loaded. */
  #openFile: OpenFile = async (file) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return this.run.resume(bytes, null).then(
      () => true,
      () => false,
    );
  };

  /** Says something in place of the picture; an empty text ends that. */
  #say(text: string): void {
    if (this.#message.textContent !== text) this.#message.replaceChildren(el("p", { text }));
    this.#message.hidden = text === "";
    this.#draw();
  }

  #fail(reason: string): void {
    this.#incoming?.close();
    this.#failed = true;
    this.#say(`The lab stopped because of an error: ${sentence(reason)}`);
    this.#message.append(button("Try again", () => void this.#load()));
  }

  /** Writes what depends on the run that was asked for: the title and the link. */
  #drawRequest(): void {
    const { lab, settings, seed, hide } = this.#request;
    const { about, fields } = lab;
    const all = Object.fromEntries(fields.map((field) => [field.name, settings[field.name] ?? field.default]));
    const preset = about.presets.find(({ name }) => name === presetOf(lab, all));
    write(this.#title, preset ? `${about.title}: ${preset.title}` : about.title);
    const link = `./${writeLink(lab, settings, seed)}${hide ? `&hide=${hide}` : ""}`;
    this.#link.href = link;
    if (hasData(this.#request.changes)) void this.#addData(link);
  }

  /** Adds data of the run's own to the link, if they are short enough. */
  async #addData(link: string): Promise<void> {
    const { changes } = this.#request;
    const part = await import("../core/packed").then(({ packData }) => packData(changes)).catch(() => null);
    if (part !== null && this.#link.getAttribute("href") === link) this.#link.href = link + part;
  }

  /** Shows whether the run is wanted, and whether it has begun. */
  #draw(): void {
    const label = this.#shouldTrain ? "Pause" : "Run";
    if (this.#runButton.textContent !== label)
      this.#runButton.replaceChildren(icon(this.#shouldTrain ? "pause" : "play"), el("span", { text: label }));
    const begun = this.#shouldTrain || this.run.progress.units > 0 || this.run.progress.work > 0;
    this.#start.hidden = begun || !this.#message.hidden;
  }
}
