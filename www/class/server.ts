// The interface of a class's server (`learnery class serve`), which has sent the page: joins, tells what a tab does,
// and reads the state of the class for the teacher. What comes from it is checked, because other tabs wrote it.

import { isNumber, isObject } from "../core/unknown";
import { MAX_POINTS, type Answer, type BitsClass, type PointCurve } from "./code";
import { readMeasured, type Measured } from "./measured";
import { isPlainText, MAX_ANSWER, MAX_ANSWERS, MAX_NAME, MAX_QUESTION, shownText } from "./text";

/** What the class does: a run's link without its seed or a lesson's, and a question. */
export interface ServerTask {
  link: string;
  question: string;
}

/** Where the class is, as its pupils see it. */
export interface Standing {
  task: ServerTask | null;
  /** How many pupils are in the class. */
  pupils: number;
  /** The median of their iterations and of their results; null before there is one. */
  units: number | null;
  value: number | null;
  /** Whether the server has the progress of this tab. It drops it when the class trains something else. */
  told: boolean;
  /** How many answers and results of a lesson the server has of this tab. */
  answers: number;
  measured: number;
}

/** What a tab tells of its run. */
export interface Progress {
  recipe: string;
  /** The seed of the run, which need not be that of the seat: a pupil may start another run. */
  seed: number;
  metric: string;
  target: number | null;
  units: number;
  bits: BitsClass;
  curve: PointCurve;
  /** The unit in which the run has done the class's challenge; null before, and without one. */
  challenge: number | null;
}

export interface ServerPupil {
  seat: number;
  seed: number;
  name: string;
  state: "here" | "silent" | "left";
  progress: Progress | null;
  /** The unit in which a run of its tab has done the class's challenge, as the tab says; null if none has. */
  challenge: number | null;
  /** The result code that was handed in. */
  result: string | null;
  /** Those to questions of the class, and those of a lesson. */
  answers: Answer[];
  /** What a lesson has measured in its tab, as far as it was handed in. */
  measured: Measured;
}

/** The class as the teacher sees it. */
export interface ClassState {
  code: string;
  /** The address of the server in its network, with which pupils reach it. */
  address: string;
  task: ServerTask | null;
  pupils: ServerPupil[];
}

/** Something was refused, for the reason in the message, which is a sentence. */
export class ServerProblem extends Error {
  /** `isFinal` if it makes no sense to ask again: the server does not know this tab. */
  constructor(
    sentence: string,
    readonly isFinal: boolean,
  ) {
    super(sentence);
  }
}

/** The longest link of a run, as the server takes it. */
const MAX_LINK = 9_000;
/** A sentence of the server. */
const MAX_SENTENCE = 200;
const UNAUTHORISED = 401;
const SERVER_ERROR = 500;
/** What is said while the server does not answer. */
export const NO_ANSWER = "The server of the class does not answer. The page tries again.";
/** The longest time between two tries. */
const MAX_WAIT_MS = 30_000;

/** The time until the next request after so many failures: twice as long after each. */
export const waitAfter = (failures: number, usual: number): number => Math.min(MAX_WAIT_MS, usual * 2 ** failures);

export class ClassServer {
  /** `token` is that of this tab, or of the teacher; empty before it has joined. */
  constructor(readonly token: string) {}

  /** Joins, and returns the tab's token and its seed. */
  async join(code: string, name: string): Promise<{ token: string; seed: number }> {
    const value = await this.#ask("join", { code, name });
    if (!isObject(value) || typeof value["token"] !== "string" || !isNumber(value["seed"])) throw notUnderstood();
    return { token: value["token"], seed: value["seed"] };
  }

  /** Says that this tab is still there. */
  here = async (): Promise<Standing> => readStanding(await this.#ask("here", {}));
  progress = async (progress: Progress): Promise<Standing> => readStanding(await this.#ask("progress", progress));
  answer = async (answer: Answer): Promise<void> => {
    await this.#ask("answer", answer);
  };
  /**
   * Hands in the answers of the lesson with this link, and what it has measured, which replace what was handed in
   * before. Refused if the class does something else by now.
   */
  handInLesson = async (link: string, answers: Answer[], measured: Measured): Promise<Standing> =>
    readStanding(await this.#ask("lesson", { link, answers, measured }));
  handIn = async (code: string): Promise<void> => {
    await this.#ask("result", { code });
  };

  /** Leaves; also while the page is being closed. Nothing is said of a failure. */
  leave(): void {
    this.#ask("leave", {}, true).catch(() => {});
  }

  // For the teacher.
  state = async (): Promise<ClassState> => readState(await this.#ask("state", null));
  open = async (task: ServerTask): Promise<void> => {
    await this.#ask("task", task);
  };
  remove = async (seat: number): Promise<void> => {
    await this.#ask("remove", { seat });
  };

  async #ask(name: string, body: object | null, keepalive = false): Promise<unknown> {
    const response = await fetch(new URL(`class/api/${name}`, location.href), {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${this.token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      cache: "no-store",
      keepalive,
    }).catch(() => null);
    if (!response || response.status >= SERVER_ERROR) throw new ServerProblem(NO_ANSWER, false);
    const value: unknown = await response.json().catch(() => null);
    if (response.ok) return value;
    const problem = isObject(value) ? value["problem"] : null;
    const isRefusal = isPlainText(problem, MAX_SENTENCE);
    // Others, such as a proxy, may answer for the server for a while. Only its own word ends the connection.
    throw new ServerProblem(
      isRefusal ? problem : "This address has no class.",
      isRefusal && response.status === UNAUTHORISED,
    );
  }
}

const notUnderstood = () => new ServerProblem("The server of the class has given an answer that is none.", false);

function readStanding(value: unknown): Standing {
  if (!isObject(value)) throw notUnderstood();
  const { task, pupils, units, value: result, told, answers, measured } = value;
  return {
    task: readTask(task),
    pupils: isNumber(pupils) ? pupils : 0,
    units: isNumber(units) ? units : null,
    value: isNumber(result) ? result : null,
    told: told !== false,
    answers: isNumber(answers) ? answers : 0,
    measured: isNumber(measured) ? measured : 0,
  };
}

function readTask(value: unknown): ServerTask | null {
  if (!isObject(value)) return null;
  const { link, question } = value;
  if (typeof link !== "string" || link.length > MAX_LINK) return null;
  return { link, question: isPlainText(question, MAX_QUESTION) ? question : "" };
}

/** Reads the state of a class. What cannot be shown of a pupil's name is replaced. */
export function readState(value: unknown): ClassState {
  if (!isObject(value) || !isPlainText(value["code"], MAX_NAME) || !Array.isArray(value["pupils"]))
    throw notUnderstood();
  const { code, address, task, pupils } = value;
  return {
    code,
    address: typeof address === "string" && /^https?:\/\/[\w.:[\]-]+\/$/.test(address) ? address : "",
    task: readTask(task),
    pupils: (pupils as unknown[]).flatMap((pupil) => readPupil(pupil) ?? []),
  };
}

const STATES = ["here", "silent", "left"] as const;
const BITS = ["fused", "plain", "gpu"] as const;

function readPupil(value: unknown): ServerPupil | null {
  if (!isObject(value)) return null;
  const { seat, seed, name, state, progress, result, answers, lesson, measured, challenge } = value;
  if (!isNumber(seat) || !isNumber(seed)) return null;
  return {
    seat,
    seed,
    name: shownText(name, MAX_NAME),
    state: STATES.find((each) => each === state) ?? "silent",
    progress: readProgress(progress),
    result: typeof result === "string" ? result : null,
    answers: [...readAnswers(answers), ...readAnswers(lesson)],
    measured: readMeasured(measured),
    challenge: isNumber(challenge) ? challenge : null,
  };
}

function readAnswers(value: unknown): Answer[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).slice(0, MAX_ANSWERS).flatMap((each) => {
    if (!isObject(each)) return [];
    const { question, text } = each;
    return isPlainText(question, MAX_QUESTION) && isPlainText(text, MAX_ANSWER) ? [{ question, text }] : [];
  });
}

function readProgress(value: unknown): Progress | null {
  if (!isObject(value) || !isObject(value["curve"])) return null;
  const { recipe, seed, metric, target, units, bits: bitsText } = value;
  const { units: at, values } = value["curve"];
  const bits = BITS.find((each) => each === bitsText);
  const isCurve = [at, values].every(
    (list) => Array.isArray(list) && list.length <= MAX_POINTS && list.every(isNumber),
  );
  if (
    typeof recipe !== "string" ||
    !isNumber(seed) ||
    typeof metric !== "string" ||
    !isNumber(units) ||
    !bits ||
    !isCurve
  )
    return null;
  const curve = { units: at as number[], values: values as number[] };
  if (curve.units.length !== curve.values.length) return null;
  return { recipe, seed, metric, target: isNumber(target) ? target : null, units, bits, curve, challenge: null };
}
