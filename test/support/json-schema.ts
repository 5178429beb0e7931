/** The part of JSON Schema that the tools' output schemas use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: Schema;
}

/** All places where a value is not what the schema says. */
export function mismatches(schema: Schema, value: unknown, at = "$"): string[] {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) {
    return [`${at} is ${JSON.stringify(value)}, not ${types.join(" or ")}`];
  }
  const wrong: string[] = [];
  if (schema.enum && !schema.enum.includes(value)) wrong.push(`${at} is none of ${JSON.stringify(schema.enum)}`);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) wrong.push(...value.flatMap((item, index) => mismatches(items, item, `${at}[${index}]`)));
  } else if (typeof value === "object" && value !== null) {
    wrong.push(...objectMismatches(schema, value as Record<string, unknown>, at));
  }
  return wrong;
}

function objectMismatches(schema: Schema, value: Record<string, unknown>, at: string): string[] {
  const { properties = {}, required = [] } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name} is missing`);
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) return mismatches(known, field, `${at}.${name}`);
    return schema.additionalProperties === false ? [`${at}.${name} is not expected`] : [];
  });
  return [...missing, ...fields];
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
