/** Requests to the server that this page came from. */
import type { ErrorMessage } from "../../api/messages.ts";

/** What the server refused, in its words. `status` 0: it did not answer. */
export class CallError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(status: number, { code, message }: ErrorMessage["error"]) {
    super(message);
    this.name = "CallError";
    this.code = code;
    this.status = status;
  }
}

export async function call<T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
  const response = await ask(method, path, body);
  const answer = await response.text();
  if (response.ok) return (answer === "" ? undefined : JSON.parse(answer)) as T;
  throw new CallError(response.status, errorOf(answer, response.status));
}

async function ask(method: string, path: string, body: unknown): Promise<Response> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  try {
    return await fetch(path, { method, credentials: "same-origin", cache: "no-store", redirect: "error", ...sent });
  } catch {
    throw new CallError(0, {
      code: "NO_ANSWER",
      message: "limpet web does not answer. The page tries again by itself.",
    });
  }
}

function errorOf(answer: string, status: number): ErrorMessage["error"] {
  try {
    const { error } = JSON.parse(answer) as Partial<ErrorMessage>;
    if (typeof error?.message === "string") return error;
  } catch {
    // Not from our server: a proxy answers with HTML.
  }
  return { code: "UNKNOWN", message: `The server answered with status ${status}. Reload the page.` };
}
