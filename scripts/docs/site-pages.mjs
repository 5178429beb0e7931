/** The pages of the site in reading order. A document that is not listed is a page of its group "More". */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../run.mjs";

const GROUPS = {
  Start: ["README.md", "docs/why.md", "docs/agents.md", "docs/recipes.md", "docs/watch.md", "docs/faq.md"],
  Agents: [
    "docs/agent-claude-code.md",
    "docs/agent-codex.md",
    "docs/agent-gemini.md",
    "docs/agent-opencode.md",
    "docs/agent-others.md",
    "docs/mcp.md",
    "docs/adapters.md",
  ],
  People: ["docs/cli.md", "docs/web.md", "docs/safety.md", "docs/troubleshooting.md", "docs/errors.md"],
  Machines: ["docs/host.md", "docs/places.md", "docs/image.md", "docs/fleet.md"],
  Library: [
    "docs/sessions.md",
    "docs/waiting.md",
    "docs/reading.md",
    "docs/shell.md",
    "docs/screen.md",
    "docs/recording.md",
    "docs/api.md",
  ],
  Inside: ["docs/architecture.md", "docs/programs.md", "docs/seeds.md", "bench/RESULTS.md"],
  Project: ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
};
const NAMES = { "README.md": "index.html", "bench/RESULTS.md": "results.html" };

export function groups() {
  const listed = new Set(Object.values(GROUPS).flat());
  const others = readdirSync(join(root, "docs"))
    .map((name) => `docs/${name}`)
    .filter((path) => path.endsWith(".md") && !listed.has(path));
  return Object.entries({ ...GROUPS, More: others })
    .map(([title, sources]) => ({ title, pages: sources.filter(isThere).map(asPage) }))
    .filter(({ pages }) => pages.length > 0);
}

function isThere(source) {
  return existsSync(join(root, source));
}

function asPage(source) {
  const base = source.replace(/^.*\//, "").replace(/\.md$/, "").toLowerCase();
  return { source, name: NAMES[source] ?? `${base}.html` };
}
