// The part of the tool “Compare” in which two agents meet. The first is that of the open run or of a link, the second
// that of a link; the run of a link is repeated from its start. The lab says what the agents do (`labs/<lab>/duel.ts`).
//
// What is known of an agent has a name for each stage: the request that a field holds; the entrant (which agents it can
// meet), before its run is repeated; the duelist, a checkpoint that can play; the side, the words about it.

import { download } from "../../core/checkpoint";
import type { Draft } from "../../core/draft";
import { button, el, listen, write } from "../../core/dom";
import { prepared, type DuelPlan, type Exhibition, type LabDuel, type Pair } from "../../core/duel/duel";
import type { Entrant } from "../../core/duel/duelist";
import { duelLink, linkOf, linksOf, MAX_LINK, readAgentLink } from "../../core/duel/duel-link";
import type { AgentRequest, RunRequest } from "../../core/link";
import type { Paired } from "../../core/duel/paired";
import { duelistOf, entrantOf, openRunOf, repeated } from "../../core/duel/restore";
import { formatInteger, formatShare, sentenceEnd } from "../../core/format";
import { isCommand } from "../../core/packed";
import { Superseded } from "../../core/requests";
import type { Hold } from "../compare/hold";
import { copyButton } from "../copy";
import { headsOf, intervalWords, originWords, remark, replayWords, resultText, rowsOf, TITLES, verdict } from "./words";
import type { Side } from "./words";
import "./duel.css";

/** An agent that is ready, and the request that repeats it; null if nobody can. */
interface Contestant {
  duelist: Pair[number];
  side: Side;
  request: AgentRequest | null;
}

/** Why a duel cannot begin, as a sentence beside a field or below both. */
class NoDuel extends Error {
  constructor(
    message: string,
    readonly field: 0 | 1 | null = null,
  ) {
    super(message);
  }
}

export class DuelPart {
  readonly element: HTMLElement;
  #fields: [HTMLInputElement, HTMLInputElement];
  #problems = [0, 1].map((i) => el("p", { class: "compare-problem", role: "alert", id: `duel-problem-${i}` }));
  #button = el("button", { type: "submit", class: "button primary", text: "Start the duel" });
  #message = el("p", { class: "compare-result", role: "status" });
  #results = el("div", { class: "compare-results", hidden: true });
  /** Ends the duel that goes on; null if none does. */
  #going: AbortController | null = null;
  #stopListening: () => void;

  constructor(
    readonly draft: Draft,
    readonly hold: Hold,
    readonly loadDuel: () => Promise<LabDuel>,
    /** The link of a duel, whose agents are written into the fields; null for none. */
    linked: RunRequest | null,
  ) {
    const field = (i: 0 | 1, placeholder: string) =>
      el("input", {
        type: "text",
        id: `duel-link-${i}`,
        placeholder,
        autocomplete: "off",
        spellcheck: "false",
        "aria-describedby": `duel-problem-${i}`,
      });
    this.#fields = [field(0, "The open run, as it is now"), field(1, "Paste a link to another agent")];
    const labels = ["First agent", "Second agent"];
    const rows = this.#fields.flatMap((input, i) => [
      el("label", { for: input.id, text: labels[i] }),
      el("div", {}, input, this.#problems[i]),
    ]);
    const form = el(
      "form",
      { class: "duel-form" },
      el("div", { class: "duel-fields" }, ...rows),
      el("p", { class: "row compare-actions" }, this.#button),
    );
    listen(form, {
      submit: (event) => {
        event.preventDefault();
        this.#press();
      },
    });
    this.element = el(
      "section",
      { class: "compare-part", "aria-labelledby": "duel-title" },
      el("h2", { id: "duel-title", text: "A duel of two agents" }),
      el("p", {
        class: "quiet",
        text: "Your agent against a friend's: both do the same tasks or play against each other, and you see who is better, and whether that could be luck. Your friend makes a link with “Link to this moment” in “Share and save”. This browser then replays that run from its start, which takes about as long as training it in this browser.",
      }),
      form,
      this.#message,
      this.#results,
    );
    this.#stopListening = hold.on("changed", () => this.#drawButton());
    if (linked) void this.#prepare(linked);
  }

  destroy(): void {
    this.#stopListening();
    this.#going?.abort();
    this.hold.set(this, false);
  }

  /** Writes the links of a duel into the fields. */
  async #prepare(linked: RunRequest): Promise<void> {
    const links = await linksOf(linked);
    this.#fields.forEach((field, i) => (field.value = links[i] ?? ""));
  }

  #press(): void {
    if (this.#going) this.#going.abort();
    else void this.#duel();
  }

  #drawButton(): void {
    const otherPartTrains = this.hold.holder !== null && this.hold.holder !== this;
    write(this.#button, this.#going ? "Stop" : this.#results.hidden ? "Start the duel" : "Duel again");
    this.#button.disabled = otherPartTrains;
    this.#button.title = otherPartTrains ? "Another part of this tool is computing" : "";
  }

  /** Prepares both agents, lets them play, and shows who has won. */
  async #duel(): Promise<void> {
    const going = (this.#going = new AbortController());
    this.#results.hidden = true;
    for (const i of [0, 1] as const) this.#showProblem(i, "");
    for (const field of this.#fields) field.disabled = true;
    this.#say("Reading the links …");
    this.hold.set(this, true);
    this.#drawButton();
    try {
      // The fields are enabled before a problem is shown, which focuses one of them.
      await this.#playWith(going.signal).finally(() => this.#end());
    } catch (error) {
      this.#say("");
      const { message } = error as Error;
      if (going.signal.aborted || error instanceof Superseded) this.#say("The duel was stopped.");
      else if (error instanceof NoDuel && error.field !== null) this.#showProblem(error.field, message);
      else this.#say(error instanceof NoDuel ? message : `The duel has failed: ${sentenceEnd(message)}`);
    }
  }

  #end(): void {
    this.#going = null;
    for (const field of this.#fields) field.disabled = false;
    this.hold.set(this, false);
    this.#drawButton();
  }

  async #playWith(signal: AbortSignal): Promise<void> {
    const requests = await this.#readFields();
    const duel = await this.loadDuel();
    const entrants: [Entrant, Entrant] = [this.#entrant(requests[0]), this.#entrant(requests[1])];
    const ready = await prepared(duel, entrants, (i) => this.#contestant(i, requests[i], signal));
    if ("problem" in ready) throw new NoDuel(ready.problem);
    const { agents, plan } = ready;
    const pair: Pair = [agents[0].duelist, agents[1].duelist];
    this.#say("The agents play …");
    const result = await plan.play(pair, (share) => this.#say(`The agents play: ${formatShare(share)} …`), signal);
    const exhibition = plan.exhibition && (await this.#exhibitionOf(plan.exhibition, pair, signal));
    await this.#show(agents, plan, result, exhibition);
  }

  /** The exhibition match, or why there is none, in a sentence: the duel has a result without it. */
  async #exhibitionOf(
    play: NonNullable<DuelPlan["exhibition"]>,
    pair: Pair,
    signal: AbortSignal,
  ): Promise<Exhibition | string> {
    this.#say("The agents play a match …");
    try {
      return await play(pair, signal);
    } catch (error) {
      if (signal.aborted || error instanceof Superseded) return "The match was stopped.";
      return `The match could not be played: ${sentenceEnd((error as Error).message)}`;
    }
  }

  /** The requests in both fields; null for the open run. */
  async #readFields(): Promise<[AgentRequest | null, AgentRequest | null]> {
    const { lab } = this.draft;
    const read = async (i: 0 | 1): Promise<AgentRequest | null> => {
      const text = this.#fields[i].value.trim();
      if (text === "" && i === 0) return null;
      if (text === "") throw new NoDuel("Paste the link to another agent here.", i);
      const answer = await readAgentLink(text, lab);
      if ("problem" in answer) throw new NoDuel(answer.problem, i);
      return answer.request;
    };
    return [await read(0), await read(1)];
  }

  /** What decides whom the agent of a request can meet; that of the open run for null. */
  #entrant(request: AgentRequest | null): Entrant {
    const { run, lab } = this.draft;
    const entrant = entrantOf(request ?? { lab, ...run.origin() });
    if (entrant.data !== null && !isCommand(entrant.data)) throw new NoDuel(LONG_DATA);
    return entrant;
  }

  async #contestant(i: 0 | 1, request: AgentRequest | null, signal: AbortSignal): Promise<Contestant> {
    const { run, lab } = this.draft;
    const { unit } = lab.about;
    const title = TITLES[i];
    if (request === null) {
      const { duelist, request: own } = await duelistOf(run);
      return {
        duelist,
        request: own,
        side: { title, origin: originWords(unit, duelist.units, run.seed, true), restored: null },
      };
    }
    const { units, seed } = request;
    const origin = originWords(unit, units, seed, false);
    const open = await openRunOf(run, request);
    if (open) return { duelist: open.duelist, request, side: { title, origin, restored: open.restored } };
    const progress = (done: number) => this.#say(replayWords(title, unit, done, units));
    progress(0);
    const { duelist, restored } = await repeated(request, run.cpuBundle, progress, signal);
    return { duelist, request, side: { title, origin, restored } };
  }

  async #show(
    contestants: [Contestant, Contestant],
    plan: DuelPlan,
    result: Paired,
    exhibition: Exhibition | string | undefined,
  ): Promise<void> {
    const sides = contestants.map(({ side }) => side);
    const cells = (tag: "th" | "td", texts: string[]) =>
      el(
        "tr",
        {},
        ...texts.map((text, i) =>
          tag === "th"
            ? el("th", { scope: "col", class: i > 0 ? "num" : undefined, text })
            : i === 0
              ? el("th", { scope: "row", text })
              : el("td", { class: "num", text }),
        ),
      );
    const table = el(
      "table",
      { class: "duel-table" },
      el("thead", {}, cells("th", headsOf(plan))),
      el("tbody", {}, ...rowsOf(sides, result, plan).map((row) => cells("td", row))),
    );
    const link = await this.#linkOf(contestants);
    const remarks = sides.map(remark).filter((text) => text !== null);
    const interval = intervalWords(result, plan);
    const exhibitionText = typeof exhibition === "string" ? exhibition : (exhibition?.text ?? "");
    const file = typeof exhibition === "object" ? exhibition.file : null;
    this.#say(verdict(result, plan));
    this.#results.replaceChildren(
      el("div", { class: "compare-table", tabindex: "0", role: "region", "aria-label": "Results of the duel" }, table),
      ...[...remarks, interval, plan.rule, exhibitionText]
        .filter((text) => text !== "")
        .map((text) => el("p", { class: "quiet small duel-words", text })),
      el(
        "p",
        { class: "row compare-actions" },
        copyButton("Copy the result", () => resultText(sides, result, plan, "link" in link ? link.link : null)),
        "link" in link && copyButton("Copy a link to this duel", () => link.link),
        file && button(file.label, () => download(file.name, file.bytes)),
      ),
      ...("problem" in link ? [el("p", { class: "quiet small duel-words", text: link.problem })] : []),
    );
    this.#results.hidden = false;
  }

  /** The link to the duel, or why there is none, as a sentence. */
  async #linkOf(contestants: Contestant[]): Promise<{ link: string } | { problem: string }> {
    const links: string[] = [];
    for (const { request, side } of contestants) {
      if (!request)
        return {
          problem: `No link leads to this duel: ${side.title.replace("The", "the")} went on from a network that was trained before, so nobody can repeat its run.`,
        };
      const link = await linkOf(request);
      if (link === null) return { problem: TOO_LONG };
      links.push(link);
    }
    const [first = "", second = ""] = links;
    const link = duelLink(location.origin + location.pathname, first, second);
    return link === null ? { problem: TOO_LONG } : { link };
  }

  #say(text: string): void {
    write(this.#message, text);
  }

  #showProblem(i: 0 | 1, text: string): void {
    write(this.#problems[i] as HTMLElement, text);
    this.#fields[i].setAttribute("aria-invalid", String(text !== ""));
    if (text !== "") this.#fields[i].focus();
  }
}

/** Of longer data a run records only a digest (`MAX_COMMAND_BYTES` in crates/lab/src/checkpoint.rs). */
const MAX_DATA_BYTES = 16_384;
const LONG_DATA = `The open run learns from a text or drawing of your own of more than ${formatInteger(MAX_DATA_BYTES)} bytes, which a duel cannot take over.`;
const TOO_LONG = `Both links together are longer than ${formatInteger(MAX_LINK)} characters, so there is no link to this duel. Send the result as a text, and both links one by one.`;
