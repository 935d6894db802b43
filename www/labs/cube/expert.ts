// Loads the trained network of the cube lab that ships with the page, when a visitor asks for it.

import file from "../../../models/cube.safetensors?url";

export async function fetchExpert(): Promise<File> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`The trained network could not be loaded (${response.status})`);
  return new File([await response.blob()], "cube.safetensors");
}
