import { expect, test } from "vitest";
import { KnownSecrets } from "../../safety/redaction/known-secrets.ts";
import { redactPage } from "./redact-page.ts";

const SECRET = "hunter2-Xy";

/** A disk that has `text`, from cursor `start` on, in files of `fileBytes` each. */
function diskWith(text: string, start = 0, fileBytes = 1_000) {
  const all = Buffer.from(text);
  return {
    async read(from: number, before: number, maxBytes: number) {
      const at = Math.max(from, start);
      const fileEnd = start + (Math.floor((at - start) / fileBytes) + 1) * fileBytes;
      const next = Math.min(at + maxBytes, before, start + all.length, fileEnd);
      if (at >= next) return undefined;
      return { bytes: all.subarray(at - start, next - start), from: at, next, dropped: at - from };
    },
  };
}

function known(): KnownSecrets {
  const secrets = new KnownSecrets();
  secrets.add(SECRET);
  return secrets;
}

test("a secret that was written before it was known is masked, wherever a page begins or ends", async () => {
  const text = `first ${SECRET} between ${SECRET} last`;
  const masked = text.replaceAll(SECRET, "**********");
  const disk = diskWith(text);

  for (let from = 0; from < text.length; from++) {
    for (const maxBytes of [1, 7, 100]) {
      const page = await redactPage(disk, known(), { from, before: text.length, maxBytes });

      expect(Buffer.from(page?.bytes ?? []).toString()).toBe(masked.slice(from, from + maxBytes));
      expect(page).toMatchObject({ from, next: Math.min(from + maxBytes, text.length), dropped: 0 });
    }
  }
});

test("a secret that lies in two files, or partly in memory, is masked", async () => {
  const text = `first ${SECRET} between ${SECRET} last`;
  const masked = text.replaceAll(SECRET, "**********");

  for (let fileBytes = 1; fileBytes < text.length; fileBytes++) {
    const page = await redactPage(diskWith(text, 0, fileBytes), known(), { from: 8, before: 30, maxBytes: 100 });

    expect(Buffer.from(page?.bytes ?? []).toString()).toBe(masked.slice(8, 30));
  }
});

test("what the disk has lost is counted", async () => {
  const page = await redactPage(diskWith(`${SECRET} rest`, 100), known(), { from: 90, before: 200, maxBytes: 50 });

  expect({ ...page, bytes: Buffer.from(page?.bytes ?? []).toString() }).toEqual({
    bytes: "********** rest",
    from: 100,
    next: 115,
    dropped: 10,
  });
});

test("where the disk has nothing, there is no page", async () => {
  expect(await redactPage(diskWith("", 0), known(), { from: 5, before: 10, maxBytes: 5 })).toBe(undefined);
});
