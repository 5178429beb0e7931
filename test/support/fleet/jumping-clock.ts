/** The time of day of some processes, which jumps. Clocks that count from the start of the machine do not. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface JumpingClock {
  /** Variables of a process that has this time. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the clock to this many hours from the real time. */
  jump(hours: number): void;
}

/** Needs `faketime`. */
export function jumpingClock(folder: string): JumpingClock {
  const file = join(folder, "clock");
  const jump = (hours: number) => writeFileSync(file, `${hours < 0 ? "" : "+"}${hours}h\n`);
  jump(0);
  const env = {
    LD_PRELOAD: library(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    DONT_FAKE_MONOTONIC: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  return { env, jump };
}

/** Debian has a folder for each architecture. */
function library(): string {
  const found = readdirSync("/usr/lib")
    .map((folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`)
    .find((path) => existsSync(path));
  if (!found) throw new Error("libfaketime was not found. On Debian: apt-get install faketime");
  return found;
}
