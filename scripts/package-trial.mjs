/**
 * The packed tarball as a new user meets it, as steps of `npm run test:package`: installed globally, in an empty home,
 * with nothing on the PATH but Node, a shell and what every Linux has, under each supported Node. As root, also for a
 * user without rights.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fetchNode, OTHER_NODES } from "./tests/fetch-node.mjs";

/** No git, no python, no compiler, no other shells. */
const PROGRAMS = ["bash", "cat", "env", "grep", "id", "ls", "printf", "sh", "sleep", "stty", "test", "tty"];
const USER = 54_321;

/** What README.md says, and one password prompt. */
const TRIAL = `set -e
limpet doctor
limpet setup claude --write --instructions
limpet setup codex --write --instructions
for file in .claude.json .claude/CLAUDE.md .codex/config.toml .codex/AGENTS.md; do grep -q limpet "$HOME/$file"; done
limpet run 'echo ran'
limpet start --name ask 'stty -echo; printf "Password: "; read -r word; stty echo; echo; echo "got \${#word} letters"'
limpet wait ask --input
printf 'mellon\\n' | limpet answer ask
limpet wait ask --exit
limpet logs ask
limpet ls
limpet host stop
`;

/** `step(name, command, says)` runs a command and requires a text in its output. */
export async function checkTrial(folder, step) {
  const nodes = { [process.version]: process.execPath };
  for (const version of OTHER_NODES) nodes[`v${version}`] = await fetchNode(version);
  for (const [version, node] of Object.entries(nodes)) {
    for (const user of process.getuid?.() === 0 ? ["root", "a user"] : ["a user"]) {
      const name = `serves ${user} with nothing but Node ${version}`;
      if (node === undefined) return await step(name, ["false"]);
      const place = { folder: join(folder, `trial-${version}-${user.at(-1)}`), prefix: join(folder, "global") };
      await step(name, commandOf({ ...place, node, user }), "got 6 letters");
    }
  }
  return true;
}

function commandOf({ folder, node, user, prefix }) {
  const [home, bin] = [join(folder, "home"), join(folder, "bin")];
  for (const path of [home, bin]) mkdirSync(path, { recursive: true });
  for (const name of PROGRAMS) {
    const found = ["/usr/bin", "/bin"].map((place) => join(place, name)).find((path) => existsSync(path));
    if (found !== undefined) symlinkSync(found, join(bin, name));
  }
  symlinkSync(node, join(bin, "node"));
  symlinkSync(join(prefix, "bin/limpet"), join(bin, "limpet"));
  const isOther = user !== "root" && process.getuid?.() === 0;
  if (isOther) chownSync(home, USER, USER);
  chmodSync(home, 0o700);
  const as = isOther ? ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups"] : [];
  const env = ["/usr/bin/env", "-i", "-C", home, `HOME=${home}`, `PATH=${bin}`, "LANG=C.UTF-8", "SHELL=/bin/bash"];
  return [...as, ...env, join(bin, "sh"), "-c", TRIAL];
}
