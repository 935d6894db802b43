// The gates a gate depends on, from the wiring and from which inputs the kinds of gates use.

import type { LogicGates, LogicWiring } from "../../generated/protocol";

/** Whether a kind of gate uses its first input, and its second. */
const READS: [boolean, boolean][] = Array.from({ length: 16 }, (_, kind) => {
  const [none, b, a, both] = [8, 4, 2, 1].map((bit) => (kind & bit) > 0);
  return [none !== a || b !== both, none !== b || a !== both];
});

/** Marks the gates a gate depends on, itself included. */
export function dependenciesOf(
  { layers, perceptionLayers, kinds }: LogicGates,
  wiring: LogicWiring,
  gate: number,
): Uint8Array {
  const { channels, pairs } = wiring;
  const marks = new Uint8Array(kinds.length);
  const firsts = layers.map((_, i) => layers.slice(0, i).reduce((a, b) => a + b, 0));
  const layerOf = (at: number) => firsts.findLastIndex((first) => first <= at);
  const found = layers[perceptionLayers - 1] as number;
  marks[gate] = 1;
  for (let at = gate; at >= 0; at--) {
    if (marks[at] !== 1) continue;
    const layer = layerOf(at);
    // The first layer reads the cells.
    if (layer === 0) continue;
    READS[kinds[at] as number]?.forEach((reads, side) => {
      if (!reads) return;
      const row = pairs[2 * at + side] as number;
      if (layer !== perceptionLayers) marks[(firsts[layer - 1] as number) + row] = 1;
      else if (row >= channels) marks[(firsts[layer - 1] as number) + ((row - channels) % found)] = 1;
    });
  }
  return marks;
}
