/** Addresses of what can be read of a session without a tool. */

export const OUTPUT_TEMPLATE = "limpet://sessions/{session}/output";

const OUTPUT = /^limpet:\/\/sessions\/([^/?#]+)\/output$/;

export function outputUri(id: number): string {
  return `limpet://sessions/${id}/output`;
}

/** The id or name of the session; undefined where the address is not one of ours. */
export function sessionOf(uri: string): string | undefined {
  const part = OUTPUT.exec(uri)?.[1];
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
