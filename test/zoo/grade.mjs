/**
 * Pure: grades what one wait reported about a program whose state is known.
 *
 * | grade  | meaning                                                                          |
 * |--------|----------------------------------------------------------------------------------|
 * | right  | the wait ended with the expected state, and the answer was there                 |
 * | early  | it ended before the answer was there, or although the program waits for nothing |
 * | late   | the answer was there, and the wait went on                                       |
 * | broken | another state than the expected one, or the answer never came                    |
 */

/**
 * The longest silence that an uncertain verdict needs is 1.5 s, and twice that on an overloaded machine. A wait that
 * takes longer waits for the clock.
 */
const LATE_MS = 4_000;

/** From the worst on. A program has the worst grade of its steps. */
export const GRADES = ["broken", "early", "late", "right"];

/**
 * `reported`: `line`, `password`, `key`, `unknown`, `exit`, or `none` if the deadline ended the wait. `isShown`: the
 * expected text was there when the wait ended. `lagMs`: from the last output to the end of the wait.
 */
export function gradeStep({ expected, reported, isShown, lagMs }) {
  if (expected === "none") return reported === "none" ? (isShown ? "right" : "broken") : "early";
  if (reported === "none") return isShown ? "late" : "broken";
  if (!isShown) return reported === "exit" ? "broken" : "early";
  if (reported !== expected) return "broken";
  return lagMs > LATE_MS && expected !== "exit" ? "late" : "right";
}

export function worstOf(grades) {
  return GRADES.find((grade) => grades.includes(grade)) ?? "right";
}
