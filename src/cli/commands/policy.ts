import { LimpetError } from "../../base/limpet-error.ts";
import type { Args, Command } from "../args/command.ts";
import { jsonArg } from "../args/common-args.ts";
import { isOn, listOf, requiredText, textOf } from "../args/read-args.ts";
import type { PolicyReport } from "../policy/policy-report.ts";
import { print, printJson } from "../print/print.ts";
import { policySettings } from "../settings/settings.ts";

const ACTIONS = ["check", "show", "test", "init", "import"] as const;

export const policy: Command = {
  name: "policy",
  description: "Manage the rules for agents' commands: what may run, what needs your approval, and what is denied.",
  args: {
    action: { type: "positional", choices: ACTIONS, description: `One of ${ACTIONS.join(", ")}` },
    words: {
      type: "positional",
      isOptional: true,
      isList: true,
      hint: "WORD…",
      description: "check: the command. import: claude or codex, and a file",
    },
    preset: {
      type: "string",
      hint: "careful|read-only",
      description: "init: the rules to start with. Default: careful",
    },
    write: { type: "boolean", description: "import: add the rules to your policy instead of printing them" },
    force: { type: "boolean", description: "init: replace your policy" },
    shell: { type: "string", hint: "SHELL", description: "check: the shell that would run it. Default: bash" },
    input: { type: "string", hint: "PROGRAM", description: "check: the command is typed into this program" },
    ...jsonArg(),
  },
  examples: [
    "limpet policy check 'git push && rm -rf build'   # the parse, the rules and the verdict",
    "limpet policy show                               # the rules and their files",
    "limpet policy test                               # checks the examples in the files",
    "limpet policy init --preset careful              # writes rules to begin with",
    "limpet policy import claude --write              # takes over Bash(…) permissions",
    "limpet policy import codex team.rules            # prints prefix rules as a policy",
  ],
  async run(args) {
    const report = await reportOf(requiredText(args, "action"), args);
    if (isOn(args, "json")) printJson(report.json);
    else print(report.text);
    return report.exitCode;
  },
};

/** The parser is loaded only here: most commands do not need it. */
async function reportOf(action: string, args: Args): Promise<PolicyReport> {
  const settings = policySettings();
  const words = listOf(args, "words");
  switch (action) {
    case "check": {
      const { checkCommand } = await import("../policy/check-command.ts");
      const [shell, input] = [textOf(args, "shell") ?? "bash", textOf(args, "input")];
      return checkCommand(words, { ...settings, shell, input });
    }
    case "show":
      return (await import("../policy/show-policy.ts")).showPolicy(settings);
    case "test":
      return (await import("../policy/show-policy.ts")).testPolicy(settings);
    case "init": {
      const { initPolicy } = await import("../policy/init-policy.ts");
      const preset = textOf(args, "preset") ?? "careful";
      return initPolicy({ ...settings, preset, isForced: isOn(args, "force") });
    }
    case "import": {
      const { importPolicy } = await import("../policy/import-policy.ts");
      return importPolicy(words, { ...settings, isWritten: isOn(args, "write") });
    }
    default:
      throw new LimpetError(
        "BAD_OPTION",
        `limpet policy has no action ${JSON.stringify(action)}. Use one of: ${ACTIONS.join(", ")}.`,
      );
  }
}
