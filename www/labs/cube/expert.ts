// Loads the trained networks of the cube lab that ship with the page, when a visitor asks for one.

import small from "../../../models/cube.safetensors?url";
import large from "../../../models/cube3.safetensors?url";

/** A checkpoint that ships with the page. */
export interface Expert {
  url: string;
  name: string;
  /** Whether a unit ends with an evaluation. */
  isEvaluated: boolean;
}

/** The network of each puzzle. */
export const EXPERTS: Record<"small" | "large", Expert> = {
  small: { url: small, name: "cube.safetensors", isEvaluated: true },
  large: { url: large, name: "cube3.safetensors", isEvaluated: false },
};

/** The checkpoint as a file, as if the visitor had chosen it. It fails if the `signal` takes the wish back. */
export async function fetchExpert({ url, name }: Expert, signal: AbortSignal | null): Promise<File> {
  const response = await fetch(url, { signal }).catch(() => null); // fails without a network
  if (!response?.ok) throw new Error("The trained network could not be loaded. Check the network connection.");
  return new File([await response.blob()], name);
}
