// What chats and social networks show beside a link to the site: the tags of the protocol Open Graph (ogp.me), and a
// picture that `scripts/preview-picture.mjs` makes.

/** The picture, in the site and in `www/`. Programs keep its address for long, so its name has no hash. */
export const PREVIEW_PICTURE = "preview.png";

/**
 * The tags of the page beside its description, as Vite takes them. `site` is the address of the folder that the site is
 * published in. If it is empty, the picture has a relative address, which some programs do not follow. Throws if `site`
 * is neither empty nor an address.
 */
export function previewTags(site) {
  const image = site === "" ? PREVIEW_PICTURE : pictureAddress(site);
  const tag = (attrs) => ({ tag: "meta", attrs, injectTo: "head" });
  return [
    tag({ property: "og:title", content: "Learnery" }),
    tag({ property: "og:image", content: image }),
    tag({ name: "twitter:card", content: "summary_large_image" }),
  ];
}

function pictureAddress(site) {
  const base = site.endsWith("/") ? site : `${site}/`;
  if (!/^https?:/.test(base) || !URL.canParse(base))
    throw new Error(`SITE_URL is \`${site}\`, which is no address such as https://example.org/learnery/`);
  return new URL(PREVIEW_PICTURE, base).href;
}
