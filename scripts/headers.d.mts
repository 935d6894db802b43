/** The pages of the site. */
export const PAGES: string[];
/** The script with the element `<learnery-lab>`. */
export const ELEMENT_SCRIPT: string;
/** What that script is built from. */
export const ELEMENT_SOURCE: string;
/** With these headers a page may share memory between threads. */
export const ISOLATION_HEADERS: Record<string, string>;
/** The policy in a page's meta tag. */
export function policyOf(page: string): string;
/** The headers of a file, by its path in the site; the empty path is the page. */
export function headersOf(path: string): Record<string, string>;
/** The file `_headers`, which Netlify and Cloudflare Pages read. */
export function headersFile(): string;
/** The lines for nginx. */
export function nginxLines(): string;
