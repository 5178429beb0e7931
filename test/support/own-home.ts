/** Before a run of Vitest by hand: a home of its own for its programs. `npm test` has made one already. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// @ts-expect-error A script without types.
import { envAtHome } from "../../scripts/tests/own-home.mjs";

let home: string | undefined;

export function setup(): void {
  if (process.env["LIMPET_TEST_RUN"] !== undefined) return;
  home = mkdtempSync(join(tmpdir(), "limpet-home-"));
  const env: Record<string, string> = envAtHome(process.env, home);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

export function teardown(): void {
  if (home !== undefined) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
