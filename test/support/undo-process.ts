/** After each file, restores what it changed in the process that it shares with the next files. */
import { afterAll, vi } from "vitest";

const env = { ...process.env };
const cwd = process.cwd();

// Registered before the hooks of the file, so it runs after them.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
});
