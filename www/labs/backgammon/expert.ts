// Loads the trained network that ships with the page, when a visitor chooses to play against it or has a match judged.

import url from "../../../models/backgammon.safetensors?url";
import { base64 } from "./base64";

/** The checkpoint in base 64, as the command `invite` expects it. */
export async function fetchExpert(): Promise<string> {
  const response = await fetch(url).catch(() => null); // fails without a network
  if (!response?.ok) throw new Error("The expert network could not be loaded.");
  return base64(await response.blob());
}
