// The embed's side of the messages with the page around it. There are none unless the address of the embed names the
// page's origin: then messages go to that origin alone, and others are not heard.

import type { Run } from "../core/run";
import { readToEmbed, wrapped, type FromEmbed } from "./messages";

/** What the page around the embed can do with it. */
export interface Playable {
  run: Run;
  play(): void;
  pause(): void;
}

export class Messenger {
  constructor(readonly origin: string | null) {}

  /** Lets the page run and pause, and tells it what the run measures. */
  listen(player: Playable): void {
    if (this.origin === null || parent === window) return;
    addEventListener("message", ({ data, origin, source }) => {
      if (origin !== this.origin || source !== parent) return;
      const message = readToEmbed(data);
      if (message?.type === "run") player.play();
      if (message?.type === "pause") player.pause();
    });
    const { run } = player;
    let told = 0;
    run.on("opened", () => (told = 0));
    run.on("progress", ({ units }) => {
      if (units === told) return;
      told = units;
      const measured: Record<string, number | null> = {};
      for (const { name } of run.series.specs) measured[name] = finite(run.series.last(name));
      this.#post({ type: "metrics", lab: labOf(run), unit: units, metrics: measured });
    });
    run.on("solved", ({ solvedAt }) =>
      this.#post({ type: "solved", lab: labOf(run), unit: solvedAt ?? 0, seconds: run.note.solvedSeconds ?? 0 }),
    );
    this.#post({ type: "ready" });
  }

  #post(message: FromEmbed): void {
    if (this.origin !== null) parent.postMessage(wrapped(message), this.origin);
  }
}

const labOf = ({ lab }: Run): string => lab?.about.id ?? "";

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
