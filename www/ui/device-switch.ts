// The switch in the status line for what a run computes on: the processor (CPU) or the graphics processor (GPU), with
// the name of the GPU and its measured peak.

import type { Device } from "../core/bundle";
import { el, write } from "../core/dom";
import { formatNumber } from "../core/format";
import type { Run } from "../core/run";
import { Choices } from "./choices";

const TITLES: Record<Device, string> = {
  cpu: "Train on the processor (CPU), with all its threads",
  gpu: "Train on the graphics processor (GPU), through WebGPU. Large networks train faster on it, small ones on the CPU",
};

export class DeviceSwitch {
  readonly element: HTMLElement;
  #choices: Choices<Device>;
  /** What the GPU is, or what is going on. */
  #about = el("span", { class: "device-about" });
  #run: Run;

  /** `useDevice` moves the run, and resolves when that is done or has failed. */
  constructor(run: Run, useDevice: (device: Device) => Promise<void>) {
    this.#run = run;
    this.#choices = new Choices<Device>({
      class: "device-switch",
      buttonClass: "device",
      label: "Device",
      choices: [
        { value: "cpu", content: ["CPU"], title: TITLES.cpu },
        { value: "gpu", content: ["GPU"], title: TITLES.gpu },
      ],
      choose: (device) => {
        this.#choices.show(device);
        this.#say(`moving to the ${device.toUpperCase()} …`);
        void useDevice(device).finally(() => this.#draw());
      },
    });
    this.element = el("span", { class: "devices" }, this.#choices.element, this.#about);
    run.on("opened", () => this.#draw());
    run.on("device", () => this.#draw());
    this.#draw();
  }

  #draw(): void {
    const { device, gpu } = this.#run;
    this.#choices.show(device);
    if (device === "cpu") return this.#say("");
    if (!gpu) return this.#say("opening the GPU …");
    const tera = gpu.operationsPerSecond / 1e12;
    const peak = tera >= 1 ? `${formatNumber(tera, 2)} TFLOP/s` : `${formatNumber(1000 * tera, 2)} GFLOP/s`;
    const software = gpu.software ? ", emulated in software, slower than the CPU" : "";
    this.#say(`${gpu.name}${software}, peak ${peak}`);
    this.#about.title =
      "The name of the GPU and its measured peak speed in floating-point operations (FLOP) per second";
  }

  #say(text: string): void {
    write(this.#about, text);
    this.#about.title = "";
  }
}
