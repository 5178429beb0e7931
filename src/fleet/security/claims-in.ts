/** The claims of a JSON web token. Does not check the signature. Undefined for text that is not a token. Pure. */
export function claimsIn(
  token: string,
): { readonly name: string; readonly nats: Readonly<Record<string, unknown>> } | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const { name, nats } = claims as { readonly name?: unknown; readonly nats?: unknown };
    return typeof name === "string" && typeof nats === "object" && nats !== null
      ? { name, nats: nats as Record<string, unknown> }
      : undefined;
  } catch {
    return undefined;
  }
}
