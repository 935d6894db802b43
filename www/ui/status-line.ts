// The line below the picture: speed, threads and vector instructions, why threads are off if they are, and the last
// save.

import { el, write } from "../core/dom";
import { formatCompact } from "../core/format";
import type { Run } from "../core/run";
import type { LabInfo } from "../generated/protocol";

export class StatusLine {
  readonly element: HTMLElement;
  /** Work per second, in the lab's unit of effort, such as environment steps. */
  #work = el("b", { class: "num" });
  /** Units (training iterations) per second. */
  #units = el("b", { class: "num" });
  #saved = el("span", { class: "status-saved" });

  constructor(
    { about }: LabInfo,
    readonly run: Run,
  ) {
    const { ready, choice } = run;
    const threaded = choice.name !== "simple";
    const fact = (help: string, ...content: (Node | string)[]) => el("span", { title: help }, ...content);
    this.element = el(
      "p",
      { class: "status-line" },
      fact("Recent speed", this.#work, ` ${about.work}/s`),
      fact("Recent speed", this.#units, ` ${about.unit}s/s`),
      fact(
        choice.reason,
        el("b", {
          class: threaded ? "" : "off",
          text: threaded ? `${choice.threads} thread${choice.threads === 1 ? "" : "s"}` : "1 thread",
        }),
      ),
      fact("Vector instructions this build uses", ready?.build.simd ?? ""),
      fact("Computed on", "CPU"),
      threaded ? "" : el("span", { class: "reason", text: choice.reason }),
      this.#saved,
    );
    run.on("progress", ({ workPerSecond, unitsPerSecond, running }) => {
      // The rate is unknown just after a start or a change of speed.
      const rate = (value: number) => (!running ? "0" : value > 0 ? formatCompact(value) : "–");
      write(this.#work, rate(workPerSecond));
      write(this.#units, rate(unitsPerSecond));
    });
    write(this.#work, "0");
    write(this.#units, "0");
  }

  showSaved(text: string): void {
    write(this.#saved, text);
  }
}
