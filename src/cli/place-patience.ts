/** How long a report about places waits for each of them, in milliseconds: longer on a busy machine. */
import { processorLoad } from "../linux/processor-load.ts";

/** A first contact takes a login, and Node starts there. */
const IDLE_MS = 15_000;
/** No longer than a login may take. */
const MOST_MS = 60_000;

export function placePatienceMs(): number {
  return patienceAt(processorLoad());
}

/** Pure. `load`: per processor. */
export function patienceAt(load: number): number {
  return Math.round(Math.min(MOST_MS, IDLE_MS * Math.max(1, load)));
}

export function noAnswerIn(ms: number): string {
  return `no answer in ${Math.round(ms / 1000)} s`;
}
