// Finds the styles that fit the view of a lab into the small frame of an embed: `labs/<lab>/embed.css`.

const STYLES = import.meta.glob("./*/embed.css");

/** Adds the styles of a lab to the page, which importing them does, if it has some. */
export async function loadEmbedStyles(id: string): Promise<void> {
  await STYLES[`./${id}/embed.css`]?.();
}
