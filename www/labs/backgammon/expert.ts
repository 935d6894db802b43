// The trained player that ships with the page, fetched when somebody wants to play it, and not before.

import file from "../../../models/backgammon.safetensors?url";

/** The file in base 64, as the lab wants to have it. */
export async function fetchExpert(): Promise<string> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`the player could not be fetched (${answer.status})`);
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("the player could not be read"));
  });
  reader.readAsDataURL(await answer.blob());
  const url = await read;
  return url.slice(url.indexOf(",") + 1);
}
