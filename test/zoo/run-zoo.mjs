/** Runs programs of the zoo, each several times, some at once, and collects their records. */
import { drive } from "./drive.mjs";
import { worstOf } from "./grade.mjs";

/**
 * `places`: opens what programs run in or talk to, by name. `onTrial`: called after each trial. Resolves with one
 * result for each entry.
 */
export async function runZoo(entries, { limpet, folder, places, modules, trials, atOnce, onTrial = () => undefined }) {
  const results = new Map(entries.map((entry) => [entry.name, { name: entry.name, kind: entry.kind, trials: [] }]));
  // Never the same program twice at once: nobody can tell apart two clients of a container with the same arguments.
  const queue = Array.from({ length: trials }, () => entries).flat();
  const work = async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const trial = await tryOnce(entry, { limpet, folder, places, modules });
      results.get(entry.name).trials.push(trial);
      onTrial(entry, trial);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return [...results.values()];
}

async function tryOnce(entry, { limpet, folder, places, modules }) {
  try {
    const place = entry.with ? await places.open(entry.with) : {};
    const steps = await drive(entry, { limpet, folder, place, ...(entry.npm ? { modules } : {}) });
    const isComplete = steps.length === entry.steps.length;
    return { grade: isComplete ? worstOf(steps.map(({ grade }) => grade)) : "broken", steps };
  } catch (error) {
    return { grade: "broken", steps: [], error: String(error?.stack ?? error) };
  }
}
