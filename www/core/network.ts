// Whether there is a network. A part of the page that was loaded before, or that the service worker keeps, needs none.

/** A host that has not answered within this time counts as out of reach. */
const MAX_WAIT_MS = 5_000;

/** True if the host of the page answers, whatever it answers. The service worker passes such requests on. */
export async function hostAnswers(): Promise<boolean> {
  if (!navigator.onLine) return false;
  const options = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(MAX_WAIT_MS) } as const;
  return fetch(new URL("sw.js", document.baseURI), options).then(
    () => true,
    () => false,
  );
}
