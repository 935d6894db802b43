// Loads the trained network that ships with the page, when a visitor chooses to play against it.

import url from "../../../models/backgammon.safetensors?url";

/** The checkpoint in base 64, as the command `invite` expects it. */
export async function fetchExpert(): Promise<string> {
  const response = await fetch(url).catch(() => null); // fails without a network
  if (!response?.ok) throw new Error("The expert network could not be loaded.");
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("The expert network could not be read."));
  });
  reader.readAsDataURL(await response.blob());
  // The reader gives a data URL: a prefix that ends in a comma, then the content in base 64.
  const dataUrl = await read;
  return dataUrl.slice(dataUrl.indexOf(",") + 1);
}
