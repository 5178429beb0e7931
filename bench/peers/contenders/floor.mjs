/** C programs that do only what must be done: a bound for speed, not a contender. */
import { floorProgram, runFloor } from "../../floor.mjs";

export const floor = {
  name: "c",
  title: "C",
  isFloor: true,
  async start() {
    return {
      /** The median of so many runs, in milliseconds. */
      echo: async (times) => (await runFloor("spawn", times, "/bin/bash", "-c", "echo hi")).p50,
      /** Seconds for so many bytes of lines. */
      flood: async (bytes) => (await runFloor("reader", floorProgram("producer"), "lines", bytes)).seconds,
      kill: () => undefined,
      end: async () => undefined,
    };
  },
};
