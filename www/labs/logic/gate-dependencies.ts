// Finds the gates that a gate's value depends on, from the wiring and from which inputs each kind of gate uses. The
// gate map highlights them. The layers come in two parts: the perception layers, in which a cell sees its neighbourhood
// and which are applied to each channel in turn, and the update layers, which read the cell's own channels and
// perception's outputs.

import type { LogicGates, LogicWiring } from "../../generated/protocol";

/** For each gate kind, whether its result depends on its first input, and on its second. */
const USES_INPUT: [boolean, boolean][] = Array.from({ length: 16 }, (_, kind) => {
  // The truth table: results for the inputs (0, 0), (0, 1), (1, 0) and (1, 1) are bits 8, 4, 2 and 1.
  const [of00, of01, of10, of11] = [8, 4, 2, 1].map((bit) => (kind & bit) > 0);
  // The result depends on an input if it changes with that input for any value of the other one.
  return [of00 !== of10 || of01 !== of11, of00 !== of01 || of10 !== of11];
});

/** Marks (1) the gates that a gate depends on, itself included. Gates are numbered layer by layer. */
export function dependenciesOf(
  { layers, perceptionLayers, kinds }: LogicGates,
  wiring: LogicWiring,
  gate: number,
): Uint8Array {
  // `pairs` holds the two sources of each gate: indices into what the gate's layer reads.
  const { channels, pairs } = wiring;
  const marks = new Uint8Array(kinds.length);
  const firstOfLayer = layers.map((_, i) => layers.slice(0, i).reduce((a, b) => a + b, 0));
  const layerOf = (index: number) => firstOfLayer.findLastIndex((first) => first <= index);
  const perceptionOutputs = layers[perceptionLayers - 1] as number;
  marks[gate] = 1;
  // Gates read only earlier layers, so one pass backwards finds all of them.
  for (let current = gate; current >= 0; current--) {
    if (marks[current] !== 1) continue;
    const layer = layerOf(current);
    // The first layer reads the cells.
    if (layer === 0) continue;
    const firstBefore = firstOfLayer[layer - 1] as number;
    USES_INPUT[kinds[current] as number]?.forEach((usesInput, input) => {
      if (!usesInput) return;
      const source = pairs[2 * current + input] as number;
      if (layer !== perceptionLayers) marks[firstBefore + source] = 1;
      // The first layer of the update reads the cell's own channels, then perception's outputs for each channel.
      else if (source >= channels) marks[firstBefore + ((source - channels) % perceptionOutputs)] = 1;
    });
  }
  return marks;
}
