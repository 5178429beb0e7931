/** The parts of a file that is copied, with its SHA-256 at the end. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { LimpetError } from "../../base/limpet-error.ts";
import { fileError } from "./file-error.ts";
import { FILE_CHUNK_BYTES, type FilePart } from "./file-parts.ts";

export async function* sentFile(path: string): AsyncGenerator<FilePart, void, undefined> {
  try {
    const file = await open(path, "r");
    try {
      const facts = await file.stat();
      if (facts.isDirectory())
        throw new LimpetError("FILE_FAILED", `${path} is a directory. Copy one file, or pack it with tar first.`);
      if (!facts.isFile()) throw new LimpetError("FILE_FAILED", `${path} is not a regular file. Copy one file.`);
      yield { kind: "file", path: path, bytes: facts.size, mode: facts.mode & 0o777 };
      const hash = createHash("sha256");
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(FILE_CHUNK_BYTES), 0, FILE_CHUNK_BYTES, null);
        if (bytesRead === 0) break;
        const data = buffer.subarray(0, bytesRead);
        hash.update(data);
        yield { kind: "chunk", data };
      }
      yield { kind: "end", sha256: hash.digest("hex") };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError("read", path, error);
  }
}
