/** Reads /proc and similar files, which can disappear at any time. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export function ancestry(pid) {
  const chain = [];
  for (let each = pid; each > 1; each = readStat(each)?.parent ?? 0) chain.push(each);
  return chain;
}

/** Undefined if the process has ended or is a zombie. */
export function readStat(pid) {
  const text = read(`/proc/${pid}/stat`);
  // The name is in parentheses and may itself contain spaces and parentheses.
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
  return commands.join(", ") || "no visible process";
}

// Anything here can disappear during the read, or belong to another user. Both count as empty.
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
