// The expert: the trained network that ships with the page. It is sent to the lab when a visitor chooses to play
// against it or has a match judged.

import url from "../../../models/backgammon.safetensors?url";
import type { BackgammonCommand } from "../../generated/protocol";
import { base64 } from "./base64";

export class Expert {
  /** Whether the lab of the open run has the network. */
  invited = false;
  /** The download, for all who wait for it. */
  #download: Promise<string | null> | null = null;
  #send: (command: BackgammonCommand) => void;

  constructor(send: (command: BackgammonCommand) => void) {
    this.#send = send;
  }

  /** Sends the network to the lab, unless it is there. Returns false if it could not be loaded. */
  async invite(): Promise<boolean> {
    if (this.invited) return true;
    this.#download ??= fetchNetwork();
    const checkpoint = await this.#download;
    this.#download = null;
    if (checkpoint === null) return false;
    // Another call may have sent it meanwhile.
    if (!this.invited) this.#send({ type: "invite", checkpoint });
    this.invited = true;
    return true;
  }
}

/** The checkpoint in base 64, as the command `invite` expects it; null if it could not be loaded. */
async function fetchNetwork(): Promise<string | null> {
  try {
    const response = await fetch(url);
    return response.ok ? await base64(await response.blob()) : null;
  } catch {
    return null; // without a network
  }
}
