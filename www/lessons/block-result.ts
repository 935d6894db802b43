// What a block of a lesson came to, in the form in which a class takes it (sent-results.ts) and in which the tries of a
// block are kept (state.ts).

import { MAX_SETTINGS, type BlockResult } from "../class/measured";
import type { RunPart, SeedsPart } from "./format";
import { measured as valueOf, type Result } from "./measures";

/** What a block came to; null while its runs of several seeds have not all ended. */
export function blockResult(part: RunPart | SeedsPart, result: Result | undefined): BlockResult | null {
  if (!result || result.kind !== part.kind || (result.kind === "seeds" && !result.complete)) return null;
  const outcomes = result.kind === "seeds" ? result.seeds : [result];
  const trained = Math.max(0, ...outcomes.map(({ units }) => units));
  // A network that was loaded from the picture has more units than a run of the lesson; an older page kept such runs
  // too.
  if (trained === 0 || trained > part.units) return null;
  const finite = (what: string) => {
    const value = valueOf({ block: part.name, what }, result);
    return Number.isFinite(value) ? value : null;
  };
  const { settings } = result;
  return {
    block: part.name,
    metric: result.metric,
    runs: outcomes.length,
    reached: outcomes.filter(({ reached }) => reached !== null).length,
    trained,
    units: finite(result.kind === "seeds" ? "units" : "goal"),
    value: finite(result.kind === "seeds" ? "median" : "last"),
    settings: Object.fromEntries(
      part.dials
        .filter((name) => Object.hasOwn(settings, name))
        .slice(0, MAX_SETTINGS)
        .map((name) => [name, settings[name] as number]),
    ),
  };
}
