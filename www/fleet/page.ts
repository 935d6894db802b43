// The page of a fleet: the form that joins, and then what this tab does, in a sentence and in numbers, with buttons to
// pause and to leave.

import type { BundleChoice } from "../core/bundle";
import { button, el, write } from "../core/dom";
import { FleetStatistics } from "./statistics";
import { JoinForm } from "./join-form";
import type { FleetLink } from "./link";
import type { FromFleetWorker } from "./messages";
import { FleetTab } from "./tab";
import { tabToken } from "./token";
import { describe, otherBits, type Situation } from "./words";

/** The page is refreshed at this interval, because the sentence about a silent host changes with time alone. */
const TICK_MS = 1_000;

export class FleetPage {
  readonly element: HTMLElement;
  #form = new JoinForm((link, name) => void this.#join(link, name));
  #farewell = el("p", { class: "fleet-farewell", role: "status", hidden: true });
  #sentence = el("p", { class: "fleet-sentence", role: "status" });
  #bundle = el("p", { class: "fleet-bundle quiet" });
  #pause = button("Pause", () => this.#togglePause(), { class: "primary" });
  #leave = button("Leave the fleet", () => (this.#isOver ? this.#left() : this.#tab?.leave()));
  #panel = el(
    "section",
    { class: "fleet-panel", "aria-label": "This tab in the fleet", hidden: true },
    this.#sentence,
    el("div", { class: "row" }, this.#pause, this.#leave),
    this.#bundle,
  );
  #statistics = new FleetStatistics();
  #tab: FleetTab | undefined;
  /** Whether the button has been pressed and the tab's secret is being looked up. */
  #isJoining = false;
  #situation: Situation = nothing("");
  /** Whether this tab cannot go on, so that there is nothing to leave. */
  #isOver = false;
  /** When the host was heard last, in milliseconds. */
  #heardAt: number | undefined;
  #choice: BundleChoice | undefined;
  #ticker: ReturnType<typeof setInterval> | undefined;

  /** `choose` chooses the bundle for a fleet of a class of bits. */
  constructor(readonly choose: (plain: boolean) => BundleChoice) {
    this.element = el(
      "article",
      { class: "fleet" },
      el("h1", { text: "Join a fleet" }),
      el("p", {
        class: "fleet-lead",
        text: "A fleet trains an agent, or many agents of a sweep, on many machines. While this tab is open, it computes part of that: games with the current weights of one agent, or whole runs of a sweep. It sends the results to the fleet’s host, which computes a sample of the games again to find false ones.",
      }),
      this.#farewell,
      this.#form.element,
      this.#panel,
      el("p", {
        class: "quiet fleet-note",
        text: "After you press “Join the fleet”, this page connects to the server in the link, and to nothing else but its own site. It sends what this tab has computed, the name that you give it, and a random token that your browser keeps, by which the host knows the tab again. It computes on up to 16 threads until you pause, leave or close the tab.",
      }),
    );
    // A page that the browser keeps for a while comes back without its worker.
    addEventListener("pagehide", () => this.#tab?.leaveNow());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#tab && this.#left());
    Object.assign(globalThis, { learneryFleet: this }); // for tests and for the browser's console
  }

  /** What the tab is doing, for tests and for the browser's console. */
  get situation(): Situation {
    return this.#situation;
  }

  async #join(link: FleetLink, name: string): Promise<void> {
    if (this.#tab || this.#isJoining) return;
    this.#isJoining = true;
    const token = await tabToken(link.fleet).finally(() => (this.#isJoining = false));
    this.#situation = nothing(new URL(link.server).host);
    this.#choice = this.#heardAt = undefined;
    try {
      this.#tab = new FleetTab(link, name, token, (message) => this.#receive(message));
    } catch (error) {
      this.#situation.failure = `This browser does not let the page start a worker: ${String(error)}`;
    }
    this.#statistics.element.remove();
    this.#statistics = new FleetStatistics();
    this.#panel.after(this.#statistics.element);
    this.#farewell.hidden = this.#form.element.hidden = true;
    this.#panel.hidden = false;
    this.#leave.focus();
    this.#ticker = setInterval(() => this.#draw(), TICK_MS);
    this.#draw();
  }

  #receive(message: FromFleetWorker): void {
    const situation = this.#situation;
    switch (message.type) {
      case "connection": {
        const before =
          situation.connection.state === "open" || ("before" in situation.connection && situation.connection.before);
        situation.connection = message.state === "lost" ? { ...message, before } : message;
        break;
      }
      case "status":
        this.#heardAt = performance.now();
        this.#statistics.showStatus(message.status);
        if (!this.#choice)
          this.#load((this.#choice = this.choose(message.status.bits === "plain")), message.status.bits);
        break;
      case "loading":
        situation.loaded = Math.min(1, message.loaded / message.total);
        break;
      case "actorsReady":
        write(this.#bundle, `Learnery ${message.build.version}, ${this.#choice?.bits} bits. ${this.#choice?.reason}`);
        break;
      case "progress":
        situation.progress = message.progress;
        this.#statistics.showProgress(message.progress, performance.now() / 1000);
        break;
      case "failed":
        situation.failure = `This tab cannot compute any more (${message.message}). Reload the page to join again`;
        break;
      case "left":
        return this.#left();
    }
    this.#draw();
  }

  /** Loads the bundle that computes, if it has the fleet's class of bits. */
  #load(choice: BundleChoice, bits: string): void {
    const situation = this.#situation;
    if (choice.bits === bits) return this.#tab?.load(choice, (sentence) => (situation.building = sentence));
    situation.failure = otherBits(bits, choice);
    this.#tab?.close();
  }

  #togglePause(): void {
    const { progress } = this.#situation;
    if (progress) this.#tab?.pause(!progress.paused);
  }

  /** Goes back to the form. What this tab has contributed stays in sight. */
  #left(): void {
    this.#tab?.close();
    this.#tab = undefined;
    clearInterval(this.#ticker);
    write(this.#farewell, "You have left the fleet.");
    this.#farewell.hidden = this.#isOver;
    this.#form.element.hidden = false;
    this.#panel.hidden = true;
  }

  #draw(): void {
    const situation = this.#situation;
    situation.silence = this.#heardAt === undefined ? undefined : (performance.now() - this.#heardAt) / 1000;
    const { text, tone } = describe(situation);
    write(this.#sentence, text);
    this.#panel.dataset["tone"] = tone;
    const { progress } = situation;
    this.#isOver = tone === "wrong" || (progress?.actors.complete ?? 0) > 0;
    this.#pause.disabled = !progress || this.#isOver;
    write(this.#pause, progress?.paused ? "Resume" : "Pause");
    write(this.#leave, this.#isOver ? "Back" : "Leave the fleet");
  }
}

const nothing = (server: string): Situation => ({
  server,
  connection: { state: "connecting" },
  building: undefined,
  loaded: undefined,
  progress: undefined,
  silence: undefined,
  failure: undefined,
});
