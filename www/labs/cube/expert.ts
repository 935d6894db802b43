// The trained network that ships with the page. It is loaded only if somebody wants to see it.

import file from "../../../models/cube.safetensors?url";

export async function fetchExpert(): Promise<File> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`The trained network could not be fetched (${answer.status})`);
  return new File([await answer.blob()], "cube.safetensors");
}
