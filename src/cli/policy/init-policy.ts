/** `limpet policy init`: writes the rules of a preset. */
import { existsSync } from "node:fs";
import { LimpetError } from "../../base/limpet-error.ts";
import { writePolicy } from "../../config/edit-policy.ts";
import { PRESETS, presetText } from "../../safety/policy/sources/presets.ts";
import { OK } from "../exit-codes.ts";
import type { PolicyReport, PolicySettings } from "./policy-report.ts";

interface InitRequest extends PolicySettings {
  readonly preset: string;
  /** Replace an existing file. */
  readonly isForced: boolean;
}

export function initPolicy({ userFile, preset: name, isForced }: InitRequest): PolicyReport {
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (!preset) {
    const known = Object.keys(PRESETS).join(", ");
    throw new LimpetError("BAD_OPTION", `Unknown preset ${JSON.stringify(name)}. Give --preset one of: ${known}.`);
  }
  if (existsSync(userFile) && !isForced)
    throw new LimpetError("BAD_OPTION", `${userFile} already exists. Give --force to replace it.`);
  writePolicy(userFile, presetText(preset));
  const lines = [`Wrote ${userFile}: ${preset.description}`, "See limpet policy show, and limpet policy check 'CMD'."];
  return { text: lines.join("\n"), json: { file: userFile, preset: name }, exitCode: OK };
}
