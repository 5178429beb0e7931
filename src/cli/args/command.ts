/** The definition of a command: its arguments, its help, and what it does. */

export interface Command {
  readonly name: string;
  /** The first lines of its help. */
  readonly description: string;
  /** By name. Positional ones are in the order in which they are given. */
  readonly args?: ArgSpecs;
  /** Shown by `--help`, each as one would type it. */
  readonly examples: readonly string[];
  /** Resolves with the exit code; with anything else for 0. */
  run(args: Args): Promise<unknown>;
}

export type ArgSpecs = Readonly<Record<string, ArgSpec>>;

export type ArgSpec = PositionalSpec | ProgramSpec | TextFlagSpec | SwitchSpec;

interface PositionalSpec {
  readonly type: "positional";
  readonly description: string;
  /** How the help shows it. Default: its name in capitals. */
  readonly hint?: string;
  readonly isOptional?: true;
  /** Takes any number of words. Only for the last one. */
  readonly isList?: true;
  /** What shells complete it to, where that is known. */
  readonly choices?: readonly string[];
}

/** All words from the first one that is not a flag belong to the program. */
interface ProgramSpec {
  readonly type: "program";
  readonly description: string;
  readonly hint: string;
}

interface TextFlagSpec {
  readonly type: "string";
  readonly description: string;
  /** The name of its value in the help. */
  readonly hint: string;
  readonly short?: string;
  readonly isRequired?: true;
  /** May be repeated. */
  readonly isList?: true;
  /** Only limpet itself passes it, so help and completion do not show it. */
  readonly isHidden?: true;
}

interface SwitchSpec {
  readonly type: "boolean";
  readonly description: string;
  readonly short?: string;
  /** Only limpet itself passes it, so help and completion do not show it. */
  readonly isHidden?: true;
}

/** The values by name: text, true for a switch, a list for an argument that takes several. */
export type Args = Readonly<Record<string, ArgValue | undefined>>;
export type ArgValue = string | true | readonly string[];

/** As the help shows it. */
export function positionalName(name: string, spec: ArgSpec): string {
  return ("hint" in spec ? spec.hint : undefined) ?? name.toUpperCase();
}

export function isFlag(spec: ArgSpec): spec is Extract<ArgSpec, { readonly type: "string" | "boolean" }> {
  return spec.type === "string" || spec.type === "boolean";
}

/** Whether help and completion show this flag. */
export function isOffered(spec: ArgSpec | undefined): boolean {
  return spec !== undefined && isFlag(spec) && !spec.isHidden;
}
