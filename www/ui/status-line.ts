// The line below the picture: speed, threads and vector instructions, why threads are off if they are, and the last
// save.

import type { Device } from "../core/bundle";
import { el, write } from "../core/dom";
import { formatCompact } from "../core/format";
import type { Run } from "../core/run";
import type { LabInfo } from "../generated/protocol";
import { DeviceSwitch } from "./device-switch";

export class StatusLine {
  readonly element: HTMLElement;
  /** Work per second, in the lab's unit of effort, such as environment steps. */
  #work = el("b", { class: "num" });
  /** Units (training iterations) per second. */
  #units = el("b", { class: "num" });
  #threads = el("b", {});
  /** Why there is one thread only. */
  #reason = el("span", { class: "reason" });
  #simd = el("span", { title: "SIMD: vector instructions that this build uses" });
  #saved = el("span", { class: "status-saved" });

  /** `useDevice` moves the run, and resolves when that is done or has failed. */
  constructor(
    { about, usesGpu }: LabInfo,
    readonly run: Run,
    useDevice: (device: Device) => Promise<void>,
  ) {
    const fact = (help: string, ...content: (Node | string)[]) => el("span", { title: help }, ...content);
    this.element = el(
      "p",
      { class: "status-line" },
      fact("Measured speed of training", this.#work, ` ${about.work}/s`),
      fact("Measured speed of training", this.#units, ` ${about.unit}s/s`),
      this.#threads,
      this.#simd,
      usesGpu ? new DeviceSwitch(run, useDevice).element : fact("Device that computes", "CPU"),
      this.#reason,
      this.#saved,
    );
    run.on("ready", () => this.#drawBundle());
    run.on("opened", () => this.#drawBundle());
    this.#drawBundle();
    run.on("progress", ({ workPerSecond, unitsPerSecond, running }) => {
      // The rate is unknown just after a start or a change of speed.
      const rate = (value: number) => (!running ? "0" : value > 0 ? formatCompact(value) : "–");
      write(this.#work, rate(workPerSecond));
      write(this.#units, rate(unitsPerSecond));
    });
    write(this.#work, "0");
    write(this.#units, "0");
  }

  /** Describes the bundle in use. */
  #drawBundle(): void {
    const { ready, bundle } = this.run;
    const { name, threads, reason } = bundle;
    write(this.#threads, threads === 1 ? "1 thread" : `${threads} threads`);
    this.#threads.title = reason;
    this.#threads.classList.toggle("off", name === "simple");
    write(this.#simd, ready?.build.simd ?? "");
    write(this.#reason, name === "simple" ? reason : "");
  }

  showSaved(text: string): void {
    write(this.#saved, text);
  }
}
