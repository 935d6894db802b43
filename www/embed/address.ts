// The address of an embed: embed.html, with its parameters behind the `?`. `<learnery-lab>` contains this file too, so
// it imports nothing.

/** The script with the element, relative to the site. */
export const ELEMENT_SCRIPT = "learnery-lab.js";

/** The parameters as they are written: in an address, or as attributes of `<learnery-lab>`. */
export const PARAMETERS = ["lab", "preset", "seed", "hide", "show", "autoplay", "speed", "theme", "lang"] as const;
export type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>;

/** The address of an embed, relative to the site; `hash` is the run of a link. Empty values stand without `=`. */
export function embedAddress(parameters: Parameters & { origin?: string }, hash = ""): string {
  const pairs = Object.entries(parameters).map(([name, value]) =>
    value === "" ? name : `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`,
  );
  return `embed.html${pairs.length > 0 ? `?${pairs.join("&")}` : ""}${hash}`;
}

/** The address to which `index.html?embed` leads, with everything else that it says; null without `embed`. */
export function embedOfIndex({ search, hash }: Pick<Location, "search" | "hash">): string | null {
  if (!new URLSearchParams(search).has("embed")) return null;
  const rest = search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !/^embed(=|$)/.test(pair));
  return `embed.html${rest.length > 0 ? `?${rest.join("&")}` : ""}${hash}`;
}
