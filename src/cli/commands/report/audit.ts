import { parseDuration } from "../../../base/format/parse-duration.ts";
import { LimpetError } from "../../../base/limpet-error.ts";
import { type AuditLine, parseLine } from "../../../safety/audit/audit-chain.ts";
import type { AuditCheck } from "../../../safety/audit/chain-verifier.ts";
import { verifyLines } from "../../../safety/audit/verify-audit.ts";
import type { Args, Command } from "../../args/command.ts";
import { atArg, jsonArg } from "../../args/common-args.ts";
import { isOn, textOf } from "../../args/read-args.ts";
import { FAILED, OK } from "../../exit-codes.ts";
import { describeAct } from "../../print/describe-act.ts";
import { print, printError, printJson, writeJsonLines, writeText } from "../../print/print.ts";
import { stateDirectory } from "../../settings/settings.ts";
import { withHost } from "../../with-host.ts";
import { type AuditSource, auditAt, auditHere } from "./audit-source.ts";

const DAY_MS = 86_400_000;

const BATCH = 200;

export const audit: Command = {
  name: "audit",
  description: "Show who did what in sessions, oldest first, or check that nobody has changed the file.",
  args: {
    action: {
      type: "positional",
      isOptional: true,
      choices: ["verify"],
      description: "verify: check every line, and report the first that was changed",
    },
    session: { type: "string", short: "s", hint: "ID", description: "Only this session, by id" },
    caller: { type: "string", hint: "NAME", description: "Only this caller" },
    since: {
      type: "string",
      hint: "TIME",
      description: "Only the last 30m, 2h or 7d, or since a date such as 2026-01-31",
    },
    follow: { type: "boolean", short: "f", description: "Print new lines as they are written, until Ctrl+C" },
    state: { type: "string", hint: "DIR", description: "The host's directory. Default: $LIMPET_HOME" },
    ...atArg,
    ...jsonArg("one object per line, as in the file"),
  },
  examples: [
    "limpet audit --since 1h",
    "limpet audit --session 7",
    "limpet audit --caller claude-code --json | jq -r .command",
    "limpet audit verify",
    "limpet audit --at build   # of the host of a place",
  ],
  async run(args) {
    const place = textOf(args, "at");
    const work = async (source: AuditSource) => await actOn(source, args);
    if (place !== undefined) return await withHost(args, (client) => work(auditAt(client, place)));
    return await work(auditHere(stateDirectory({ state: textOf(args, "state") })));
  },
};

async function actOn(source: AuditSource, args: Args): Promise<unknown> {
  const action = textOf(args, "action");
  if (action === "verify") return await verify(source, { isJson: isOn(args, "json") });
  if (action === undefined) return await show(source, args);
  throw new LimpetError(
    "BAD_OPTION",
    `limpet audit has no action ${JSON.stringify(action)}. Use verify, or leave it out.`,
  );
}

async function show(source: AuditSource, args: Args): Promise<void> {
  const isWanted = wantedBy(args);
  const isJson = isOn(args, "json");
  let batch: AuditLine[] = [];
  const flush = async (): Promise<boolean> => {
    const lines = batch;
    batch = [];
    return await (isJson ? writeJsonLines(lines) : writeText(lines.map((line) => `${describeAct(line)}\n`).join("")));
  };
  const follow = isOn(args, "follow");
  let isEmpty = true;
  for await (const { text } of source.lines({ follow })) {
    const line = parseLine(text);
    if (!line || !isWanted(line)) continue;
    batch.push(line);
    isEmpty = false;
    // As with `| head`.
    if ((follow || batch.length >= BATCH) && !(await flush())) return;
  }
  await flush();
  // Not on stdout, which programs read.
  if (isEmpty && !isJson) printError(`Nothing in the audit of ${source.where} matches.`);
}

function wantedBy(args: Args): (line: AuditLine) => boolean {
  const [session, caller] = [textOf(args, "session"), textOf(args, "caller")];
  const sinceMs = sinceOf(args);
  return (line) => {
    if (session !== undefined && String("session" in line ? line.session : "") !== session) return false;
    if (caller !== undefined && ("caller" in line ? line.caller : undefined) !== caller) return false;
    return sinceMs === undefined || Date.parse(line.time) >= sinceMs;
  };
}

/** Milliseconds since 1970; undefined without `--since`. */
function sinceOf(args: Args): number | undefined {
  const text = textOf(args, "since");
  if (text === undefined) return undefined;
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined) return Date.now() - Number(days) * DAY_MS;
  const dateMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  const agoMs = Number.isNaN(dateMs) ? parseDuration(text, "s") : Date.now() - dateMs;
  if (agoMs !== undefined) return Date.now() - agoMs;
  const given = `--since is ${JSON.stringify(text)}.`;
  throw new LimpetError("BAD_OPTION", `${given} Give a time such as 10m, 2h or 7d, or a date such as 2026-11-17.`);
}

async function verify(source: AuditSource, { isJson }: { readonly isJson: boolean }): Promise<number> {
  const { where, files } = source;
  const written = await source.written();
  const check = await verifyLines({ lines: source.lines({ follow: false }), files, written });
  if (isJson) printJson({ ...check, isHostAsked: written !== undefined });
  else print(describeCheck(check, { where, files: files(), isHostAsked: written !== undefined }));
  return check.broken ? FAILED : OK;
}

interface CheckOf {
  readonly where: string;
  readonly files: number;
  readonly isHostAsked: boolean;
}

function describeCheck(check: AuditCheck, { where, files, isHostAsked }: CheckOf): string {
  const { lines, first, end, torn, missing, broken } = check;
  if (broken) {
    return `BROKEN: ${broken.file} line ${broken.line} ${broken.problem}. The lines before it are unchanged.`;
  }
  if (lines === 0) return `No audit in ${where}.`;
  const notes = [
    ...(first > 1 ? [`Lines before number ${first} were removed with the oldest file.`] : []),
    ...(torn > 0 ? [`${torn} incomplete: their writer was killed.`] : []),
    ...(missing > 0 ? [`${missing} acts are missing, because the disk could not be written.`] : []),
    isHostAsked
      ? "The last line is the one that the host wrote last."
      : "No host is running, so limpet cannot detect lines that were removed from the end.",
  ];
  return [
    `${lines} lines in ${files} ${files === 1 ? "file" : "files"}, all unchanged.`,
    ...notes,
    `Last: number ${end.number}, hash ${end.hash}`,
  ].join("\n");
}
