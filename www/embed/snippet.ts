// Writes what an author copies into a page: an `<iframe>`, or the element `<learnery-lab>` with its script.

import { ELEMENT_SCRIPT, embedAddress, type Parameters } from "./address";

export interface Snippet {
  kind: "iframe" | "element";
  /** The address of the site, with a slash at its end. */
  site: string;
  parameters: Parameters;
  /** The run of a link, such as `#/control?worlds=64`; empty if the parameters name it. */
  hash: string;
  /** What the frame is called for screen readers. */
  title: string;
  /** The size in CSS pixels. With a width of null the frame is as wide as its container. */
  width: number | null;
  height: number;
}

/** The snippet as HTML. */
export function writeSnippet({ kind, site, parameters, hash, title, width, height }: Snippet): string {
  const style = `width: ${width === null ? "100%" : `${width}px`}; max-width: 100%; height: ${height}px`;
  if (kind === "iframe") {
    const src = new URL(embedAddress(parameters, hash), site).href;
    return tag("iframe", { src, title, loading: "lazy", style: `${style}; border: 0` });
  }
  const script = tag("script", { async: "", src: new URL(ELEMENT_SCRIPT, site).href });
  return `${script}\n${tag("learnery-lab", { ...parameters, ...(hash !== "" && { link: hash }), title, style })}`;
}

/** An element without content. Attributes with an empty value stand alone. */
function tag(name: string, attributes: Record<string, string>): string {
  const written = Object.entries(attributes).map(([key, value]) => (value === "" ? key : `${key}="${escape(value)}"`));
  return `<${[name, ...written].join(" ")}></${name}>`;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
