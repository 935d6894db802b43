// The settings as the visitor has set them. Live settings go to the run at once, the others wait for a restart.

import type { Field, JsonValue, LabInfo } from "../generated/protocol";
import { Emitter } from "./events";
import type { Settings } from "./link";
import type { Run } from "./run";

interface DraftEvents {
  /** A setting has changed, here or in the run. */
  changed: null;
}

export class Draft extends Emitter<DraftEvents> {
  settings: Settings = {};
  seed = 0;
  #unsent: Settings = {};

  constructor(
    readonly lab: LabInfo,
    readonly run: Run,
  ) {
    super();
    this.resetToRun();
    run.on("configured", () => this.emit("changed", null));
    run.on("opened", () => this.resetToRun());
  }

  /** Takes over the settings of the run. */
  resetToRun(): void {
    this.settings = { ...defaults(this.lab), ...this.run.settings };
    this.seed = this.run.seed;
    this.#unsent = {};
    this.emit("changed", null);
  }

  set(field: Field, value: JsonValue): void {
    this.settings[field.name] = value;
    if (field.live) this.#send({ [field.name]: value });
    this.emit("changed", null);
  }

  setSeed(seed: number): void {
    this.seed = seed;
    this.emit("changed", null);
  }

  /** The defaults with these settings over them. */
  usePreset(settings: Settings): void {
    this.settings = { ...defaults(this.lab), ...settings };
    const live = this.lab.fields.filter((f) => f.live && this.settings[f.name] !== this.run.settings[f.name]);
    this.#send(Object.fromEntries(live.map((f) => [f.name, this.settings[f.name] as JsonValue])));
    this.emit("changed", null);
  }

  /** The settings that differ from the run's and need a restart. */
  changesNeedingRestart(): string[] {
    const waits = this.lab.fields.filter((f) => !f.live && this.settings[f.name] !== this.run.settings[f.name]);
    const names = waits.map((f) => f.name);
    return this.seed === this.run.seed ? names : ["seed", ...names];
  }

  /** Sends live changes once a frame, however fast a slider moves. */
  #send(changes: Settings): void {
    const idle = Object.keys(this.#unsent).length === 0;
    Object.assign(this.#unsent, changes);
    if (!idle || Object.keys(this.#unsent).length === 0) return;
    requestAnimationFrame(() => {
      const due = this.#unsent;
      this.#unsent = {};
      if (Object.keys(due).length > 0) this.run.configure(due);
    });
  }
}

export function defaults(lab: LabInfo): Settings {
  return Object.fromEntries(lab.fields.map((field) => [field.name, field.default]));
}
