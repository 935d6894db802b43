// The draft: the settings and the seed as the visitor has set them. They may differ from those of the open run. A live
// setting is sent to the run at once; the other settings and the seed take effect at a restart. A preset is applied as
// a whole: at once if all its changes are live, otherwise all of them, live ones too, wait for the restart.

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
  /** Changes of live settings that will be sent in the next animation frame. */
  #unsent: Settings = {};
  /** The settings and the seed of the run when they were last taken over. */
  #known: { settings: Settings; seed: number } = { settings: {}, seed: 0 };
  /** The state of an earlier moment of the run, while the visitor looks back at it. Live changes are not sent then. */
  #earlier: { settings: Settings; seed: number } | null = null;
  /** Live settings of a preset that wait for the restart together with the preset's other settings. */
  #held = new Set<string>();

  constructor(
    readonly lab: LabInfo,
    readonly run: Run,
  ) {
    super();
    this.resetToRun();
    run.on("configured", () => this.#follow());
    run.on("opened", () => this.resetToRun());
  }

  /** Whether the state of an earlier moment is shown. */
  get looksBack(): boolean {
    return this.#earlier !== null;
  }

  /** Discards all changes: takes over the settings and the seed of the run. */
  resetToRun(): void {
    this.settings = { ...defaults(this.lab), ...this.run.settings };
    this.seed = this.run.seed;
    this.#known = { settings: { ...this.settings }, seed: this.seed };
    this.#unsent = {};
    this.#earlier = null;
    this.#held.clear();
    this.emit("changed", null);
  }

  /** Takes over what has changed in the run, except where the visitor has set something else. */
  #follow(): void {
    if (this.#earlier) return; // an earlier moment is shown
    const { settings, seed } = this.run;
    for (const { name } of this.lab.fields) {
      if (this.settings[name] === this.#known.settings[name]) this.settings[name] = settings[name] as JsonValue;
    }
    if (this.seed === this.#known.seed) this.seed = seed;
    this.#known = { settings, seed };
    this.emit("changed", null);
  }

  /**
   * Shows the live settings and the seed of an earlier moment of the run, and gathers their changes for a branch. Null
   * ends that.
   */
  lookBack(earlier: { settings: Settings; seed: number } | null): void {
    // The state to be shown: that of the earlier moment or, at the end, of the run; null if there was nothing to end.
    const now = earlier ?? (this.#earlier && this.run);
    // Changes for the branch stay while the visitor looks for a moment.
    const { settings, seed } = earlier ? this.changesForBranch() : { settings: {}, seed: null };
    this.#earlier = earlier && { settings: earlier.settings, seed: earlier.seed };
    if (!now) return;
    for (const { name, live } of this.lab.fields) {
      if (live && name in now.settings) this.settings[name] = now.settings[name] as JsonValue;
    }
    Object.assign(this.settings, settings);
    this.seed = seed ?? now.seed;
    this.emit("changed", null);
  }

  /** The live settings and the seed that were changed while the visitor looks back; null for the same seed. */
  changesForBranch(): { settings: Settings; seed: number | null } {
    const earlier = this.#earlier;
    if (!earlier) return { settings: {}, seed: null };
    const changed = this.lab.fields.filter(({ name, live }) => live && this.settings[name] !== earlier.settings[name]);
    const settings = Object.fromEntries(changed.map(({ name }) => [name, this.settings[name] as JsonValue]));
    return { settings, seed: this.seed === earlier.seed ? null : this.seed };
  }

  /** Changes a setting. */
  set(field: Field, value: JsonValue): void {
    this.settings[field.name] = value;
    this.#held.delete(field.name);
    if (field.live) this.#send({ [field.name]: value });
    this.emit("changed", null);
  }

  setSeed(seed: number): void {
    this.seed = seed;
    this.emit("changed", null);
  }

  /**
   * Sets all settings: to those given, and the others to their defaults. The seed stays. With `atRestart` all of them
   * wait for the restart, also if they are live.
   */
  usePreset(settings: Settings, { atRestart = false } = {}): void {
    this.settings = { ...defaults(this.lab), ...settings };
    this.#unsent = {};
    this.#held.clear();
    const changed = this.lab.fields.filter((field) => this.settings[field.name] !== this.run.settings[field.name]);
    if (!atRestart && changed.every((field) => field.live)) {
      this.#send(Object.fromEntries(changed.map(({ name }) => [name, this.settings[name] as JsonValue])));
    } else {
      for (const { live, name } of changed) if (live) this.#held.add(name);
    }
    this.emit("changed", null);
  }

  /** Whether the setting differs from the run's and takes effect at a restart. */
  waits({ live, name }: Field): boolean {
    return (!live || this.#held.has(name)) && this.settings[name] !== this.run.settings[name];
  }

  /** The names of the settings, and "seed", that differ from the run's and take effect at a restart. */
  changesNeedingRestart(): string[] {
    const names = this.lab.fields.filter((field) => this.waits(field)).map(({ name }) => name);
    return this.seed === this.run.seed ? names : ["seed", ...names];
  }

  /** Collects live changes and sends them once per animation frame, however fast a slider moves. */
  #send(changes: Settings): void {
    if (Object.keys(changes).length === 0 || this.#earlier) return;
    const frameIsRequested = Object.keys(this.#unsent).length > 0;
    Object.assign(this.#unsent, changes);
    if (frameIsRequested) return;
    requestAnimationFrame(() => {
      const collected = this.#unsent;
      this.#unsent = {};
      // `resetToRun` may have discarded the changes meanwhile.
      if (Object.keys(collected).length > 0) void this.run.configure(collected);
    });
  }
}

/** The default value of every setting. */
export function defaults(lab: LabInfo): Settings {
  return Object.fromEntries(lab.fields.map((field) => [field.name, field.default]));
}
