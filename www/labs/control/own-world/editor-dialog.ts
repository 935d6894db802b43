// The dialog "Your own world": the text of a world in an editor, beside it the picture that follows every keystroke,
// the parameters, and the controls to play it. Loaded when it is opened.

import { button, el, listen, pickFile, write } from "../../../core/dom";
import { awaitBundle } from "../../../core/dev-bundle";
import type { HiddenPart } from "../../../core/link";
import type { CheckedWorld, EpisodeFault, Problem } from "../../../generated/protocol";
import { copyableField, copyRow } from "../../../ui/copy";
import { createDialog } from "../../../ui/dialog";
import { textOfChallenge } from "./challenge-worlds";
import { EXAMPLES, NEW_WORLD } from "./examples";
import { findingOfHidden, findingsOf, firstOf } from "./findings";
import { Gallery } from "./gallery";
import { fileNameOf, KeptTexts, titleOf, type KeptText } from "./kept-texts";
import { worldOf, type WorldCommand } from "./learned-world";
import { MAX_TEXT_BYTES, packText, unpackText, WORLD_PREFIX, worldLink } from "./link";
import type { WorldAnswer, WorldRequest } from "./messages";
import { noteOwnScore } from "./note-score";
import { Parameters } from "./parameters";
import { closeRefusal, openRefusal, UNREADABLE } from "./refusal";
import { Rules } from "./rules";
import { Stage } from "./stage";
import { TextEditor } from "./text-editor";
import { wordList } from "./words";
import "./own-world.css";

/** Errors are shown after so long without a keystroke: most of them vanish as one types on. */
const SHOW_ERRORS_MS = 350;
/** A text is kept, and its link made, after so long without a keystroke. */
const KEEP_MS = 500;
/** What the file chooser offers. */
const TEXT_FILES = ".world,.txt,text/plain";
/** Seeds are from 0 to this. */
const MAX_SEED = 0xffff_ffff;

const newSeed = (): number => Math.floor(Math.random() * MAX_SEED);

/** The dialog that is open. There is one at most: two would keep the same texts. */
let opened: OwnWorldDialog | null = null;
/** How often the dialog was asked for or closed: a text that arrives later than the next time is dropped. */
let asks = 0;

/**
 * Opens the dialog: with the world of a link's part `show=`, or with this one, or if both are null with the text that
 * was open last. `train` starts a run that learns a world. Of what is `hidden`, the text of the rules cannot be
 * changed, or is not shown.
 */
export async function openOwnWorld(
  shown: string | null,
  world: WorldCommand | null,
  train: (world: WorldCommand) => void,
  hidden: HiddenPart | null,
): Promise<void> {
  closeRefusal(); // that of a link before
  // The rules of the run have not arrived yet. A text of the visitor's own must not stand in their place.
  if (hidden !== null && shown === null && world === null) return;
  const ask = ++asks;
  // Unpacked first where something is hidden: no editor may open in the place of a world that cannot be read.
  const hiddenText = hidden === null || shown === null ? null : await textOf(shown);
  if (ask !== asks) return;
  if (opened && opened.hidden !== hidden) {
    opened.close();
    opened = null;
  }
  if (hidden !== null && shown !== null && hiddenText === null) {
    opened?.close();
    return openRefusal(HEADS[hidden][0], UNREADABLE);
  }
  const isNew = opened === null;
  const dialog = (opened ??= new OwnWorldDialog(train, hidden));
  if (isNew) dialog.open();
  if (shown === null && isNew) return world ? dialog.openWorld(world) : dialog.begin();
  if (shown === null) return;
  const text = hiddenText ?? (await textOf(shown));
  if (dialog !== opened) return; // It was closed meanwhile.
  if (text !== null) dialog.openText(text, null);
  else if (isNew) dialog.begin(UNREADABLE);
  else dialog.say(UNREADABLE, true);
}

/** The text of a world in a link's part `show=`; null if it cannot be read. */
async function textOf(shown: string): Promise<string | null> {
  const packed = shown.startsWith(WORLD_PREFIX) ? await unpackText(shown.slice(WORLD_PREFIX.length)) : null;
  return packed ?? textOfChallenge(shown);
}

/** What the dialog is called, and says first. */
const HEADS: Record<HiddenPart | "nothing", [title: string, lead: string]> = {
  nothing: ["Your own world", "A few lines of rules make a world. Change a number or a word, and the picture follows."],
  editor: ["The rules of this world", "Read the rules, and play by them. Here they cannot be changed."],
  rules: ["This world", "Play it. Its rules are hidden."],
};

/** Closes what is open. */
export function closeOwnWorld(): void {
  asks += 1;
  opened?.close();
  closeRefusal();
}

class OwnWorldDialog {
  #dialog: HTMLDialogElement;
  #rules = new Rules();
  /** Only a development server may still be building the program. */
  #prepared: Promise<void>;
  #kept = new KeptTexts();
  #editor: TextEditor;
  #stage = new Stage(
    (wish) => this.#ask(wish),
    (score, text, values) => noteOwnScore(worldOf(text, this.#parameterList, values), score),
  );
  #parameters = new Parameters((index, value) => void this.#ask({ type: "parameter", index, value }));
  #gallery = new Gallery((text, id) => this.openText(text, id));
  #status = el("p", { class: "own-world-status", role: "status" });
  #goTo = button("Show it", () => this.#goToFirst(), { class: "small" });
  #link = copyableField("own-world-link", "Link to this world");
  #linkNote = el("p", {
    class: "quiet small",
    hidden: true,
    text: "This text is too long for a link. Save it as a file.",
  });
  #train = button("Train on it", () => this.#trainOnIt(), {
    class: "primary",
    title: "Starts a run in which an agent learns this world, with these parameters",
  });
  #forget = button("Forget this text", () => this.#forgetText(), { class: "small" });
  /** Takes back that a text was forgotten. */
  #bringBack = button("", () => this.#bringBackText(), { class: "small", hidden: true });
  #forgotten: KeptText | null = null;
  /** The id of the text among those that are kept; null for one that the visitor has not changed. */
  #id: string | null = null;
  #problems: Problem[] = [];
  /** What was wrong with a file or link, said beside what the check has found until the text changes. */
  #problem = "";
  /** What the last check has found, and whether it is wrong. */
  #found: [text: string, isWrong: boolean] = ["", false];
  /** Whether the browser has refused to keep the text. */
  #isUnkept = false;
  /** How many texts were opened: answers about an earlier one are dropped. */
  #texts = 0;
  /** The seed of a text that was opened and has not been checked. */
  #seed: number | null = null;
  #parameterList: NonNullable<CheckedWorld["world"]>["parameters"] = [];
  /** The values of the parameters; with null those of the text. */
  #parameterValues: readonly number[] | null = null;
  /** The values that a world is to have which was opened with them, by the names of its parameters. */
  #wantedValues: Record<string, number> = {};
  /** The fault that is shown in the text. */
  #fault: EpisodeFault | null = null;
  #isChecking = false;
  /** Whether the text has changed since its check began. */
  #isStale = false;
  #errorTimer: ReturnType<typeof setTimeout> | undefined;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly train: (world: WorldCommand) => void,
    readonly hidden: HiddenPart | null,
  ) {
    const [isReadOnly, hidesRules] = [hidden !== null, hidden === "rules"];
    this.#editor = new TextEditor((text) => this.#edited(text), isReadOnly);
    this.#prepared = import.meta.env.DEV
      ? new Promise((ready) => {
          awaitBundle("simple", "world", ({ text }) => write(this.#status, text), ready);
        })
      : Promise.resolve();
    const small = { class: "small" };
    const [title, lead] = HEADS[hidden ?? "nothing"];
    this.#dialog = createDialog(
      {
        class: hidesRules ? "own-world without-rules" : "own-world",
        titleId: "own-world-title",
        title,
        closed: () => this.#destroy(),
      },
      el(
        "div",
        { class: "own-world-top" },
        el("p", { class: "quiet", text: lead }),
        el(
          "div",
          { class: "row" },
          !isReadOnly && button("New world", () => this.#openNew(), small),
          !isReadOnly &&
            button("Open a file", () => pickFile(TEXT_FILES, (file) => void this.#read(file), this.#dialog), small),
          !hidesRules && button("Save as a file", () => this.#save(), small),
          !isReadOnly && this.#forget,
          !isReadOnly && this.#bringBack,
          button("Close", () => this.#dialog.close(), small),
        ),
      ),
      !isReadOnly && this.#gallery.element,
      el(
        "div",
        { class: "own-world-body" },
        el(
          "section",
          { class: "own-world-write", "aria-label": "The text" },
          !hidesRules && this.#editor.element,
          el("div", { class: "own-world-head" }, this.#status, this.#goTo, this.#train),
          el(
            "p",
            { class: "quiet small own-world-keys", hidden: isReadOnly },
            "Tab indents. ",
            el("kbd", { text: "Esc" }),
            ", then ",
            el("kbd", { text: "Tab" }),
            " leaves the editor. ",
            el("kbd", { text: "F8" }),
            " goes to the next error, ",
            el("kbd", { text: "Ctrl" }),
            " ",
            el("kbd", { text: "Space" }),
            " completes a word.",
          ),
          !hidesRules && wordList(),
        ),
        el("div", { class: "own-world-side" }, this.#stage.element, this.#parameters.element),
      ),
      !hidesRules && el("label", { class: "label", for: "own-world-link", text: "Link to this world" }),
      !hidesRules && copyRow(this.#link),
      !hidesRules && this.#linkNote,
    );
    this.#goTo.hidden = true;
    this.#train.disabled = true;
    // The stage of the lab behind the dialog takes arrow keys wherever they are pressed.
    const stop = (event: KeyboardEvent) => event.stopPropagation();
    listen(this.#dialog, { keydown: stop, keyup: stop });
  }

  close(): void {
    this.#dialog.close();
  }

  open(): void {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  /** Opens the text that the visitor wrote last, or the first example. `problem` is said until it changes. */
  begin(problem = ""): void {
    const [last] = this.#kept.all;
    if (last && problem === "") return this.openText(last.text, last.id);
    this.openText(EXAMPLES[0]?.text ?? NEW_WORLD, null, problem);
  }

  /** Opens the world that a run learns, with its values of the parameters. */
  openWorld({ text, parameters = {} }: WorldCommand): void {
    this.openText(text, this.#kept.all.find((kept) => kept.text === text)?.id ?? null);
    this.#wantedValues = parameters;
  }

  /** Starts a run that learns the world of the text. */
  #trainOnIt(): void {
    const world = worldOf(this.#editor.text, this.#parameterList, this.#parameterValues ?? []);
    this.#dialog.close();
    this.train(world);
  }

  /** Opens a text, `id` if it is one of the visitor's. */
  openText(text: string, id: string | null, problem = ""): void {
    this.#keepNow();
    this.#train.disabled = true;
    this.#parameterValues = null;
    this.#wantedValues = {};
    clearTimeout(this.#errorTimer);
    this.#texts++;
    this.#id = id;
    this.#problem = problem;
    this.#problems = [];
    this.#goTo.hidden = true;
    this.#fault = null;
    this.#found = ["", false];
    this.#isUnkept = false;
    this.#editor.open(text);
    this.#stage.begin();
    this.#seed = newSeed();
    this.#parameterList = [];
    this.#parameters.show([], []);
    this.#showKept();
    void this.#makeLink();
    void this.#check();
  }

  #openNew(): void {
    this.openText(NEW_WORLD, null);
    this.#editor.focus();
  }

  #edited(_text: string): void {
    this.#problem = "";
    this.#id ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
    clearTimeout(this.#keepTimer);
    this.#keepTimer = setTimeout(() => this.#keepNow(), KEEP_MS);
    void this.#check();
  }

  /** Keeps a text that has changed. */
  #keepNow(): void {
    if (this.#keepTimer === undefined) return;
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    const wasUnkept = this.#isUnkept;
    if (this.#id !== null) this.#isUnkept = !this.#kept.keep(this.#id, this.#editor.text);
    if (this.#isUnkept !== wasUnkept) this.#report();
    this.#showKept();
    void this.#makeLink();
  }

  #showKept(): void {
    this.#gallery.show(this.#kept.all, this.#id, this.#editor.text);
    this.#forget.disabled = this.#id === null;
  }

  #forgetText(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    if (this.#id !== null) {
      this.#forgotten = { id: this.#id, text: this.#editor.text };
      this.#kept.forget(this.#id);
      write(this.#bringBack, `Bring back “${titleOf(this.#editor.text)}”`);
      this.#bringBack.hidden = false;
    }
    this.#id = null;
    this.begin();
    this.#bringBack.focus();
  }

  #bringBackText(): void {
    if (!this.#forgotten) return;
    const { id, text } = this.#forgotten;
    this.#forgotten = null;
    this.openText(text, id);
    this.#isUnkept = !this.#kept.keep(id, text);
    this.#showKept();
    this.#forget.focus();
    this.#bringBack.hidden = true;
  }

  async #makeLink(): Promise<void> {
    const { text } = this.#editor;
    const packed = await packText(text);
    if (text !== this.#editor.text) return;
    this.#link.value = packed === null ? "" : location.href.replace(/#.*$/, "") + worldLink(packed, this.hidden);
    this.#link.disabled = packed === null;
    this.#linkNote.hidden = packed !== null;
  }

  #save(): void {
    const url = URL.createObjectURL(new Blob([this.#editor.text], { type: "text/plain" }));
    el("a", { href: url, download: fileNameOf(this.#editor.text) }).click();
    setTimeout(() => URL.revokeObjectURL(url));
  }

  async #read(file: File): Promise<void> {
    if (file.size > MAX_TEXT_BYTES) return this.say(`${file.name} is too large: the limit is 64 kB.`, true);
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      return this.say(`${file.name} is no plain text file.`, true);
    }
    if (!this.#dialog.open) return; // It was closed meanwhile.
    this.openText(text.replaceAll("\r\n", "\n"), null);
    this.#edited(text);
  }

  /** Checks the text, and once more if it changes meanwhile. */
  async #check(): Promise<void> {
    this.#isStale = true;
    this.#train.disabled = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      await this.#prepared;
      while (this.#isStale) {
        this.#isStale = false;
        const seed = this.#seed;
        const answer = await this.#rules.ask({ type: "text", text: this.#editor.text, seed });
        if (this.#seed === seed) this.#seed = null;
        if (!this.#isStale && answer.checked) this.#showChecked(answer.checked, answer);
      }
    } catch (error) {
      this.#stopped(`The text could not be checked: ${(error as Error).message}`);
    } finally {
      this.#isChecking = false;
    }
  }

  #showChecked({ problems, world }: CheckedWorld, answer: WorldAnswer): void {
    this.#problems = problems;
    this.#fault = null;
    this.#train.disabled = !world;
    if (world) {
      this.#parameterList = world.parameters;
      this.#stage.setWorld(world, this.#editor.text);
      this.#show(answer);
      this.#setWanted();
    }
    clearTimeout(this.#errorTimer);
    const showErrors = () => {
      this.#showProblems();
      const isWrong = problems.some(({ warning }) => !warning);
      const hasPicture = answer.moment.episode !== null;
      const found =
        this.hidden === "rules" ? findingOfHidden(world !== null) : findingsOf(problems, world !== null, hasPicture);
      this.#found = [found, isWrong];
      this.#report();
      this.#goTo.hidden = problems.length === 0 || this.hidden === "rules";
    };
    if (problems.length === 0 || !answer.moment.episode) showErrors();
    else this.#errorTimer = setTimeout(showErrors, SHOW_ERRORS_MS);
  }

  /** Gives the parameters of a world that was opened with values their values. */
  #setWanted(): void {
    for (const [index, { name }] of this.#parameterList.entries()) {
      const value = this.#wantedValues[name];
      if (value !== undefined) void this.#ask({ type: "parameter", index, value });
    }
    this.#wantedValues = {};
  }

  #goToFirst(): void {
    const first = firstOf(this.#problems);
    if (first) this.#editor.goTo(first);
  }

  /** Says what is known about the text. */
  #report(): void {
    const [found, isWrong] = this.#found;
    // Other faults stand under their lines, as far as those are shown.
    const isSaid = this.#fault && (this.#fault.line === 0 || this.hidden === "rules");
    const fault = isSaid ? `An episode has ended as a failure: ${this.#fault?.what}.` : "";
    const unkept = this.#isUnkept ? "This browser cannot keep the text. Save it as a file." : "";
    const parts = [this.#problem, found, fault, unkept].filter((part) => part !== "");
    this.say(parts.join(" "), isWrong || this.#problem !== "" || fault !== "" || unkept !== "");
  }

  say(text: string, isWrong: boolean): void {
    write(this.#status, text);
    this.#status.classList.toggle("wrong", isWrong);
  }

  /** Marks the problems and the fault in the text. */
  #showProblems(): void {
    const fault = this.#fault && {
      line: this.#fault.line,
      tone: "error" as const,
      text: `Here an episode has ended as a failure: ${this.#fault.what}`,
    };
    this.#editor.show(this.#problems, fault);
  }

  /** Has the worker do something with the live world, and shows what follows. */
  async #ask(request: WorldRequest): Promise<void> {
    const texts = this.#texts;
    await this.#prepared;
    if (texts !== this.#texts) return;
    try {
      const answer = await this.#rules.ask(request);
      if (texts === this.#texts) this.#show(answer);
    } catch (error) {
      if (!this.#isChecking) this.#stopped(`The world has stopped: ${(error as Error).message}`);
    }
  }

  /** The worker has ended, and with it the world. The next change of the text starts both again. */
  #stopped(why: string): void {
    if (!this.#dialog.open) return;
    this.#seed ??= newSeed();
    this.#stage.begin();
    const next = this.hidden ? "Close this and open it again" : "Change the text to start again";
    this.say(`${why}. ${next}.`, true);
  }

  #show({ moment }: WorldAnswer): void {
    const { episode } = moment;
    if (!episode) return;
    this.#stage.show(moment);
    this.#parameterValues = episode.parameters;
    this.#parameters.show(this.#parameterList, episode.parameters);
    const { fault } = episode;
    if (!fault || (fault.line === this.#fault?.line && fault.what === this.#fault.what)) return;
    this.#fault = fault;
    this.#showProblems();
    if (fault.line === 0 || this.hidden === "rules") this.#report();
  }

  #destroy(): void {
    if (opened === this) opened = null;
    this.#keepNow();
    clearTimeout(this.#errorTimer);
    this.#rules.destroy();
    this.#stage.destroy();
    this.#editor.destroy();
    this.#dialog.remove();
  }
}
