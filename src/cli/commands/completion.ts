import { LimpetError } from "../../base/limpet-error.ts";
import { type Command, isOffered } from "../args/command.ts";
import { requiredText } from "../args/read-args.ts";
import { type CommandWords, completionFor, isShell, SHELLS } from "../help/completion-script.ts";
import { writeText } from "../print/print.ts";
import type { CommandTable } from "../run-cli.ts";
import { withHost } from "../with-host.ts";

/** The scripts run `limpet completion ids` to complete sessions. */
const IDS = "ids";

/** Completes all commands, including this one. */
export const completionOf = (commands: CommandTable): Command => ({
  name: "completion",
  description: "Print a completion script for your shell: commands, flags and sessions.",
  args: {
    shell: { type: "positional", choices: SHELLS, description: `One of ${SHELLS.join(", ")}` },
  },
  examples: [
    "source <(limpet completion bash)             # in ~/.bashrc",
    "source <(limpet completion zsh)              # in ~/.zshrc",
    "limpet completion fish > ~/.config/fish/completions/limpet.fish",
  ],
  async run(args) {
    const shell = requiredText(args, "shell");
    if (shell === IDS) return await printIds();
    if (!isShell(shell)) {
      throw new LimpetError(
        "BAD_OPTION",
        `There is no completion for ${JSON.stringify(shell)}. Use one of: ${SHELLS.join(", ")}.`,
      );
    }
    const words = await Promise.all(Object.values(commands).map(async (load) => wordsOf(await load())));
    await writeText(completionFor(shell, words));
  },
});

/** Never starts a host: pressing Tab must not start processes. */
async function printIds(): Promise<void> {
  await withHost(async (sessions) => {
    if ((await sessions.hostStatus()) === undefined) return;
    const running = await sessions.running();
    await writeText(running.flatMap(({ id, name }) => [String(id), ...(name === null ? [] : [name])]).join("\n"));
  });
}

function wordsOf({ name, description, args = {} }: Command): CommandWords {
  const positionals = Object.entries(args).flatMap(([word, spec]) =>
    spec.type === "positional" ? [{ word, spec }] : [],
  );
  return {
    name,
    description: description.split(/[.:;]/, 1)[0] ?? "",
    flags: Object.keys(args).filter((flag) => isOffered(args[flag])),
    choices: positionals[0]?.spec.choices ?? [],
    takesSession: positionals.some(({ word }) => /^ids?$/.test(word)),
  };
}
