/** Imports rules from another agent's configuration: prints them, or adds them to the user's policy. */
import { join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { addPolicyRules, textOf } from "../../config/edit-policy.ts";
import { parseJsonc } from "../../config/jsonc/read-jsonc.ts";
import { importClaude } from "../../safety/policy/sources/import-claude.ts";
import { importCodex } from "../../safety/policy/sources/import-codex.ts";
import type { ImportedRules } from "../../safety/policy/sources/rule-text.ts";
import { OK } from "../exit-codes.ts";
import type { PolicyReport, PolicySettings } from "./policy-report.ts";

interface ImportRequest extends PolicySettings {
  /** Add them to the user's file. */
  readonly isWritten: boolean;
}

const SOURCES = ["claude", "codex"] as const;

export function importPolicy([from = "", given]: readonly string[], request: ImportRequest): PolicyReport {
  const { userFile, claudeHome, codexHome, isWritten } = request;
  const source = SOURCES.find((each) => each === from);
  if (!source)
    throw new LimpetError(
      "BAD_OPTION",
      `Cannot import from ${JSON.stringify(from)}. Use one of: ${SOURCES.join(", ")}.`,
    );
  const usual = source === "claude" ? join(claudeHome, "settings.json") : join(codexHome, "rules", "default.rules");
  const file = given ?? usual;
  const text = textOf(file);
  if (text === undefined) throw new LimpetError("BAD_OPTION", `${file} does not exist. Name the file to import.`);
  const { rules, notes } = read(file, () => (source === "claude" ? importClaude(parseJsonc(text)) : importCodex(text)));
  if (isWritten) addPolicyRules(userFile, rules);
  return {
    text: isWritten
      ? [...notes, `Added ${rules.length} rules from ${file} to ${userFile}.`].join("\n")
      : [...notes.map((note) => `// ${note}`), JSON.stringify({ rules }, null, 2)].join("\n"),
    json: { from: file, rules, notes, writtenTo: isWritten ? userFile : null },
    exitCode: OK,
  };
}

function read(file: string, parse: () => ImportedRules): ImportedRules {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    throw new LimpetError("BAD_POLICY", `${file}: ${cause.message}`, { cause });
  }
}
