import { LimpetError } from "../../base/limpet-error.ts";
import type { Command } from "../args/command.ts";
import { listOf, requiredText } from "../args/read-args.ts";
import { completionFor, isShell, SHELLS } from "../help/completion-script.ts";
import { type Offer, offersAt } from "../help/offers-at.ts";
import { writeText } from "../print/print.ts";
import type { CommandTable } from "../run-cli.ts";
import { placesSetting } from "../settings/settings.ts";
import { withHost } from "../with-host.ts";

/** With this word, the scripts ask what can follow. */
const WORDS = "words";

/** Completes all commands, including this one. */
export const completionOf = (commands: CommandTable): Command => ({
  name: "completion",
  description: "Print a completion script for your shell: commands, flags, values and sessions.",
  args: {
    shell: { type: "positional", choices: SHELLS, description: `One of ${SHELLS.join(", ")}` },
    words: { type: "positional", isOptional: true, isList: true, hint: "WORD…", description: "Used by the scripts" },
  },
  examples: [
    "source <(limpet completion bash)             # in ~/.bashrc",
    "source <(limpet completion zsh)              # in ~/.zshrc, before or after compinit",
    "limpet completion fish > ~/.config/fish/completions/limpet.fish",
  ],
  async run(args) {
    const shell = requiredText(args, "shell");
    if (shell === WORDS) return await printOffers(commands, listOf(args, "words"));
    if (!isShell(shell)) {
      throw new LimpetError("BAD_OPTION", `Unknown shell ${JSON.stringify(shell)}. Use one of: ${SHELLS.join(", ")}.`);
    }
    await writeText(completionFor(shell));
  },
});

async function printOffers(commands: CommandTable, words: readonly string[]): Promise<void> {
  const offers = await offersFor(commands, words);
  const lines = await Promise.all(offers.map(linesOf));
  await writeText(lines.flat().join(""));
}

/** The last word is the one that is completed; it may be empty. */
async function offersFor(commands: CommandTable, words: readonly string[]): Promise<readonly Offer[]> {
  const current = words.at(-1) ?? "";
  const [name, ...before] = words.slice(0, -1);
  if (name === undefined || (name === "help" && before.length === 0)) return await namesOf(commands);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return load ? offersAt(await load(), before, current) : [];
}

async function namesOf(commands: CommandTable): Promise<readonly Offer[]> {
  const known = await Promise.all(Object.values(commands).map((load) => load()));
  const words = [...known.map(({ name, description }) => ({ name, description })), HELP];
  return words.map(({ name, description }) => ({ kind: "word", word: name, description: firstPart(description) }));
}

const HELP = { name: "help", description: "Show the help of a command" };

function firstPart(description: string): string {
  return description.split(/[.:;]/, 1)[0] ?? "";
}

async function linesOf(offer: Offer): Promise<readonly string[]> {
  if (offer.kind === "word") return [`${offer.word}\t${firstPart(offer.description)}\n`];
  if (offer.kind === "places") return Object.keys(placesSetting()).map((name) => `${name}\tplace\n`);
  if (offer.kind !== "sessions") return [`:${offer.kind}\n`];
  return (await sessionWords()).map((word) => `${word}\tsession\n`);
}

/** Never starts a host: pressing Tab must not start processes. */
async function sessionWords(): Promise<readonly string[]> {
  return await withHost({}, async (sessions) => {
    if ((await sessions.hostStatus()) === undefined) return [];
    const running = await sessions.running();
    const words = running.flatMap(({ id, name }) => [String(id), ...(name === null ? [] : [name])]);
    // A name with a line end or a tab cannot be typed either.
    return words.filter((word) => !/[\n\t]/.test(word));
  });
}
