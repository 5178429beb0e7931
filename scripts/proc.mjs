/** Reading /proc and its like, where anything can vanish at any time. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export function ancestry(pid) {
  const chain = [];
  for (let each = pid; each > 1; each = readStat(each)?.parent ?? 0) chain.push(each);
  return chain;
}

/** Undefined where the process is gone or a zombie. */
export function readStat(pid) {
  const text = read(`/proc/${pid}/stat`);
  // The name stands in parentheses and may itself contain spaces and parentheses.
  const [state, parent, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (text === "" || state === "Z" || state === "X") return undefined;
  return { parent: Number(parent), startedAt: Number(rest[17]) };
}

export function listPids() {
  return list("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

export function describe(pids) {
  const commands = pids.map((pid) => `${pid} (${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()})`);
  return commands.join(", ") || "nobody that we can see";
}

// Whatever is looked at here can vanish while we look, or belong to another user: both are the same as nothing.
export function list(path, options) {
  return orElse([], () => readdirSync(path, options));
}

export function read(path) {
  return orElse("", () => readFileSync(path, "latin1"));
}

export function readLink(path) {
  return orElse("", () => readlinkSync(path));
}

export function kill(pid) {
  orElse(false, () => process.kill(pid, "SIGKILL"));
}

function orElse(otherwise, attempt) {
  try {
    return attempt();
  } catch {
    return otherwise;
  }
}
