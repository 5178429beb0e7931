/** What axe-core finds wrong with a page for people who use a keyboard, a screen reader, or see little. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** Findings that are serious or critical, one line each. The colours in a terminal are those that programs chose. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // By the debugger: the policy of the page lets no other script in.
  await page.evaluate(AXE);
  const found = await page.evaluate("axe.run({ exclude: ['.xterm-rows'] }, { resultTypes: ['violations'] })");
  const { violations } = found as { readonly violations: readonly Finding[] };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}
