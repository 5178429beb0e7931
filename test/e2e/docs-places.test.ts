/** The example of the library in docs/places.md, as it stands there, against a real sshd. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { sshPlace } from "../support/places/ssh-place.ts";
import { temporaryDirectory } from "../support/watching.ts";

const PAGE = new URL("../../docs/places.md", import.meta.url);
const LIBRARY = new URL("../../dist/index.js", import.meta.url);

test.skipIf(!needs("sshd", "ssh-keygen"))(
  "the example of the library works behind ssh as the page says",
  async () => {
    const place = await sshPlace();
    // Ends the host there with the test.
    place.client();
    const folder = temporaryDirectory();
    const { PATH = "" } = process.env;
    // The user's own ssh, with the configuration of this server.
    const ssh = `#!/bin/sh\nPATH='${PATH}'\nexec ssh -F '${place.config}' "$@"\n`;
    writeFileSync(join(folder, "ssh"), ssh, { mode: 0o755 });
    const [, example = ""] =
      /```ts no-run\n([^`]*connect\("ssh:me@build"\)[^`]*)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
    const script = join(folder, "example.mjs");
    writeFileSync(script, example.replace('"limpet"', `"${LIBRARY}"`).replace("ssh:me@build", "ssh:zoo"));

    const env = { ...process.env, PATH: `${folder}:${PATH}`, LIMPET_HOME: join(folder, "state") };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env, timeout: 120_000 });

    expect(stdout).toBe("Linux\n 0\nmain in /tmp\n\npassword\n");
  },
  180_000,
);
