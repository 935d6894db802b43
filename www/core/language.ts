// The chart library formats numbers in the browser's language, `navigator.language`, as soon as it is loaded. Some
// browsers take that from the system's locale without a check, so that it may be "C", for which Intl throws.

/** Replaces a `navigator.language` that Intl refuses by US English, the language of the page. */
export function ensureKnownLanguage(): void {
  try {
    Intl.NumberFormat.supportedLocalesOf(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  }
}
