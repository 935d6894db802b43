// The text that the editor begins with: a short lesson with every kind of block but a text to learn.

import EXAMPLE from "./example.txt?raw";

export { EXAMPLE };
