/**
 * Pure: what a model sent, in the types that were asked for, where it is plain what it meant. Anything else stays as it is,
 * to be refused with what would be right.
 */
import { z } from "zod";

/** What a text stands for, where its type alone does not tell. */
export const meanings: z.core.$ZodRegistry<{ readonly kind: "name" | "directory" }, z.ZodString> = z.registry();

interface Surroundings {
  readonly home: string;
}

interface Wanted {
  readonly type: z.core.$ZodTypes;
  /** It may be left out. */
  readonly isOptional: boolean;
  /** To it, null and an empty text are values of their own. */
  readonly isNullable: boolean;
}

type Args = Readonly<Record<string, unknown>>;

export function coerceArgs(shape: z.core.$ZodShape, args: Args, surroundings: Surroundings): Args {
  const meant = Object.entries(args).map(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return [name, field ? meantAs(unwrap(field), value, surroundings) : value] as const;
  });
  return Object.fromEntries(meant.filter(([, value]) => value !== undefined));
}

/** Undefined where nothing was meant. */
function meantAs({ type, isOptional, isNullable }: Wanted, value: unknown, surroundings: Surroundings): unknown {
  const given = typed(type, value, surroundings);
  return isOptional && !isNullable && isNothing(type, given) ? undefined : given;
}

function unwrap(field: z.core.$ZodType): Wanted {
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

function isNothing(type: z.core.$ZodTypes, value: unknown): boolean {
  if (value === null) return true;
  return value === "" && ["string", "union", "array"].includes(type._zod.def.type);
}

function typed(type: z.core.$ZodTypes, value: unknown, surroundings: Surroundings): unknown {
  const { def } = type._zod;
  switch (def.type) {
    case "number":
      return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
    case "boolean":
      return choose(["true", "false"], value, (word) => word === "true");
    case "enum":
      return choose(Object.values(def.entries), value, (choice) => choice);
    case "string":
      return typeof value === "string" ? textOf(type as z.ZodString, value, surroundings) : value;
    // An id or a name.
    case "union":
      return typeof value === "string" ? value.trim() : value;
    case "array": {
      const { type: element } = unwrap(def.element);
      const list = isScalar(value) && value !== "" ? [value] : value;
      return Array.isArray(list) ? list.map((each) => typed(element, each, surroundings)) : list;
    }
    case "record":
      return unwrap(def.valueType).type._zod.def.type === "string" ? withTexts(value) : value;
    default:
      return value;
  }
}

function choose<Choice, Meant>(
  choices: readonly Choice[],
  value: unknown,
  meaning: (choice: Choice) => Meant,
): Meant | unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  const found = choices.find((choice) => String(choice).toLowerCase() === word);
  return found === undefined ? value : meaning(found);
}

function textOf(type: z.ZodString, text: string, { home }: Surroundings): string {
  switch (meanings.get(type)?.kind) {
    case "name":
      return text.trim();
    case "directory":
      return text === "~" || text.startsWith("~/") ? home + text.slice(1) : text;
    default:
      return text;
  }
}

function withTexts(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, isScalar(each) ? String(each) : each] as const),
  );
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
