// The trained network that ships with the page. It is loaded only if somebody wants to play it.

import file from "../../../models/backgammon.safetensors?url";

/** The checkpoint in base 64, as the command wants it. */
export async function fetchExpert(): Promise<string> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`the player could not be fetched (${answer.status})`);
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("the player could not be read"));
  });
  reader.readAsDataURL(await answer.blob());
  const url = await read;
  return url.slice(url.indexOf(",") + 1);
}
