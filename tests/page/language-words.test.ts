// The words of the language lab: its stories, and what it explains.

import { story } from "../../www/labs/language/story";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("language", ["temperature", "top-k", "bits per byte", "attention head", "token", "transformer"]);

checkStory("language", story, {}, [
  [{}, null],
  [{ exact: 0 }, /answers none/],
  [{ exact: 52.3 }, /^It answers 52\.3/],
  [{ exact: 99.5 }, /^Solved: it answers 99\.5.*Ask it one\.$/, { solved: true }],
  [{ bits: 7.9 }, /knows nothing: it needs 7\.9/],
  [{ bits: 5 }, /which letters are frequent/],
  [{ bits: 2 }, /by what came before/],
]);
