/** The requests about files: for each method, the schema of its params and the call that serves it. */
import { z } from "zod";
import { FILE_CHUNK_BYTES } from "../../files/file-parts.ts";
import { requireParams } from "../define-request.ts";
import type { ClientFiles } from "./client-files.ts";

const path = z.string().min(1).max(4096);
const upload = z.string().min(1).max(64);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "expected a SHA-256 in hex");

export interface FileRequest {
  readonly kind: "answer" | "stream";
  serve(files: ClientFiles, params: unknown): unknown;
}

function define<Schema extends z.ZodObject>(
  kind: FileRequest["kind"],
  schema: Schema,
  serve: (files: ClientFiles, request: z.output<Schema>) => unknown,
): FileRequest {
  return { kind, serve: (files, params) => serve(files, requireParams(schema, params)) };
}

const REQUESTS: Readonly<Record<string, FileRequest>> = {
  "files.begin": define(
    "answer",
    z.strictObject({ path, name: z.string().max(255), mode: z.int().min(0).max(0o7777) }),
    (files, offer) => files.begin(offer),
  ),
  "files.chunk": define(
    "answer",
    z.strictObject({
      upload,
      data: z.instanceof(Uint8Array).refine(({ length }) => length <= FILE_CHUNK_BYTES, "expected a smaller chunk"),
    }),
    (files, { upload: of, data }) => files.chunk(of, data),
  ),
  "files.end": define("answer", z.strictObject({ upload, sha256 }), (files, { upload: of, sha256: hash }) =>
    files.end(of, hash),
  ),
  "files.abort": define("answer", z.strictObject({ upload }), (files, { upload: of }) => files.abort(of)),
  "files.fetch": define("stream", z.strictObject({ path }), (files, { path: from }) => files.fetch(from)),
};

/** Undefined if it is not about files. */
export function fileRequest(method: string): FileRequest | undefined {
  return Object.hasOwn(REQUESTS, method) ? REQUESTS[method] : undefined;
}
