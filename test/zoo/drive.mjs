/** Drives one program of the zoo through its steps, once, and grades each step. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gradeStep } from "./grade.mjs";

const PROGRAMS = fileURLToPath(new URL("programs", import.meta.url));
/** For a program that starts, or works, on a machine that does other things, too. */
const DEADLINE_MS = 20_000;
const SLOW_MS = 90_000;
/** How long a program that waits for nothing is watched, unless its step says otherwise. */
const NOTHING_MS = 1_500;
const LOOK_MS = 20;
const TAIL_CHARS = 300;

/**
 * `limpet`: the entries `session` and `screen` of the library. `folder`: where the program may write. `place`: the
 * variables of what it runs in or talks to. `onStep`: called after each step, while the program runs. Resolves with one
 * record for each step that was reached.
 */
export async function drive(entry, { limpet, folder, place = {}, modules, onStep = () => undefined }) {
  const home = mkdtempSync(join(folder, "home-"));
  for (const [name, text] of Object.entries(entry.files ?? {})) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), filled(text, { ...place, HOME: home }));
  }
  if (modules) symlinkSync(modules, join(home, "node_modules"));
  const session = await limpet.openSession({
    ...(typeof entry.run === "string"
      ? { command: entry.run, shell: "/bin/bash" }
      : { program: entry.run[0], args: entry.run.slice(1) }),
    cwd: home,
    inheritEnv: false,
    env: { ...environment(home, modules), ...place, ...entry.env },
    ...(entry.size ? { size: entry.size } : {}),
  });
  if (entry.answersQueries) limpet.answerQueries(session);
  const records = [];
  try {
    for (const [index, step] of entry.steps.entries()) {
      const record = await take(step, { entry, limpet, session, isFirst: index === 0 });
      records.push({ step: index, ...record });
      await onStep();
      if (record.grade === "broken" && !record.isShown) break;
      if (record.reported === "exit") break;
    }
  } finally {
    await session.discard({ force: true });
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  return records;
}

/** Replaces `$NAME` by the value of the variable, as a shell would. */
function filled(text, variables) {
  return text.replaceAll(/\$([A-Z_]+)/g, (all, name) => variables[name] ?? all);
}

function environment(home, modules) {
  return {
    PATH: [...(modules ? [join(modules, ".bin")] : []), process.env.PATH, "/usr/sbin:/sbin:/usr/games"].join(":"),
    HOME: home,
    XDG_RUNTIME_DIR: home,
    TMPDIR: home,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    USER: "root",
    SHELL: "/bin/bash",
    ZOO: PROGRAMS,
  };
}

async function take(step, { entry, limpet, session, isFirst }) {
  await sleep(step.afterMs ?? 0);
  const from = isFirst ? 0 : session.endCursor;
  const startedMs = performance.now();
  for (const text of [step.types ?? []].flat()) {
    await session.write(text);
    await sleep(Array.isArray(step.types) ? LOOK_MS : 0);
  }
  const deadlineMs = step.waits === "none" ? (step.forMs ?? NOTHING_MS) : deadlineOf(entry, step);
  const shows = new RegExp(step.shows ?? "", "s");
  const look = async () => shownText({ entry, step, limpet, session, from });
  const isShown = async () => shows.test(await look());
  if (step.waits === "none") await until(isShown, deadlineOf(entry, step));
  const result = await session.wait({ deadlineMs });
  const lagMs = session.silentMs;
  const tookMs = performance.now() - startedMs;
  const text = await look();
  const seen = {
    expected: step.waits,
    reported: reportOf(result),
    isShown: shows.test(text),
    lagMs: Math.round(lagMs),
  };
  const grade = gradeStep(seen);
  const record = { ...seen, grade, tookMs: Math.round(tookMs) };
  if (grade === "right") return record;
  const evidence = result.evidence === undefined ? {} : { evidence: result.evidence };
  // The next step starts where this one should have ended.
  if (!seen.isShown) await until(isShown, deadlineOf(entry, step));
  if (step.waits !== "none" && step.waits !== "exit") await session.wait({ deadlineMs: 1_000 });
  return { ...record, ...evidence, tail: text.slice(-TAIL_CHARS) };
}

function deadlineOf(entry, step) {
  return step.isSlow || entry.isSlow ? SLOW_MS : DEADLINE_MS;
}

async function shownText({ entry, step, limpet, session, from }) {
  if (step.screen ?? entry.screen) {
    const snapshot = await limpet.screenOf(session).snapshot();
    return snapshot.lines.join("\n");
  }
  return (await session.text({ from, fold: false, maxTokens: 1_000_000 })).text;
}

async function until(condition, deadlineMs) {
  const endMs = performance.now() + deadlineMs;
  while (performance.now() < endMs) {
    if (await condition()) return;
    await sleep(LOOK_MS);
  }
}

function reportOf(result) {
  if (result.reason === "exited") return "exit";
  return result.reason === "input" ? result.waitingFor : "none";
}
