/** Requests to a web server by the address of its links. */
import { type IncomingHttpHeaders, request } from "node:http";
import { LONG_MS } from "../watching.ts";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly socketPath?: string;
}

/** To the address of a link, whose name this process cannot resolve. */
export function ask(
  base: string,
  path: string,
  { method = "GET", headers = {}, body, socketPath }: Asked = {},
): Promise<Reply> {
  const { host, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const where = socketPath === undefined ? { host: "127.0.0.1", port } : { socketPath };
    const own = { Host: host, Origin: `http://${host}`, Connection: "close", ...headers };
    const asked = request({ ...where, method, path, headers: own, timeout: LONG_MS }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      );
      answer.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

export const JSON_BODY: Readonly<Record<string, string>> = { "Content-Type": "application/json" };

export async function signIn(link: string, socketPath?: string): Promise<Reply & { readonly cookie: string }> {
  const { origin, hash } = new URL(link);
  const body = JSON.stringify({ key: hash.slice("#key=".length) });
  const via = socketPath === undefined ? {} : { socketPath };
  const reply = await ask(origin, "/api/sign-in", { method: "POST", headers: JSON_BODY, body, ...via });
  return { ...reply, cookie: reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? "" };
}
