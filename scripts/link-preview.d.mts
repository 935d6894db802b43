import type { HtmlTagDescriptor } from "vite";

export const PREVIEW_PICTURE: string;
export function previewTags(site: string): HtmlTagDescriptor[];
