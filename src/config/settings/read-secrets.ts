/** The settings about secrets: where their values come from, what is written about them, and what a model may see. */
import { isAbsolute } from "node:path";
import { isSecretName, type SecretSource } from "../../safety/secrets/secret-source.ts";
import type { SecretJournals } from "../../service/secrets/secrets.ts";
import { badSetting, type GivenSetting, isRecord, isText } from "./bad-setting.ts";

const REMEDY =
  'Use names with a source each, such as { "sudo": { "command": ["pass", "show", "sudo"] } }, { "file": "~/token" } or { "env": "TOKEN" }.';

/** The values are read when they are used. */
export function readSecrets(given: GivenSetting): Readonly<Record<string, SecretSource>> {
  const { value } = given;
  if (!isRecord(value)) throw badSetting(given, "has a bad value for secrets", REMEDY);
  const entries = Object.entries(value).map(([name, source]) => {
    const read = isSecretName(name) ? sourceOf(source, given.home) : undefined;
    if (!read) throw badSetting(given, `has a bad secret ${JSON.stringify(name)}`, REMEDY);
    return [name, read] as const;
  });
  return Object.fromEntries(entries);
}

function sourceOf(value: unknown, home: string): SecretSource | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 1) return undefined;
  const { command, file, env } = value as Partial<Record<"command" | "file" | "env", unknown>>;
  if (Array.isArray(command) && command.length > 0 && command.every(isText) && command[0] !== "") {
    return { command: command as [string, ...string[]] };
  }
  if (isText(file)) {
    const path = file.replace(/^~(?=\/|$)/, home);
    return isAbsolute(path) ? { file: path } : undefined;
  }
  return isText(env) && env !== "" ? { env } : undefined;
}

export function readSecretJournals(given: GivenSetting): SecretJournals {
  const { value } = given;
  if (value === "redacted" || value === "none") return value;
  throw badSetting(given, `has ${JSON.stringify(value)} for secretJournals`, 'Use "redacted" or "none".');
}

export interface RedactSettings {
  /** Mask what looks like a well-known token in everything a model reads. */
  readonly patterns?: boolean;
}

export function readRedact(given: GivenSetting): RedactSettings {
  const { value } = given;
  const isKnown =
    isRecord(value) && Object.entries(value).every(([key, on]) => key === "patterns" && typeof on === "boolean");
  if (isKnown) return value as RedactSettings;
  throw badSetting(
    given,
    `has ${JSON.stringify(value)} for redact`,
    'Use { "patterns": true } or { "patterns": false }.',
  );
}
