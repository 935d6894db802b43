// The line below the picture: threads, why there is only one if so, the device, and the last save.

import type { Device } from "../core/bundle";
import { el, write } from "../core/dom";
import type { Run } from "../core/run";
import type { StopAtGoal } from "../core/stop-at-goal";
import type { LabInfo } from "../generated/protocol";
import { DeviceSwitch } from "./device-switch";
import { explained } from "./term";

export class StatusLine {
  readonly element: HTMLElement;
  #threads = el("b", {});
  /** Why there is one thread only. */
  #reason = el("span", { class: "reason" });
  #saved = el("span", { class: "status-saved" });

  /** `useDevice` moves the run, and resolves when that is done or has failed. */
  constructor(
    { usesGpu, whyNoGpu }: LabInfo,
    readonly run: Run,
    stopAtGoal: StopAtGoal,
    useDevice: (device: Device) => Promise<void>,
  ) {
    this.element = el(
      "p",
      { class: "status-line" },
      this.#threads,
      usesGpu ? new DeviceSwitch(run, stopAtGoal, useDevice).element : cpuAlone(whyNoGpu),
      this.#reason,
      this.#saved,
    );
    run.on("ready", () => this.#drawBundle());
    run.on("opened", () => this.#drawBundle());
    this.#drawBundle();
  }

  /** Describes the bundle in use. */
  #drawBundle(): void {
    const { ready, bundle } = this.run;
    const { name, threads, reason } = bundle;
    write(this.#threads, threads === 1 ? "1 thread" : `${threads} threads`);
    // The vector instructions of the bundle say nothing of what a GPU computes.
    const isTold = ready && this.run.device !== "gpu";
    const simd = `Vector instructions (SIMD: ${ready?.build.simd ?? ""}) compute four numbers at once in each thread.`;
    this.#threads.title = [reason, isTold ? simd : ""].filter(Boolean).join(" ");
    this.#threads.classList.toggle("off", name === "simple");
    write(this.#reason, name === "simple" ? reason : "");
  }

  showSaved(text: string): void {
    write(this.#saved, text);
  }
}

/** What stands in the place of the switch where only the CPU computes, with the reason if there is one. */
function cpuAlone(whyNoGpu: string | null): HTMLElement {
  return whyNoGpu
    ? explained("CPU, no GPU", { title: "Why no GPU", sentence: whyNoGpu })
    : el("span", { title: "Device that computes", text: "CPU" });
}
