/** Checks whether the agent clients on this machine can start limpet: each one that is installed. */
import { access, constants, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { readJsonAt } from "../../config/jsonc/read-jsonc.ts";
import { type ClientPlaces, serverFiles } from "../setup/client-files.ts";
import { CLIENTS, type ClientName, clientConfig } from "../setup/clients.ts";
import { readConfig } from "../setup/config-file.ts";
import { parseToml } from "../setup/parse-toml.ts";
import { type Finding, reasonOf } from "./finding.ts";

const SERVER_NAME = "limpet";
/** The programs of clients whose name is another one. */
const PROGRAMS: Readonly<Partial<Record<ClientName, string>>> = { vscode: "code" };
/** Only the form of an entry matters here. */
const ANY = { command: SERVER_NAME, args: ["mcp"] } as const;
/** Of an entry that names a server which runs already. */
const ADDRESS_KEYS = ["url", "httpUrl", "serverUrl"] as const;

interface ClientsRequest extends ClientPlaces {
  /** Where to look for programs, in the form of PATH. */
  readonly path: string;
}

/** Nothing for a client that is not installed. */
export async function checkClients(request: ClientsRequest): Promise<readonly Finding[]> {
  const findings = await Promise.all(CLIENTS.map((client) => checkClient(client, request)));
  return findings.filter((finding) => finding !== undefined);
}

async function checkClient(client: ClientName, request: ClientsRequest): Promise<Finding | undefined> {
  const check = `client ${client}`;
  const files = serverFiles(client, "user", request);
  const file = (await firstThere(files)) ?? files[0] ?? "";
  const isInstalled =
    (await isThere(file)) ||
    // The home directory always exists, so it shows nothing.
    (dirname(file) !== request.home && (await isThere(dirname(file)))) ||
    (await findProgram(PROGRAMS[client] ?? client, request.path)) !== undefined;
  if (!isInstalled) return undefined;
  const again = `Run: limpet setup ${client} --write.`;
  try {
    const entry = entryOf(client, await readConfig(file));
    if (entry === undefined) {
      const what = `${file} does not list limpet`;
      return { check, verdict: "ok", what, meaning: `Its agent does not use limpet. To change that, ${lower(again)}` };
    }
    const address = ADDRESS_KEYS.map((key) => entry[key]).find((value) => typeof value === "string");
    if (address !== undefined) {
      const meaning = "Its agent can use limpet while that is served, with a token: see limpet token.";
      return { check, verdict: "ok", what: `${file} connects to ${address}`, meaning };
    }
    const words = [entry["command"], entry["args"] ?? []].flat().filter((word) => typeof word === "string");
    const problem = await problemOf(words, request.path);
    return problem === undefined
      ? { check, verdict: "ok", what: `${file} starts ${words.join(" ")}`, meaning: "Its agent can use limpet." }
      : { check, verdict: "warn", what: `${file} starts ${words.join(" ")}, but ${problem}`, meaning: again };
  } catch (error) {
    const meaning = `Its agent may not start limpet. Fix the file, then: limpet setup ${client} --write.`;
    return { check, verdict: "warn", what: `${file}: ${reasonOf(error)}`, meaning };
  }
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Pure: how the client reaches limpet; undefined if there is no entry. Throws if the file is broken. */
function entryOf(client: ClientName, text: string): Readonly<Record<string, unknown>> | undefined {
  const { format, lists } = clientConfig(client, ANY);
  const entries = lists.map((list) =>
    format === "toml" ? valueAt(parseToml(text), [...list, SERVER_NAME]) : readJsonAt(text, [...list, SERVER_NAME]),
  );
  return entries.find((value) => typeof value === "object" && value !== null) as
    | Readonly<Record<string, unknown>>
    | undefined;
}

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  return valueAt((value as Readonly<Record<string, unknown>>)[key], rest);
}

/** What keeps the command from starting. */
async function problemOf([program = "", ...args]: readonly string[], path: string): Promise<string | undefined> {
  if (program === "") return "no command is given";
  if ((await findProgram(program, path)) === undefined) return `${program} is not there or not executable`;
  const script = args.find((word) => isAbsolute(word));
  return script !== undefined && !(await isThere(script)) ? `${script} does not exist` : undefined;
}

async function findProgram(name: string, path: string): Promise<string | undefined> {
  const files = name.includes("/")
    ? [name]
    : path
        .split(":")
        .filter(Boolean)
        .map((folder) => join(folder, name));
  for (const file of files) {
    const isExecutable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return file;
  }
  return undefined;
}

async function firstThere(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await isThere(file)) return file;
  return undefined;
}

async function isThere(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
