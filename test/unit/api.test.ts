import { describe, expect, test } from "vitest";
// @ts-expect-error A script without types.
import { apiPage, undocumented } from "../../scripts/api/api-page.mjs";
// @ts-expect-error A script without types.
import { readEntries } from "../../scripts/api/read-entries.mjs";

describe("the API page", () => {
  test("has a section per export, with its doc comment and links to the types it mentions", () => {
    const page = pageOf(`
      /** How to open. */
      export interface OpenOptions { /** In characters. */ readonly width?: number | undefined; }
      /** Opens it. See \`OpenOptions\`. */
      export declare function open({ width }: OpenOptions): Promise<OpenOptions[]>;`);

    expect(page).toContain(`### open()

<code>open(options: [OpenOptions]): Promise\\<[OpenOptions]\\[]></code>

Opens it. See [\`OpenOptions\`][OpenOptions].

### OpenOptions

How to open.

- <code>width?: number</code>\\
  In characters.`);
    expect(page).toContain("[OpenOptions]: #openoptions\n");
  });

  test("leaves out what a user of a class cannot reach, and shows getters as properties", () => {
    const page = pageOf(`
      /** One. */
      export declare class Session { #private; private constructor(); private secret: Hidden; get pid(): number; }
      interface Hidden {}`);

    expect(page).toContain("<code>class Session</code>\n\nOne.\n\n- <code>pid: number</code>\n\n[Session]");
    expect(page).not.toContain("Hidden");
  });

  test("lists the parts of a long union, each with its comment", () => {
    const page = pageOf(`
      /** Why. */
      export type Reason =
        /** It ended. */
        | { readonly reason: "exited"; readonly exitCode: number }
        | { readonly reason: "matched"; readonly text: string; readonly groups: readonly string[] };`);

    expect(page).toContain(`One of:

- <code>{ reason: "exited"; exitCode: number }</code>\\
  It ended.
- <code>{ reason: "matched"; text: string; groups: readonly string[] }</code>`);
  });

  test("describes types that are used and not exported, and keeps names apart that differ in case", () => {
    const page = pageOf(`
      interface Play { readonly at: number; }
      /** Plays. */
      export declare function play(what: Play): void;`);

    expect(page).toContain("<code>play(what: [Play][Play']): void</code>");
    expect(page).toContain("## Other types");
    expect(page).toContain("[Play']: #play-1\n");
  });

  test("names an export that a second entry repeats, without describing it again", () => {
    const files = {
      "dist/index.d.ts": `export { type Size } from "./size.ts";`,
      "dist/text.d.ts": `export type { Size } from "./size.ts";`,
      "dist/size.d.ts": "/** In cells. */\nexport interface Size { readonly cols: number; }",
    };
    const page = apiPage(entriesOf(files));

    expect(page.match(/### Size/g)).toHaveLength(1);
    expect(page).toContain("## `limpet/text`\n\nAlso exported here: [Size].");
  });

  test("reports exports without a doc comment", () => {
    const entries = entriesOf({ "dist/index.d.ts": "/** Said. */\nexport type A = 1;\nexport type B = 2;" });

    expect(undocumented(entries)).toEqual(["src/index.ts: B"]);
  });
});

function pageOf(declarations: string): string {
  return apiPage(entriesOf({ "dist/index.d.ts": declarations }));
}

function entriesOf(files: Readonly<Record<string, string>>) {
  const entry = (name: string) => (files[`dist/${name}.d.ts`] ? { types: `./dist/${name}.d.ts` } : {});
  const manifest = { name: "limpet", exports: { ".": entry("index"), "./text": entry("text") } };
  return readEntries(manifest, { readDeclarations: (file: string) => files[file], readSource: () => "" });
}
