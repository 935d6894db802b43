// The teacher's page of a class with a server: the address and the code for the board, what the class does, all runs as
// they learn, and the answers.

import { el, write } from "../core/dom";
import type { Run } from "../core/run";
import { quoted } from "../core/values";
import { LABS } from "../generated/labs";
import { AnswersView } from "./answers-view";
import { readCode, type ReadResult } from "./code";
import { seatEntry } from "./entries";
import { settingsListed } from "./join-page";
import { isLessonLink, lessonTaskOf, type LessonTask, type LoadLessons } from "./lesson";
import { joinCard } from "./join-card";
import { fitting, unfitWords } from "./measured";
import { MeasuredView } from "./measured-view";
import { NameCover } from "./name-cover";
import { OpenForm } from "./open-form";
import { PupilList } from "./pupil-list";
import { ResultsView } from "./results-view";
import { ClassServer, ServerProblem, waitAfter, type ClassState, type ServerPupil, type ServerTask } from "./server";
import { challengeIn, challengeWords, recipeIn, taskOf, type Task } from "./task";
import { NOT_LOADED } from "./text";
import "./class.css";

/** The time between two looks at the class. */
const POLL_MS = 1_500;
/** The key under which this tab keeps the token, so that it need not stand in the address, which a projector shows. */
const TOKEN_KEY = "learnery:class:teacher";

/** The token of a teacher's link, or the one that this tab has kept. */
export function teacherToken(fromLink: string): string {
  try {
    if (fromLink !== "") sessionStorage.setItem(TOKEN_KEY, fromLink);
    return fromLink || (sessionStorage.getItem(TOKEN_KEY) ?? "");
  } catch {
    return fromLink;
  }
}

/** What a row says of a pupil's tab. */
const STATES: Record<ServerPupil["state"], string> = { here: "", silent: "not heard of for a while", left: "left" };

/** Whether only this machine can open the addresses of a host. */
const isLocal = (host: string) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);
const ONLY_HERE =
  "Only this machine can open the address of this class. For pupils on other machines, open this page by the address " +
  "of your proxy, or start “learnery class serve” without --host on a machine in a network.";

/** What the class does, and its question. `task` is what its link means; null if that cannot be read. */
function taskWords({ link, question }: ServerTask, task: Task | LessonTask | null): string {
  const words = !task
    ? link
    : "questions" in task
      ? `the lesson ${quoted(task.title)}, ${task.lab}`
      : [task.lab.about.title, ...settingsListed(task)].join(", ");
  const challenge = task && "challenge" in task && task.challenge ? ` ${challengeWords(task)}` : "";
  return `Now: ${words}.${challenge}${question === "" ? "" : ` Question: ${question}`}`;
}

export class LivePage {
  readonly title = "A class";
  readonly element: HTMLElement;
  #server: ClassServer;
  #results: ResultsView;
  #names = new NameCover();
  #namesRow = el("p", { class: "row", hidden: true }, this.#names.button);
  #answers = new AnswersView();
  #measured = new MeasuredView();
  /** The pupils while the class does a lesson. */
  #pupils = new PupilList((id) => void this.#remove(Number(id)));
  #board = el("div", {});
  #form: OpenForm;
  #message = el("p", { class: "class-message wrong", role: "status" });
  /** Why the server refused what the teacher asked for last. */
  #refusal = el("p", { class: "class-message wrong", role: "status" });
  /** What the class does. */
  #task = el("p", {});
  #timer: ReturnType<typeof setTimeout> | undefined;
  #destroyed = false;
  /** How many looks have failed since one succeeded. */
  #failures = 0;
  #shown = "";
  /** What was heard of the class last. */
  #state: ClassState | null = null;
  /** Raised each time that the class is shown. */
  #turn = 0;
  /** The lesson that was read last. */
  #lesson: LessonTask | null = null;
  /** Whether a part of the page that is needed to read a code or a lesson could not be loaded. */
  #isPartMissing = false;
  /** The address and the code on the card for the board. */
  #cardOf = "";
  /** The result codes that were handed in, as they were read; null for a text that is no such code. */
  #read = new Map<string, ReadResult | null>();

  constructor(
    run: Run,
    token: string,
    readonly lessons: LoadLessons,
  ) {
    this.#server = new ClassServer(token);
    this.#results = new ResultsView(run.cpuBundle, (id) => void this.#remove(Number(id)), false);
    this.#form = new OpenForm({
      run,
      loadLessons: lessons,
      open: ({ link }, question) => this.#open(link, question),
      asksInLessons: true,
      submitLabel: "Begin",
    });
    this.element = el(
      "article",
      { class: "class-page" },
      el("h1", { text: "A class" }),
      this.#message,
      this.#refusal,
      this.#board,
      this.#namesRow,
      this.#results.element,
      this.#pupils.element,
      this.#answers.element,
      this.#measured.element,
      el(
        "section",
        { class: "class-part" },
        el("h2", { text: "What the class does" }),
        this.#task,
        this.#form.element,
        el("p", {
          class: "quiet small",
          text: "If you begin something else, all results and answers so far are deleted. The server keeps names, curves and answers in memory only, until it ends. What you save as a file stays.",
        }),
      ),
    );
    this.#names.on("changed", () => {
      if (this.#state) void this.#show(this.#state);
    });
    void this.#look();
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#timer);
    this.#results.destroy();
  }

  /** Looks at the class, again and again. */
  async #look(): Promise<void> {
    try {
      const state = await this.#server.state();
      if (this.#destroyed) return;
      write(this.#message, "");
      this.#state = state;
      const text = JSON.stringify(state);
      if (text !== this.#shown) await this.#show(state);
      this.#shown = this.#isPartMissing ? "" : text;
      this.#failures = 0;
    } catch (error) {
      if (this.#destroyed) return;
      const isFinal = error instanceof ServerProblem && error.isFinal;
      const hint = isFinal ? " Open the link that “learnery class serve” has printed." : "";
      write(this.#message, `${error instanceof ServerProblem ? error.message : NOT_LOADED}${hint}`);
      if (isFinal) return;
      this.#failures++;
    }
    clearTimeout(this.#timer);
    if (!this.#destroyed) this.#timer = setTimeout(() => void this.#look(), waitAfter(this.#failures, POLL_MS));
  }

  async #show({ code, address, task, pupils }: ClassState): Promise<void> {
    const turn = ++this.#turn;
    this.#isPartMissing = false;
    await this.#showBoard(code, address);
    const isLesson = task !== null && isLessonLink(task.link);
    const lesson = isLesson ? await this.#lessonOf(task.link) : null;
    const read = task && !isLesson ? await taskOf(task.link, task.question, LABS) : null;
    const trained = read && !("problem" in read) ? read : null;
    write(this.#task, task ? taskWords(task, lesson ?? trained) : "Nothing yet.");
    const entries = isLesson
      ? []
      : await Promise.all(pupils.map((pupil) => this.#entryOf(pupil, recipeIn(task?.link ?? ""))));
    if (turn !== this.#turn) return; // names were hidden or shown meanwhile
    const { hides } = this.#names;
    const covered = <Named extends { name: string }>(each: Named, seat: number): Named => ({
      ...each,
      name: this.#names.shown(each.name, seat),
    });
    this.#namesRow.hidden = pupils.length === 0;
    this.#results.show(
      entries.flatMap((entry) => (entry ? [covered(entry, Number(entry.id))] : [])),
      task ? recipeIn(task.link) : null,
      trained && challengeIn(trained),
    );
    const parts = lesson?.parts ?? null;
    const listed = pupils.map(({ seat, state, ...pupil }) => {
      const { measured, unfit } = parts ? fitting(pupil.measured, parts) : { ...pupil, unfit: 0 };
      const words = [STATES[state] || "here", unfit > 0 && unfitWords(unfit)].filter(Boolean).join("; ");
      return covered({ ...pupil, measured, id: String(seat), state: words }, seat);
    });
    this.#pupils.show(isLesson ? listed : [], parts);
    this.#measured.show(pupils, parts, hides);
    this.#answers.show(pupils, hides, task?.question, lesson?.questions, lesson?.parts);
  }

  /** The lesson of a link; null if it cannot be read. */
  async #lessonOf(link: string): Promise<LessonTask | null> {
    if (this.#lesson?.link === link) return this.#lesson;
    const read = await lessonTaskOf(link, this.lessons);
    if ("problem" in read) this.#isPartMissing ||= read.problem === NOT_LOADED;
    else this.#lesson = read;
    return "problem" in read ? null : read;
  }

  async #showBoard(code: string, address: string): Promise<void> {
    // On the machine of the server, the page has another address than in the network.
    const isHere = isLocal(location.hostname);
    const base = isHere && address !== "" ? address : `${location.origin}${location.pathname}`;
    if (this.#cardOf === base + code) return;
    const words = `Or open ${new URL("join", base).href} and type the code.`;
    const card = isLocal(new URL(base).hostname)
      ? joinCard({ address: null, code, note: ONLY_HERE })
      : joinCard({ address: `${base}#/class?join=${code}`, code, note: words });
    this.#board.replaceChildren(await card);
    this.#cardOf = base + code;
  }

  /** The entry of a pupil. A pupil who trains nothing yet has an entry of the first lab, without a curve. */
  async #entryOf(pupil: ServerPupil, recipe: string) {
    const { state, progress, result: code } = pupil;
    const result = code === null ? null : await this.#resultOf(code);
    const id = (progress?.recipe ?? recipe).split("?")[0];
    const lab = result?.lab ?? (await (LABS.find((each) => each.id === id) ?? LABS[0])?.load());
    if (!lab) return null;
    const { entry, notes } = await seatEntry(pupil, result, lab, recipe, this.#names.hides);
    const words = [STATES[state], ...notes];
    if (result) words.push(`handed in at ${result.request.units}`);
    else if (code !== null && !this.#read.has(code)) words.push("its result code could not be read yet");
    const isDamaged = code !== null && this.#read.get(code) === null;
    return { ...entry, isDamaged, state: words.filter(Boolean).join(", ") };
  }

  async #resultOf(code: string): Promise<ReadResult | null> {
    if (!this.#read.has(code)) {
      const read = await readCode(code, LABS).catch(() => null);
      if (read) this.#read.set(code, "problem" in read ? null : read);
      else this.#isPartMissing = true;
    }
    return this.#read.get(code) ?? null;
  }

  /** Gives the class a task. The form has nothing to say: a refusal of the server is shown above. */
  async #open(link: string, question: string): Promise<null> {
    await this.#do(() => this.#server.open({ link, question }));
    return null;
  }

  #remove(seat: number): Promise<void> {
    return this.#do(() => this.#server.remove(seat));
  }

  /** Asks the server for something, and shows the class then. */
  async #do(request: () => Promise<void>): Promise<void> {
    write(this.#refusal, "");
    try {
      await request();
      clearTimeout(this.#timer);
      await this.#look();
    } catch (error) {
      write(this.#refusal, (error as Error).message);
    }
  }
}
