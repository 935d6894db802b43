// Loads the trained network of the cube lab that ships with the page, when a visitor asks for it.

import url from "../../../models/cube.safetensors?url";

/** The checkpoint as a file, as if the visitor had chosen it. */
export async function fetchExpert(): Promise<File> {
  const response = await fetch(url).catch(() => null); // fails without a network
  if (!response?.ok) throw new Error("The trained network could not be loaded. Check the network connection.");
  return new File([await response.blob()], "cube.safetensors");
}
