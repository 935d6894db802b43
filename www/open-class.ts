// Leads from an address `#/class…` to its screen. A class can do a lesson, and the lessons are loaded when it needs
// them.

import { classScreen, type ClassScreen } from "./class/class";
import type { PupilContext } from "./class/pupil";

const loadLessons = () => import("./lessons/of-class").then(({ classLessons }) => classLessons);

export const openClass = (page: PupilContext, hash: string): Promise<ClassScreen> =>
  classScreen(page, hash, loadLessons);
