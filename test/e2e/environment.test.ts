/** Which variables programs get: a person's own, an agent's, and what the login shell sets. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { connectHost } from "../../src/host/client/connect-host.ts";
import { MAIN, textOf } from "../support/mcp.ts";
import { skipTestWithout } from "../support/needs.ts";
import { temporaryDirectory } from "../support/watching.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

interface Place {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A home directory with a host of its own. */
function place(more: Readonly<Record<string, string>> = {}): Place {
  const home = temporaryDirectory();
  const stateDirectory = join(home, "state");
  onTestFinished(async () => {
    await connectHost({ stateDirectory, command: [process.execPath, MAIN] }).stopHost();
  });
  const run = process.env["LIMPET_TEST_RUN"];
  const marked = run === undefined ? {} : { LIMPET_TEST_RUN: run };
  return { home, env: { HOME: home, PATH, SHELL: "/bin/bash", LIMPET_HOME: stateDirectory, ...marked, ...more } };
}

async function limpet({ home, env }: Place, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...words], { env, cwd: home });
  return stdout.replaceAll("\r", "");
}

async function agent({ home, env }: Place, args: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp", ...args], env: { ...env }, cwd: home }),
  );
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  return textOf(await client.callTool({ name, arguments: args }));
}

test("a person's program gets the person's variables, secrets included, and those of --env and --env-file", async () => {
  const own = place({ FOO: "bar", GITHUB_TOKEN: "ghp_1" });
  writeFileSync(join(own.home, ".env"), "FROM_FILE='a b'\nBOTH=file\n");

  const text = await limpet(
    own,
    ...["run", "--env", "BOTH=flag", "--env-file", ".env", 'echo "$FOO $GITHUB_TOKEN $FROM_FILE $BOTH"'],
  );

  expect(text).toBe("bar ghp_1 a b flag\n");
});

test.each([[["--in-process"]], [[]]])(
  "an agent's program gets all but secrets, which the first answer names once (limpet mcp %j)",
  async (flags) => {
    const own = place({ FOO: "bar", DOCKER_HOST: "unix:///x", GITHUB_TOKEN: "ghp_1", PGPASSWORD: "hush" });
    const client = await agent(own, flags);
    const args = { cmd: 'echo "[$FOO $DOCKER_HOST $GITHUB_TOKEN$PGPASSWORD]"' };

    const first = await call(client, "exec_command", args);
    const second = await call(client, "exec_command", args);

    expect(first).toContain("Withheld from programs, as they look like secrets: GITHUB_TOKEN, PGPASSWORD.");
    expect(first).toContain("[bar unix:///x ]");
    expect(second).not.toContain("Withheld");
    expect(first + second).not.toMatch(/ghp_1|hush/);
  },
);

test("config.json passes on, withholds and sets variables of an agent's programs", async () => {
  const own = place({ FOO: "bar", GITHUB_TOKEN: "ghp_1" });
  mkdirSync(join(own.home, ".config", "limpet"), { recursive: true });
  const rules = { pass: ["GITHUB_*"], withhold: ["FOO"], set: { MORE: "more" } };
  writeFileSync(join(own.home, ".config", "limpet", "config.json"), JSON.stringify({ env: rules }));

  const text = await call(await agent(own), "exec_command", { cmd: 'echo "[$FOO $GITHUB_TOKEN $MORE]"' });

  expect(text).toContain("[ ghp_1 more]");
  expect(text).toContain("look like secrets: FOO.");
});

test("an agent's program finds what the login shell sets, and what the client has wins", async () => {
  const own = place({ BOTH: "client", PATH: `/venv/bin:${PATH}` });
  writeFileSync(
    join(own.home, ".bash_profile"),
    'echo noise; export PATH="$HOME/bin:$PATH" FROM_LOGIN=yes BOTH=login LOGIN_TOKEN=hush\n',
  );

  const text = await call(await agent(own), "exec_command", {
    cmd: 'echo "[$FROM_LOGIN $BOTH $LOGIN_TOKEN]"; echo "PATH=$PATH"',
  });

  expect(text).toContain("[yes client ]");
  expect(text).toContain(`PATH=/venv/bin:${PATH}:${own.home}/bin`);
});

test("the login shell is asked once, and again when a start file has changed", async () => {
  const own = place();
  const profile = join(own.home, ".bash_profile");
  writeFileSync(profile, 'echo x >> "$HOME/asked"; export FROM_LOGIN=1\n');
  const show = { cmd: 'echo "[$FROM_LOGIN] $(wc -l < "$HOME/asked")"' };

  const texts = [
    await call(await agent(own), "exec_command", show),
    await call(await agent(own), "exec_command", show),
  ];
  writeFileSync(profile, 'echo x >> "$HOME/asked"; export FROM_LOGIN=22\n');
  texts.push(await call(await agent(own), "exec_command", show));

  expect(texts.map((text) => /\[\d*\] \d+/.exec(text)?.[0])).toEqual(["[1] 1", "[1] 1", "[22] 2"]);
});

test.each([
  ["/bin/bash", ".bash_profile", ".bashrc"],
  ["/usr/bin/zsh", ".zprofile", ".zshrc"],
])(
  "the shell of run (%s) keeps an active virtual environment, and reads the rc file only",
  async (shell, login, rc) => {
    skipTestWithout(basename(shell));
    const own = place({ SHELL: shell, PATH: `/venv/bin:${PATH}`, VIRTUAL_ENV: "/venv" });
    writeFileSync(join(own.home, login), `export FROM_LOGIN=yes PATH=${own.home}/bin:${PATH}; in_login() { :; }\n`);
    writeFileSync(join(own.home, rc), "in_rc() { echo from rc; }\n");

    const client = await agent(own);
    const text = await call(client, "run", {
      command:
        'echo "[$FROM_LOGIN $VIRTUAL_ENV] PATH=$PATH"; in_rc; type in_login >/dev/null 2>&1 || echo no login shell',
    });

    expect(text).toContain(`[yes /venv] PATH=/venv/bin:${PATH}:${own.home}/bin\nfrom rc\nno login shell\n`);
  },
);
