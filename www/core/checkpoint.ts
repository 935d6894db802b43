// Reads the header of a checkpoint file without opening it. A safetensors file starts with the length of a JSON header,
// whose metadata holds the header of the lab. Only the learner itself checks the file.

import type { Settings } from "./link";

export interface CheckpointHeader {
  lab: string;
  config: Settings;
  seed: number;
  units: number;
}

export function readHeader(bytes: Uint8Array): CheckpointHeader | null {
  try {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const text = new TextDecoder().decode(bytes.subarray(8, 8 + length));
    const { __metadata__: metadata } = JSON.parse(text) as { __metadata__: { learnery: string } };
    const { header } = JSON.parse(metadata.learnery) as { header: CheckpointHeader };
    const { lab, config, seed, units } = header;
    return typeof lab === "string" && config && typeof seed === "number" ? { lab, config, seed, units } : null;
  } catch {
    return null; // not a checkpoint, or damaged; opening it gives the reason in words
  }
}

export function fileName(lab: string, seed: number, units: number, networkOnly: boolean): string {
  return `learnery-${lab}-seed${seed}-${units}${networkOnly ? "-network" : ""}.safetensors`;
}

/** Starts a download. */
export function download(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([bytes as BlobPart], { type: "application/octet-stream" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
