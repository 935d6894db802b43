// The help of a setting ends with what its values do: "Up: ... Down: ..." for numbers, "On: ... Off: ..." for switches
// (crates/lab/src/schema.rs). The page shows these effects apart from the sentence before them.

/** The help of a setting, taken apart. */
export interface HelpParts {
  sentence: string;
  /** What turning the setting up, down, on or off does. */
  effects: [direction: string, effect: string][];
}

const DIRECTION_PATTERN = /(?:^| )(Up|Down|On|Off): /;

/** Takes the help of a setting apart: the text before the effects, and each effect with its direction. */
export function splitHelp(help: string): HelpParts {
  const [sentence = "", ...rest] = help.split(DIRECTION_PATTERN);
  const effects: [string, string][] = [];
  for (let i = 0; i + 1 < rest.length; i += 2) effects.push([rest[i] as string, (rest[i + 1] as string).trim()]);
  return { sentence: sentence.trim(), effects };
}
