import type { HtmlTagDescriptor } from "vite";

/** The name of the picture that chats show beside a link to the site. */
export const PREVIEW_PICTURE: string;
/** The tags that describe the page to chats. `site` is the address where it is published; empty if it is not known. */
export function previewTags(site: string): HtmlTagDescriptor[];
