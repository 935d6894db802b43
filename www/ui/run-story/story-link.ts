// The button that copies the link to a story. The link repeats the run up to now, and then tells its story.

import { el, write } from "../../core/dom";
import { sentenceEnd } from "../../core/format";
import { linkOf } from "../../core/duel/duel-link";
import { defaultRequest } from "../../core/link";
import { DATA_TOO_LONG } from "../../core/packed";
import type { Run } from "../../core/run";
import { copyButton } from "../copy";

/** What the link needs of the run. */
export type LinkedRun = Pick<Run, "lab" | "device" | "bundle" | "origin" | "save">;

export class StoryLink {
  /** It is disabled until the link is there, and stays so if there is none. */
  readonly button = copyButton("Copy link to this story", () => this.#address);
  /** Why there is no link; empty while it is being made, and if there is one. */
  readonly problem = el("p", { class: "quiet small", role: "status" });
  /** Resolves when the link was made, or its failure told. */
  readonly settled: Promise<void>;
  #address = "";

  constructor(run: LinkedRun) {
    this.button.disabled = true;
    this.settled = this.#make(run);
  }

  async #make(run: LinkedRun): Promise<void> {
    try {
      const link = await linkTo(run);
      if (link === null) return write(this.problem, DATA_TOO_LONG);
      this.#address = location.origin + location.pathname + link;
      this.button.disabled = false;
    } catch (error) {
      write(this.problem, `The link to this story could not be made: ${sentenceEnd((error as Error).message)}`);
    }
  }
}

/** The link as the hash of an address; null if data of the visitor's own are too long for one. */
async function linkTo(run: LinkedRun): Promise<string | null> {
  const { units, fingerprint } = await run.save({ fingerprint: true });
  const { lab, device, bundle } = run;
  if (!lab) throw new Error("no run is open");
  const bits = fingerprint ? `${bundle.bits}:${fingerprint}` : null;
  const link = await linkOf({ ...defaultRequest(lab), ...run.origin(), units, device, bits });
  return link && `${link}&story=1`;
}
