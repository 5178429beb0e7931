/** What `limpet COMMAND --help` prints. Pure. */
import { type ArgSpec, type Command, isOffered, positionalName } from "../args/command.ts";

type Row = readonly [left: string, description: string];

export function commandHelp({ name, description, args = {}, examples }: Command): string {
  const positionals = Object.entries(args).filter(([, { type }]) => type === "positional" || type === "program");
  const flags = Object.entries(args).filter(([, spec]) => isOffered(spec));
  const usage = ["limpet", name, ...(flags.length > 0 ? ["[OPTIONS]"] : []), ...positionals.map(usageWord)];
  return [
    description,
    `USAGE ${usage.join(" ")}`,
    ...section("ARGUMENTS", positionals.map(positionalRow)),
    ...section("OPTIONS", flags.map(flagRow)),
    ["EXAMPLES", "", ...examples.map((example) => `  ${example}`)].join("\n"),
  ].join("\n\n");
}

function section(title: string, rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [[title, "", ...rows.map(([left, text]) => `  ${left.padEnd(width)}  ${text}`)].join("\n")];
}

function usageWord([name, spec]: [string, ArgSpec]): string {
  const word = positionalName(name, spec);
  return spec.type === "positional" && spec.isOptional ? `[${word}]` : `<${word}>`;
}

function positionalRow([name, spec]: [string, ArgSpec]): Row {
  return [positionalName(name, spec), spec.description];
}

function flagRow([name, spec]: [string, ArgSpec]): Row {
  const short = "short" in spec && spec.short !== undefined ? `-${spec.short}, ` : "    ";
  const value = spec.type === "string" ? `=${spec.hint}` : "";
  const isRequired = spec.type === "string" && spec.isRequired;
  return [`${short}--${name}${value}`, `${spec.description}${isRequired ? " (required)" : ""}`];
}
