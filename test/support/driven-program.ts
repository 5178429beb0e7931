/** A program driven as a model drives it: started, typed into and looked at through the tools alone. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { skipTestWithout } from "./needs.ts";
import { openTools } from "./tools.ts";
import { LONG_MS, temporaryDirectory } from "./watching.ts";

/** One call to see whether the screen rests; asked again until it shows what is wanted. */
const LOOK_MS = 1_000;
const STABLE_MS = 100;

export interface Driven {
  /** Types this and presses these keys after it. */
  type(chars: string, ...keys: string[]): Promise<void>;
  press(...keys: string[]): Promise<void>;
  /** Resolves when the text of the screen, without marks, matches. */
  shows(until: string): Promise<void>;
  /** The screen at rest, with its marks, once all of these are on it. */
  screenWith(...parts: string[]): Promise<string>;
  /** Waits for the end and gives the exit code. */
  exitCode(): Promise<number>;
}

export interface DriveOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly rows?: number;
}

/** A home without settings, and a directory in it whose name is the same in every run. */
export function freshHome(): { readonly home: string; readonly cwd: string } {
  const home = temporaryDirectory();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  return { home, cwd };
}

export async function drive(cmd: string, { cwd, env = {}, rows = 24 }: DriveOptions): Promise<Driven> {
  skipTestWithout(cmd.split(" ", 1)[0] ?? "");
  const tools = openTools();
  onTestFinished(async () => await tools[Symbol.asyncDispose]());
  const home = join(cwd, "..");
  const plain = { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), LC_ALL: "C.UTF-8", TZ: "UTC" };
  const started = await tools.call("exec_command", {
    cmd,
    login: false,
    shell: "/bin/sh",
    workdir: cwd,
    env: { ...plain, ...env },
    cols: 80,
    rows,
    yield_time_ms: LOOK_MS,
  });
  const session_id: number = started.structured["session_id"];
  const type = async (chars: string, ...keys: string[]) => {
    await tools.call("write_stdin", { session_id, chars, keys, screen: true });
  };
  return {
    type,
    press: async (...keys) => await type("", ...keys),
    async shows(until) {
      const { text, structured } = await tools.call("read_screen", { session_id, until, deadline_ms: LONG_MS });
      expect(structured["yielded"], `${until} in\n${text}`).toBe("matched");
    },
    async screenWith(...parts) {
      const deadlineMs = performance.now() + LONG_MS;
      for (;;) {
        const { structured } = await tools.call("read_screen", {
          session_id,
          stable_ms: STABLE_MS,
          deadline_ms: LOOK_MS,
        });
        const screen: string = structured["screen"];
        const missing = parts.filter((part) => !screen.includes(part));
        if (missing.length === 0) return screen;
        if (performance.now() > deadlineMs) throw new Error(`No ${JSON.stringify(missing)} in\n${screen}`);
      }
    },
    async exitCode() {
      const { text, structured } = await tools.call("wait_for", {
        session_ids: [session_id],
        events: ["exited"],
        deadline_ms: LONG_MS,
      });
      expect(structured["yielded"], text).toBe("exited");
      return structured["exit_code"];
    },
  };
}
