import { LimpetError } from "../../base/limpet-error.ts";
import type { ArgsDef, Command } from "../args/command.ts";
import { type CommandWords, completionFor, isShell, SHELLS } from "../help/completion-script.ts";
import { writeOut } from "../print/print.ts";
import type { CommandTable } from "../run-cli.ts";
import { withHost } from "../with-host.ts";

/** What `limpet completion ids` is asked for by the scripts themselves. */
const IDS = "ids";

/** Of all commands, this one included. */
export const completionOf = (commands: CommandTable): Command => ({
  meta: {
    name: "completion",
    description: "Print a script that completes commands, flags and sessions in your shell.",
  },
  args: {
    shell: { type: "positional", required: true, description: `One of ${SHELLS.join(", ")}` },
  },
  choices: SHELLS,
  examples: [
    "source <(limpet completion bash)             # in ~/.bashrc",
    "source <(limpet completion zsh)              # in ~/.zshrc",
    "limpet completion fish > ~/.config/fish/completions/limpet.fish",
  ],
  async run({ args }) {
    const shell = String(args["shell"]);
    if (shell === IDS) return await printIds();
    if (!isShell(shell)) {
      throw new LimpetError(
        "BAD_OPTION",
        `No completion for ${JSON.stringify(shell)}. Give one of: ${SHELLS.join(", ")}.`,
      );
    }
    const words = await Promise.all(Object.entries(commands).map(async ([name, load]) => wordsOf(name, await load())));
    await writeOut(completionFor(shell, words));
  },
});

/** Never starts a host: nobody wants that from a Tab. */
async function printIds(): Promise<void> {
  await withHost(async (sessions) => {
    if ((await sessions.hostStatus()) === undefined) return;
    const running = await sessions.running();
    await writeOut(running.flatMap(({ id, name }) => [String(id), ...(name === null ? [] : [name])]).join("\n"));
  });
}

function wordsOf(name: string, { meta, args, ownFlags = [], choices = [] }: Command): CommandWords {
  const defined = Object.entries((args ?? {}) as ArgsDef);
  const { description = "" } = (meta ?? {}) as { readonly description?: string };
  return {
    name,
    description: description.split(/[.:;]/, 1)[0] ?? "",
    flags: defined.flatMap(([flag, { type }]) => (type === "positional" || ownFlags.includes(flag) ? [] : [flag])),
    choices,
    takesSession: defined.some(([flag, { type }]) => type === "positional" && /^ids?$/.test(flag)),
  };
}
