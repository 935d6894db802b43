// The switch in the status line for what a run computes on: the processor (CPU) or the graphics processor (GPU), with
// the name of the GPU and its measured peak. A button beside it measures which of the two trains this run faster.

import { whyNoGpu, type Device } from "../core/bundle";
import type { DeviceTrial, TrialResult } from "../core/device-trial";
import { el, write } from "../core/dom";
import { formatNumber } from "../core/format";
import { Superseded } from "../core/requests";
import type { Run } from "../core/run";
import type { StopAtGoal } from "../core/stop-at-goal";
import { Choices } from "./choices";

const TITLES: Record<Device, string> = {
  cpu: "Train on the processor (CPU), with all its threads",
  gpu: "Train on the graphics processor (GPU), through WebGPU. Large networks train faster on it, small ones on the CPU",
};
const TRIAL_TITLE =
  "Trains a copy of this run for five seconds on the CPU and for five on the GPU, and compares. The run itself waits";

export class DeviceSwitch {
  readonly element: HTMLElement;
  #choices: Choices<Device>;
  /** What the GPU is, or what is going on. */
  #about = el("span", { class: "device-about" });
  #trial: DeviceTrial | null = null;
  #trialButton = el("button", {
    type: "button",
    class: "device-trial",
    title: TRIAL_TITLE,
    text: "Measure both",
    on: { click: () => void this.#toggleTrial() },
  });
  /** What the last trial of this run found, or why it failed. */
  #trialText = el("span", { class: "device-trial-result", role: "status" });
  /** Moves the run to the device that the last trial found to be faster. */
  #moveButton = el("button", {
    type: "button",
    class: "device-move",
    hidden: true,
    on: { click: () => this.#faster && this.#move(this.#faster) },
  });
  /** The device that the last trial of this run found to be faster; null without one, or if they are even. */
  #faster: Device | null = null;
  #isMoving = false;
  #run: Run;

  /** `useDevice` moves the run, and resolves when that is done or has failed. */
  constructor(
    run: Run,
    readonly stopAtGoal: StopAtGoal,
    readonly useDevice: (device: Device) => Promise<void>,
  ) {
    this.#run = run;
    this.#choices = new Choices<Device>({
      class: "device-switch",
      buttonClass: "device",
      label: "Device",
      choices: [
        { value: "cpu", content: ["CPU"], title: TITLES.cpu },
        { value: "gpu", content: ["GPU"], title: TITLES.gpu },
      ],
      choose: (device) => this.#move(device),
    });
    this.element = el(
      "span",
      { class: "devices" },
      this.#choices.element,
      this.#about,
      whyNoGpu() ? null : this.#trialButton,
      this.#trialText,
      this.#moveButton,
    );
    run.on("opened", () => {
      this.#trial?.cancel();
      // What was measured is of another run, unless this one has just been moved.
      if (!this.#isMoving) this.#tell("", null);
      this.#draw();
    });
    run.on("device", () => this.#draw());
    this.#draw();
  }

  #move(device: Device): void {
    this.#trial?.cancel();
    this.#choices.show(device);
    this.#isMoving = true;
    this.#drawOffer();
    this.#say(`moving to the ${device.toUpperCase()} …`);
    void this.useDevice(device).finally(() => {
      this.#isMoving = false;
      this.#draw();
    });
  }

  #draw(): void {
    const { device, gpu } = this.#run;
    this.#choices.show(device);
    this.#drawOffer();
    if (device === "cpu") return this.#say("");
    if (!gpu) return this.#say("opening the GPU …");
    const softwareNote = gpu.software ? ", emulated in software, slower than the CPU" : "";
    this.#say(`${gpu.name}${softwareNote}${peakWords(gpu.operationsPerSecond)}`);
    this.#about.title =
      "The name of the GPU and its measured peak speed in floating-point operations (FLOP) per second";
  }

  /** Starts a trial, or ends the one that is under way. */
  async #toggleTrial(): Promise<void> {
    if (this.#trial) return this.#trial.cancel();
    this.#trialButton.disabled = true; // until the trial can be canceled
    this.#tell("", null);
    try {
      const { DeviceTrial } = await import("../core/device-trial");
      const sayPhase = (device: Device) => write(this.#trialText, `measuring the ${device.toUpperCase()} …`);
      this.#trial = new DeviceTrial(this.#run, this.stopAtGoal, sayPhase);
      write(this.#trialButton, "Stop measuring");
      this.#trialButton.disabled = false;
      const result = await this.#trial.measure();
      this.#tell(trialWords(result), isEven(result.ratio) ? null : result.ratio > 1 ? "gpu" : "cpu");
    } catch (error) {
      const isCanceled = error instanceof Superseded;
      this.#tell(isCanceled ? "" : `not measured: ${(error as Error).message}`, null);
    } finally {
      this.#trial = null;
      write(this.#trialButton, "Measure both");
      this.#trialButton.disabled = false;
    }
  }

  /** Says what a trial has found. `faster` is the device to which the run can be moved. */
  #tell(text: string, faster: Device | null): void {
    write(this.#trialText, text);
    this.#faster = faster;
    this.#drawOffer();
  }

  #drawOffer(): void {
    const faster = this.#faster;
    this.#moveButton.hidden = faster === null || faster === this.#run.device || this.#isMoving;
    if (faster === null) return;
    write(this.#moveButton, `Train on the ${faster.toUpperCase()}`);
    this.#moveButton.title = TITLES[faster];
  }

  #say(text: string): void {
    write(this.#about, text);
    this.#about.title = "";
  }
}

/** The measured peak of a GPU, after its name; empty if nothing was measured. */
export function peakWords(operationsPerSecond: number): string {
  const gigaflops = operationsPerSecond / 1e9;
  if (!(gigaflops > 0)) return "";
  const [peak, unit] = gigaflops >= 1000 ? [gigaflops / 1000, "TFLOP/s"] : [gigaflops, "GFLOP/s"];
  return `, peak ${formatNumber(peak, 2)} ${unit}`;
}

/** Up to this factor no device is called the faster one: so small a difference is not worth a move. */
const EVEN_FACTOR = 1.1;

/** Whether both devices are about equally fast. */
function isEven(ratio: number): boolean {
  return ratio < EVEN_FACTOR && ratio > 1 / EVEN_FACTOR;
}

/** What a trial found, for example "the GPU trains this run 2.3 times as fast as the CPU". */
export function trialWords({ ratio, software }: TrialResult): string {
  if (isEven(ratio)) return "measured here: CPU and GPU train this run about equally fast";
  const [faster, slower, factor] = ratio >= 1 ? ["GPU", "CPU", ratio] : ["CPU", "GPU", 1 / ratio];
  const emulated = software ? " (emulated in software)" : "";
  return `measured here: the ${faster} trains this run ${formatNumber(factor, 2)} times as fast as the ${slower}${emulated}`;
}
