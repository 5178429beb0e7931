/**
 * `limpet setup CLIENT`: prints the configuration that makes a client start limpet, or adds it to the client's file.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import { hasJsonObject, mergeJson } from "../../config/jsonc.ts";
import {
  type ClientConfig,
  type ClientDirectories,
  clientConfig,
  requireClient,
  type ServerCommand,
} from "./clients.ts";
import { fileExists, readConfig, replaceConfig } from "./config-file.ts";
import { mergeToml, printTable, type TomlEntry } from "./merge-toml.ts";

const SERVER_NAME = "limpet";

export interface SetupRequest extends ClientDirectories {
  readonly client: string;
  /** Add it to the client's file. Default: only print it. */
  readonly write?: boolean;
  /** The command that starts the server. Default: `limpet mcp`. */
  readonly server?: ServerCommand;
}

export interface SetupReport {
  /** The lines to print. */
  readonly lines: readonly string[];
  readonly client: string;
  readonly file: string;
  /** The configuration to add to the file. */
  readonly config: string;
  readonly isChanged: boolean;
  /** Where the previous file was saved. */
  readonly backup: string | null;
}

export async function setup(request: SetupRequest): Promise<SetupReport> {
  const client = requireClient(request.client);
  const form = clientConfig(client, request, request.server ?? { command: "limpet", args: ["mcp"] });
  const file = await fileOf(form);
  const config = describe(form);
  const report = { client, file, config, isChanged: false, backup: null };
  if (!request.write) return { ...report, lines: [`Add this to ${file}:`, "", ...config.split("\n")] };
  const before = await readConfig(file);
  const after = namingFile(file, () => merge(form, before));
  if (after === before) return { ...report, lines: [`${file} already has limpet. Nothing changed.`] };
  const backup = await replaceConfig(file, after);
  const kept = backup ? [`Saved the previous file as ${backup}.`] : [];
  return {
    ...report,
    isChanged: true,
    backup,
    lines: [
      isIn(form, before) ? `Updated limpet in ${file}.` : `Added limpet to ${file}.`,
      ...kept,
      `Restart ${client} to use it.`,
    ],
  };
}

/** Pure. The text of the file with limpet added. */
function merge(form: ClientConfig, text: string): string {
  if (form.format === "toml") return mergeToml(text, pathIn(form, text), form.entry as TomlEntry);
  return mergeJson(text, pathIn(form, text), form.entry);
}

/** An entry in a TOML file is never replaced. */
function isIn(form: ClientConfig, text: string): boolean {
  return form.format === "json" && hasJsonObject(text, pathIn(form, text));
}

function pathIn({ lists, format }: ClientConfig, text: string): readonly string[] {
  const deepest = format === "json" ? lists.findLast((list) => hasJsonObject(text, list)) : undefined;
  return [...(deepest ?? lists[0] ?? []), SERVER_NAME];
}

function describe(form: ClientConfig): string {
  if (form.format === "toml") return printTable(pathIn(form, ""), form.entry as TomlEntry).join("\n");
  return mergeJson("", pathIn(form, ""), form.entry).trimEnd();
}

async function fileOf({ files: [first = "", ...others] }: ClientConfig): Promise<string> {
  if (await fileExists(first)) return first;
  for (const other of others) if (await fileExists(other)) return other;
  return first;
}

function namingFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    throw new LimpetError(cause.code, `${file}: ${cause.message}`, { cause });
  }
}
