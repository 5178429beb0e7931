/**
 * `limpet setup CLIENT`: prints the configuration that makes a client start limpet, adds it to the client's file, or
 * removes it. Does the same for lines that tell the agent when to use limpet.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import { mergeJson, removeJson } from "../../config/jsonc/edit-jsonc.ts";
import { hasJsonObject, readJsonAt } from "../../config/jsonc/read-jsonc.ts";
import {
  type ClientPlaces,
  findInstructionsFile,
  instructionsFile,
  SCOPES,
  type Scope,
  serverFiles,
} from "./client-files.ts";
import { type ClientConfig, type ClientServer, clientConfig, projectNotes, requireClient } from "./clients.ts";
import { fileExists, readConfig, replaceConfig } from "./config-file.ts";
import { type Change, describeSetup } from "./describe-setup.ts";
import { hasToml, mergeToml, printTable, removeToml, type TomlEntry } from "./edit-toml.ts";
import { BEGIN, INSTRUCTIONS, mergeInstructions, removeInstructions } from "./instructions.ts";

const SERVER_NAME = "limpet";

type SetupAction = "print" | "write" | "remove";

export interface SetupRequest extends ClientPlaces {
  readonly client: string;
  /** Default: only print what to add. */
  readonly action?: SetupAction;
  /** `user` or `project`. Default: `user`. */
  readonly scope?: string | undefined;
  /** Also the lines that tell the agent when to use limpet. */
  readonly instructions?: boolean;
  /** The command that starts the server, or its address. Default: `limpet mcp`. */
  readonly server?: ClientServer;
  /** The places of the person, by name. Default: none. */
  readonly places?: readonly string[];
}

export interface SetupReport {
  /** The lines to print. */
  readonly lines: readonly string[];
  readonly client: string;
  /** The change of the client's list of servers, and of the agent's instructions if that was asked for. */
  readonly config: Change;
  readonly instructions: Change | null;
}

export async function setup(request: SetupRequest): Promise<SetupReport> {
  const { action = "print", server = { command: "limpet", args: ["mcp"] } } = request;
  const client = requireClient(request.client);
  const scope = requireScope(request.scope ?? "user");
  const form = clientConfig(client, server);
  // Both files are known before the first one is changed.
  const file = await firstExisting(serverFiles(client, scope, request));
  const guide = request.instructions ? instructionsFile(client, scope, request) : undefined;
  const config = await change(file, action, {
    text: describe(form),
    has: (text) => hasEntry(form, text),
    merge: (text) => merge(form, text),
    remove: (text) => remove(form, text),
  });
  const instructions = guide === undefined ? null : await change(guide, action, INSTRUCTIONS_PART);
  const notes = [
    ...form.notes,
    ...(scope === "project" ? projectNotes(client, server) : []),
    ...placeNotes(request.places ?? []),
  ];
  const isLeft = action === "remove" && guide === undefined;
  const left = isLeft ? await leftLines(findInstructionsFile(client, scope, request)) : [];
  const lines = [...describeSetup({ client, action, config, instructions, notes }), ...left];
  return { client, config, instructions, lines };
}

/** Reports instructions about limpet that are still in the file after a removal. */
async function leftLines(guide: string | undefined): Promise<string[]> {
  const text = guide === undefined ? "" : await readConfig(guide).catch(() => "");
  return text.includes(BEGIN) ? [`${guide} still has instructions about limpet. Remove them with --instructions.`] : [];
}

function placeNotes(places: readonly string[]): string[] {
  if (places.length === 0) return [];
  return [`The agent can also start programs at ${places.join(", ")}, as config.json says under places.`];
}

/** What is put into a file, and how. The functions are pure. */
interface Part {
  readonly text: string;
  readonly has: (text: string) => boolean;
  readonly merge: (text: string) => string;
  readonly remove: (text: string) => string;
}

const INSTRUCTIONS_PART: Part = {
  text: INSTRUCTIONS,
  has: (text) => removeInstructions(text) !== text,
  merge: mergeInstructions,
  remove: removeInstructions,
};

async function change(file: string, action: SetupAction, part: Part): Promise<Change> {
  const { text } = part;
  if (action === "print") return { file, text, isChanged: false, isNew: false, backup: null };
  const before = await readConfig(file);
  const [after, isNew] = namingFile(file, () => [
    part[action === "write" ? "merge" : "remove"](before),
    !part.has(before),
  ]);
  const isChanged = after !== before;
  const backup = isChanged ? await replaceConfig(file, after) : null;
  return { file, text, isChanged, isNew, backup };
}

/** What the user has added to the entry stays, unless the entry was of the other kind. */
function merge(form: ClientConfig, before: string): string {
  const text = isOtherKind(form, before) ? remove(form, before) : before;
  if (form.format === "toml") return mergeToml(text, pathIn(form, text), form.entry as TomlEntry);
  return mergeJson(text, pathIn(form, text), form.entry);
}

function isOtherKind(form: ClientConfig, text: string): boolean {
  const path = pathIn(form, text);
  if (form.format === "toml") return form.others.some((key) => hasToml(text, [...path, key]));
  const entry = (readJsonAt(text, path) ?? {}) as object;
  return form.others.some((key) => key in entry);
}

/** From each of the lists that the client reads. */
function remove({ format, lists }: ClientConfig, text: string): string {
  const removeFrom = format === "toml" ? removeToml : removeJson;
  return lists.reduceRight((now, list) => removeFrom(now, [...list, SERVER_NAME]), text);
}

function hasEntry(form: ClientConfig, text: string): boolean {
  const path = pathIn(form, text);
  return form.format === "toml" ? hasToml(text, path) : hasJsonObject(text, path);
}

function pathIn({ lists, format }: ClientConfig, text: string): readonly string[] {
  const deepest = format === "json" ? lists.findLast((list) => hasJsonObject(text, list)) : undefined;
  return [...(deepest ?? lists[0] ?? []), SERVER_NAME];
}

function describe(form: ClientConfig): string {
  if (form.format === "toml") return printTable(pathIn(form, ""), form.entry as TomlEntry).join("\n");
  return mergeJson("", pathIn(form, ""), form.entry).trimEnd();
}

function requireScope(name: string): Scope {
  const scope = SCOPES.find((candidate) => candidate === name);
  if (scope) return scope;
  throw new LimpetError("BAD_OPTION", `--scope is ${JSON.stringify(name)}. Use one of: ${SCOPES.join(", ")}.`);
}

async function firstExisting([first = "", ...others]: readonly string[]): Promise<string> {
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
