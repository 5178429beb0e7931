/**
 * The agent clients, from npm. They have up to 400 MB each, so they are kept in .cache, separate from our dependencies.
 * The versions are exact, because clients change their behaviour between versions.
 */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "../run.mjs";

const { arch } = process;

/** `program`: the command, from the folder of the installed packages. Install scripts do not run, so launchers fail. */
const PACKAGES = {
  codex: {
    spec: "@openai/codex@0.166.0",
    program: (modules) => {
      const vendor = join(modules, "@openai", `codex-linux-${arch}`, "vendor");
      const [target = ""] = existsSync(vendor) ? readdirSync(vendor) : [];
      return [join(vendor, target, "bin", "codex")];
    },
  },
  claude: {
    spec: "@anthropic-ai/claude-code@2.1.325",
    program: (modules) => [join(modules, "@anthropic-ai", `claude-code-linux-${arch}`, "claude")],
  },
  gemini: {
    spec: "@google/gemini-cli@0.61.0",
    program: (modules) => [process.execPath, join(modules, "@google", "gemini-cli", "bundle", "gemini.js")],
  },
  opencode: {
    spec: "opencode-ai@1.18.33",
    program: (modules) => [join(modules, `opencode-linux-${arch}`, "bin", "opencode")],
  },
  /** A script for a page. */
  player: {
    spec: "asciinema-player@3.17.0",
    program: (modules) => [join(modules, "asciinema-player", "dist", "bundle", "asciinema-player.min.js")],
  },
};

/** The command of a client; undefined if its package cannot be installed. */
export async function fetchClient(name) {
  const { spec, program } = PACKAGES[name];
  const prefix = join(root, ".cache", "clients", spec.replace(/[@/]+/g, "-").replace(/^-/, ""));
  const modules = join(prefix, "node_modules");
  const isThere = () => program(modules).every((path) => existsSync(path));
  if (!isThere()) {
    mkdirSync(prefix, { recursive: true });
    const flags = ["--prefix", prefix, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    const { output } = await run(`fetching ${spec}`, ["npm", "install", ...flags, spec], { capture: true });
    const [reason = "unknown reason"] = output.match(/(?<=npm error ).*/) ?? [];
    if (!isThere()) console.error(`${spec} cannot be installed: ${reason}`);
  }
  return isThere() ? program(modules) : undefined;
}
