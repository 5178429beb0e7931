/** Session ids: positive integers, never used twice in one process. */
let last = 0;

export function nextSessionId(): number {
  last += 1;
  return last;
}
