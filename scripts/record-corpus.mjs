// Records what real programs print into a terminal, into test/corpus/NAME.raw. Needs util-linux's script, gcc, git,
// curl, python3, ninja, and apt-get as root for the package case. `node scripts/record-corpus.mjs [NAME...]`
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const corpus = join(root, "test/corpus");
const programs = join(root, "test/programs");
const NEUTRAL_HOME = "/home/user/project";

const cases = [
  {
    name: "npm-install",
    matters: "added 60 packages",
    setup(dir) {
      const dependencies = {};
      for (let i = 0; i < 60; i++) {
        const name = `part-${i}`;
        mkdirSync(join(dir, "parts", name), { recursive: true });
        writeFileSync(join(dir, "parts", name, "package.json"), JSON.stringify({ name, version: "1.0.0" }));
        writeFileSync(join(dir, "parts", name, "index.js"), "module.exports = 1;\n".repeat(2_000));
        execFileSync("npm", ["pack", "--silent", "--pack-destination", join(dir, "parts")], {
          cwd: join(dir, "parts", name),
        });
        dependencies[name] = `file:parts/${name}-1.0.0.tgz`;
      }
      writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "app", version: "1.0.0", dependencies }));
    },
    command: "npm install --progress --no-audit --no-fund",
  },
  {
    name: "apt-get",
    matters: "Setting up hello",
    command: "apt-get install -y -q=0 -o Dpkg::Progress-Fancy=1 hello",
    after: "apt-get remove -y hello",
  },
  {
    name: "gcc-error",
    matters: "error: ‘totla’ undeclared",
    setup(dir) {
      const functions = Array.from({ length: 12 }, (_, i) => `int f${i}(char *s) { int unused_${i}; return s; }`);
      writeFileSync(
        join(dir, "sum.c"),
        `#include <stdio.h>\n${functions.join("\n")}\nint main(void) {\n  for (int i = 0; i < 3; i++) totla += i;\n  printf("%d\\n", total);\n  return 0;\n}\n`,
      );
    },
    command: "gcc -Wall -Wextra -fdiagnostics-color=always -c sum.c",
  },
  {
    name: "vitest-failure",
    matters: "expected 41 to be 42",
    setup(dir) {
      symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
      const fine = Array.from({ length: 30 }, (_, i) => `test("adds ${i}", () => expect(${i} + 1).toBe(${i + 1}));`);
      writeFileSync(join(dir, "fine.test.js"), `import { expect, test } from "vitest";\n${fine.join("\n")}\n`);
      writeFileSync(
        join(dir, "sum.test.js"),
        `import { expect, test } from "vitest";\ntest("answers", async () => {\n  await new Promise((done) => setTimeout(done, 800));\n  expect(20 + 21).toBe(42);\n});\n`,
      );
    },
    command: "node node_modules/vitest/vitest.mjs run --root .",
  },
  {
    name: "unittest-failure",
    matters: "AssertionError: 41 != 42",
    setup(dir) {
      const fine = Array.from(
        { length: 40 },
        (_, i) => `    def test_${i}(self):\n        self.assertEqual(${i}, ${i})\n`,
      );
      writeFileSync(
        join(dir, "test_sum.py"),
        `import unittest\n\n\nclass Sum(unittest.TestCase):\n${fine.join("\n")}\n    def test_answer(self):\n        self.assertEqual(20 + 21, 42)\n\n\nunittest.main()\n`,
      );
    },
    command: "/usr/bin/python3 test_sum.py -v",
  },
  {
    name: "git-clone",
    matters: "Resolving deltas: 100%",
    setup(dir) {
      const run = (...args) => execFileSync("git", args, { cwd: join(dir, "origin") });
      mkdirSync(join(dir, "origin"));
      run("init", "-q");
      for (let i = 0; i < 4_000; i++)
        writeFileSync(join(dir, "origin", `file-${i}.txt`), `${i}\n${"line\n".repeat(200)}`);
      run("add", ".");
      run("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "all");
    },
    command: `git clone --progress "file://$PWD/origin" copy`,
  },
  {
    name: "long-log",
    matters: "connection to storage lost: ECONNRESET",
    setup: (dir) => cpSync(join(programs, "long-log.py"), join(dir, "long-log.py")),
    command: "/usr/bin/python3 long-log.py",
  },
  {
    name: "curl-progress",
    matters: "HTTP 200, 6000000 bytes",
    setup: (dir) => cpSync(join(programs, "slow-server.py"), join(dir, "slow-server.py")),
    command:
      `/usr/bin/python3 slow-server.py 18765 & sleep 1; ` +
      `curl -o copy.bin -w "HTTP %{http_code}, %{size_download} bytes\\n" http://127.0.0.1:18765/; ` +
      `curl -# -o copy.bin http://127.0.0.1:18765/; wait`,
  },
  {
    name: "python-traceback",
    matters: "KeyError: 'port'",
    setup(dir) {
      writeFileSync(
        join(dir, "serve.py"),
        `import json\n\n\ndef read(text):\n    return json.loads(text)\n\n\ndef port_of(settings):\n    return settings["port"]\n\n\ndef main():\n    for attempt in range(40):\n        print("waiting for the database ...", flush=True)\n    print(port_of(read('{"host": "localhost"}')))\n\n\nmain()\n`,
      );
    },
    command: "/usr/bin/python3 serve.py",
  },
  {
    name: "ls-color",
    matters: "run.sh",
    setup(dir) {
      for (let i = 0; i < 25; i++) writeFileSync(join(dir, `notes-${i}.txt`), "x".repeat((i * i * 37) % 4_999));
      for (let i = 0; i < 8; i++) mkdirSync(join(dir, `dir-${i}`));
      writeFileSync(join(dir, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
      writeFileSync(join(dir, "a.tar.gz"), "");
    },
    command: "ls --color -la",
  },
  {
    name: "progress-bars",
    matters: "warning: loss is nan at epoch 3, step 41",
    setup: (dir) => cpSync(join(programs, "progress-bars.py"), join(dir, "progress-bars.py")),
    command: "/usr/bin/python3 progress-bars.py",
  },
  {
    name: "ninja-build",
    matters: "FAILED: out-250",
    setup(dir) {
      const steps = Array.from({ length: 300 }, (_, i) => `build out-${i}: ${i === 250 ? "fails" : "makes"}\n`);
      writeFileSync(
        join(dir, "build.ninja"),
        `rule makes\n  command = touch $out\n  description = CC obj/$out.o\nrule fails\n  command = echo 'boom.c:3: error: no such thing' && false\n  description = CC obj/$out.o\n${steps.join("")}`,
      );
    },
    command: "ninja -j1",
  },
];

const wanted = process.argv.slice(2);
mkdirSync(corpus, { recursive: true });
for (const item of cases) {
  if (wanted.length > 0 && !wanted.includes(item.name)) continue;
  const raw = record(item);
  writeFileSync(join(corpus, `${item.name}.raw`), raw);
  console.log(`${item.name.padEnd(18)} ${String(raw.length).padStart(9)} bytes`);
}
writeFileSync(
  join(corpus, "corpus.json"),
  `${JSON.stringify(
    cases.map(({ name, command, matters }) => ({ name, command, matters })),
    null,
    2,
  )}\n`,
);

function record(item) {
  // Has the length of the neutral path, so that replacing it shifts nothing.
  const dir = mkdtempSync(join(tmpdir(), "recording-xx"));
  try {
    item.setup?.(dir);
    const file = join(dir, ".recording");
    const env = {
      PATH: process.env.PATH,
      HOME: dir,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      LC_MESSAGES: "C",
      npm_config_update_notifier: "false",
      npm_config_cache: join(dir, ".npm"),
    };
    const command = `stty cols 100 rows 30; ${item.command}; true`;
    execFileSync("script", ["-qfec", `bash -c ${quote(command)}`, file], {
      cwd: dir,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (item.after) execFileSync("bash", ["-c", item.after], { stdio: "ignore" });
    return scrub(readFileSync(file, "latin1"), dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function scrub(text, dir) {
  const body = text
    .replace(/^Script started on [^\n]*\n/, "")
    .replace(/\n?\r?\nScript done on [^\n]*\n$/, "\n")
    // Messages of apt about the machine it ran on.
    .replace(/N: Ignoring file [^\n]*\n/g, "")
    .replaceAll(dir, NEUTRAL_HOME)
    .replaceAll(root, NEUTRAL_HOME)
    .replace(/https?:\/\/(?!127\.0\.0\.1)[\w.-]+(?::\d+)?/g, "http://deb.example.org");
  return Buffer.from(body, "latin1");
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
