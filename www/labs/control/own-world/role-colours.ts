// The colours of the shapes of a world in the present theme. The role of a shape is the index of its colour.

import { colour } from "../../../core/theme";
import { ROLES } from "./shapes";

export const roleColours = (): string[] => ROLES.map((name) => colour(`--${name}`));
