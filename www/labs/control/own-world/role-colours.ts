// The colours of the shapes of a world, by the number of their role.

import { colour } from "../../../core/theme";
import { ROLES } from "./shapes";

export const roleColours = (): string[] => ROLES.map((name) => colour(`--${name}`));
