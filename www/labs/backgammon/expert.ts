// The expert: the trained network that ships with the page. It is sent to the lab when a visitor chooses to play
// against it. It also judges matches from files.

import url from "../../../models/backgammon.safetensors?url";
import type { BackgammonCommand } from "../../generated/protocol";

/** Sends a command to the lab, with the content of its file, which is transferred. */
export type Send = (command: BackgammonCommand, file?: Uint8Array<ArrayBuffer>) => void;

export class Expert {
  /** Whether the lab of the open run has the network. */
  invited = false;
  /** The download, for all who wait for it. */
  #download: Promise<Blob | null> | null = null;
  #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Sends the network to the lab, unless it is there. Returns false if it could not be loaded. */
  async invite(): Promise<boolean> {
    if (this.invited) return true;
    this.#download ??= fetchExpert();
    const file = await this.#download;
    this.#download = null;
    const checkpoint = await file?.arrayBuffer();
    if (!checkpoint) return false;
    // Another call may have sent it meanwhile.
    if (!this.invited) this.#send({ type: "invite" }, new Uint8Array(checkpoint));
    this.invited = true;
    return true;
  }
}

/** The network in memory, once it has arrived. */
let bytes: Uint8Array<ArrayBuffer> | null = null;

/** The checkpoint of the expert in memory, for tools; null if it could not be loaded. */
export async function readExpert(): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = bytes ? null : await fetchExpert();
  if (file) bytes = new Uint8Array(await file.arrayBuffer());
  return bytes;
}

/** The checkpoint of the expert; null if it could not be loaded. */
async function fetchExpert(): Promise<Blob | null> {
  try {
    const response = await fetch(url);
    return response.ok ? await response.blob() : null;
  } catch {
    return null; // without a network
  }
}
