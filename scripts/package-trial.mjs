/**
 * Tries the packed tarball like a new user, as steps of `npm run test:package`: installed globally, in an empty home,
 * with only Node, a shell and what every Linux has on the PATH, under each supported Node. As root, also for an
 * unprivileged user.
 */
import { join } from "node:path";
import { checkAgents } from "./package-agents.mjs";
import { openRoom, USERS } from "./package-room.mjs";
import { fetchNode, OTHER_NODES } from "./tests/fetch-node.mjs";

/** What README.md says, and one password prompt. */
const TRIAL = `set -e
limpet doctor
limpet setup claude --write --instructions
limpet setup codex --write --instructions
for file in .claude.json .claude/CLAUDE.md .codex/config.toml .codex/AGENTS.md; do grep -q limpet "$HOME/$file"; done
limpet run 'echo ran'
limpet start --name ask 'stty -echo; printf "Password: "; read -r word; stty echo; echo; echo "got \${#word} letters"'
limpet wait ask --input --timeout 60s
limpet start --name view limpet top
limpet wait view --input --timeout 60s
limpet screen view | grep 'ask .*password'
limpet kill view
printf 'mellon\\n' | limpet answer ask
limpet wait ask --exit --timeout 60s
limpet logs ask
limpet ls
limpet setup claude --remove --instructions
limpet setup codex --remove --instructions
if grep -rl limpet "$HOME/.claude.json" "$HOME/.claude/CLAUDE.md" "$HOME/.codex/config.toml" "$HOME/.codex/AGENTS.md"; then exit 1; fi
limpet host stop
`;

/** `step(name, command, says)` runs a command and requires a text in its output; `tell(claim, problem)` counts one. */
export async function checkTrial(folder, { step, tell }) {
  const nodes = { [process.version]: process.execPath };
  for (const version of OTHER_NODES) {
    const node = await fetchNode(version);
    if (node === undefined) return await step(`serves Node ${version}`, ["false"]);
    nodes[`v${version}`] = node;
  }
  for (const [version, node] of Object.entries(nodes)) {
    for (const user of USERS) {
      const place = { folder: join(folder, `trial-${version}-${user.at(-1)}`), prefix: join(folder, "global") };
      await step(
        `serves ${user} with nothing but Node ${version}`,
        commandOf({ ...place, node, user }),
        "got 6 letters",
      );
    }
  }
  // The oldest and the newest: clients take seconds to start.
  const ends = Object.entries(nodes).filter((_, index, all) => index === 0 || index === all.length - 1);
  await checkAgents(folder, Object.fromEntries(ends), tell);
  return true;
}

function commandOf(place) {
  const { as, home, bin, env } = openRoom(place);
  const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...as, "/usr/bin/env", "-i", "-C", home, ...words, join(bin, "sh"), "-c", TRIAL];
}
