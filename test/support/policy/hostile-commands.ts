/** Commands that run rm in disguise, grouped by idea, and commands that change files or the shell. */
import { readFileSync } from "node:fs";

const FILE = new URL("./hostile-commands.json", import.meta.url);
const { "side effects": others = [], ...hostile } = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, string[]>;

/** By idea. */
export const HOSTILE: Readonly<Record<string, readonly string[]>> = hostile;

/** Commands that write, connect or change the shell without naming a program that does so. */
export const SIDE_EFFECTS: readonly string[] = others;
