/**
 * Converts what a model sent to the expected types if the meaning is clear, such as "5" for 5. Leaves everything else
 * as it is, for the schema to refuse. Pure.
 */
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import type { Args } from "./synonyms.ts";

/** What a string parameter holds, if its type alone does not say. */
export const textKinds: z.core.$ZodRegistry<{ readonly kind: "name" | "directory" }, z.ZodString> = z.registry();

/** Undefined: directories stay as they are. */
type CoerceOptions =
  | {
      /** What `~` stands for. */
      readonly home: string;
      /** What a relative directory is relative to. */
      readonly cwd: () => string;
    }
  | undefined;

interface Expected {
  readonly type: z.core.$ZodTypes;
  /** The parameter may be missing. */
  readonly isOptional: boolean;
  /** Null and an empty string are values, not omissions. */
  readonly isNullable: boolean;
}

export function coerceArgs(shape: z.core.$ZodShape, args: Args, options: CoerceOptions): Args {
  const coerced = Object.entries(args).map(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return [name, field ? coerceArg(unwrap(field), value, options) : value] as const;
  });
  return Object.fromEntries(coerced.filter(([, value]) => value !== undefined));
}

/** Undefined if the value means that the parameter is missing. */
function coerceArg({ type, isOptional, isNullable }: Expected, value: unknown, options: CoerceOptions): unknown {
  const coerced = convert(type, value, options);
  return isOptional && !isNullable && isOmission(type, coerced) ? undefined : coerced;
}

function unwrap(field: z.core.$ZodType): Expected {
  const type = field as z.core.$ZodTypes;
  const { def } = type._zod;
  switch (def.type) {
    case "optional":
    case "default":
      return { ...unwrap(def.innerType), isOptional: true };
    case "nullable":
      return { ...unwrap(def.innerType), isNullable: true };
    case "pipe":
      return unwrap(def.in);
    default:
      return { type, isOptional: false, isNullable: false };
  }
}

function isOmission(type: z.core.$ZodTypes, value: unknown): boolean {
  if (value === null) return true;
  return value === "" && ["string", "union", "array"].includes(type._zod.def.type);
}

function convert(type: z.core.$ZodTypes, value: unknown, options: CoerceOptions): unknown {
  const { def } = type._zod;
  switch (def.type) {
    case "number":
      return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
    case "boolean":
      return choose(["true", "false"], value, (word) => word === "true");
    case "enum":
      return choose(Object.values(def.entries), value, (choice) => choice);
    case "string":
      return typeof value === "string" ? textOf(type as z.ZodString, value, options) : value;
    // An id or a name.
    case "union":
      return typeof value === "string" ? value.trim() : value;
    case "array": {
      const { type: element } = unwrap(def.element);
      const list = isScalar(value) && value !== "" ? [value] : value;
      return Array.isArray(list) ? list.map((each) => convert(element, each, options)) : list;
    }
    case "record":
      return unwrap(def.valueType).type._zod.def.type === "string" ? withStrings(value) : value;
    default:
      return value;
  }
}

function choose<Choice, Value>(
  choices: readonly Choice[],
  value: unknown,
  toValue: (choice: Choice) => Value,
): Value | unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  const found = choices.find((choice) => String(choice).toLowerCase() === word);
  return found === undefined ? value : toValue(found);
}

function textOf(type: z.ZodString, text: string, here: CoerceOptions): string {
  switch (textKinds.get(type)?.kind) {
    case "name":
      return text.trim();
    case "directory":
      if (!here || text === "" || isAbsolute(text)) return text;
      return text === "~" || text.startsWith("~/") ? here.home + text.slice(1) : join(here.cwd(), text);
    default:
      return text;
  }
}

function withStrings(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, isScalar(each) ? String(each) : each] as const),
  );
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
