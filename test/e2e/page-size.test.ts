/** How much a browser loads before it shows the first view. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { pageRoutes } from "../../src/web/page-routes.ts";

const MOST_BYTES = 150_000;

/** What the page itself names: chunks that are loaded later are not in it. */
async function firstView(): Promise<readonly { readonly path: string; readonly bytes: Uint8Array }[]> {
  const files = await Promise.all(
    pageRoutes().map(async ({ path, answer }) => {
      const answered = await answer({} as never);
      return { path, bytes: answered.kind === "bytes" ? Buffer.from(answered.bytes) : Buffer.alloc(0) };
    }),
  );
  const page = files.find(({ path }) => path === "/");
  const html = String(page?.bytes);
  return files.filter(({ path }) => path === "/" || html.includes(`"${path}"`));
}

test("the files of the first view have less than 150 KB, compressed", async () => {
  const files = await firstView();

  expect(files.map(({ path }) => path.replace(/-[\w-]{8}\./, "."))).toEqual(
    expect.arrayContaining(["/", "/assets/page.js", "/assets/page.css", "/assets/icon.svg"]),
  );
  const bytes = files.reduce((sum, file) => sum + gzipSync(file.bytes).length, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

test("the first view imports no chunk before it is drawn", async () => {
  const script = (await firstView()).find(({ path }) => path.endsWith(".js"));

  expect(String(script?.bytes)).not.toMatch(/^import\b(?!\()|[;}]import\s*(?:[\w{*]|["'])/);
});
