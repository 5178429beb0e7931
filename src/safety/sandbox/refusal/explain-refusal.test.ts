import { describe, expect, test } from "vitest";
import { isLinear } from "../../../../test/support/measure/thread-cpu-ms.ts";
import type { SandboxRequest } from "../../../base/sandbox-request.ts";
import { explainRefusal } from "./explain-refusal.ts";

const sandbox: SandboxRequest = { files: "workspace" };
const explain = (text: string, more: Partial<Parameters<typeof explainRefusal>[0]> = {}) =>
  explainRefusal({
    sandbox,
    text,
    cwd: "/home/ada/work",
    refusedAccess: (path) => (path.includes(".ssh") ? "read" : /^\/(etc|opt)\//.test(path) ? "write" : undefined),
    ...more,
  });

describe("the path of a refusal is found", () => {
  test.each([
    "bash: line 1: /etc/mine: Permission denied",
    "sh: 1: cannot create /etc/mine: Permission denied",
    "zsh:1: permission denied: /etc/mine",
    "touch: cannot touch '/etc/mine': Permission denied",
    "mkdir: cannot create directory ‘/etc/mine’: Permission denied",
    "mv: cannot move 'a' to '/etc/mine': Permission denied",
    "tee: /etc/mine: Permission denied",
    "error: could not lock config file /etc/mine: Permission denied",
    "PermissionError: [Errno 13] Permission denied: '/etc/mine'",
    "Error: EACCES: permission denied, open '/etc/mine'",
    "open /etc/mine: permission denied",
    "ln: failed to create symbolic link '../../../etc/mine': Permission denied",
    "rm: cannot remove '/etc/mine': Operation not permitted",
    "first\ntouch: cannot touch '/etc/mine': Permission denied\nmake: *** [all] Error 1",
  ])("%j", (text) => {
    expect(explain(text)).toBe('Refused by the sandbox (workspace): writing to "/etc/mine"');
  });

  test("of a file that cannot be read", () => {
    expect(explain("cat: ../.ssh/id: Permission denied")).toBe(
      'Refused by the sandbox (workspace): reading "/home/ada/.ssh/id"',
    );
  });
});

test.each([
  ["a path that the sandbox allows", "touch: cannot touch '/home/ada/work/x': Permission denied"],
  ["another error", "cat: /etc/mine: No such file or directory"],
  ["a refusal without a path", "make: Permission denied"],
  ["no output", ""],
])("%s is not explained", (_, text) => {
  expect(explain(text)).toBeUndefined();
});

test("a path that somebody else chose stays on its line", () => {
  const text = "touch: cannot touch '/etc/a\u202eb\u0007': Permission denied";

  expect(explain(text)).toBe('Refused by the sandbox (workspace): writing to "/etc/a\\u202eb\\u0007"');
});

describe("connections", () => {
  const offline = { sandbox: { files: "workspace", network: "off" } } as const;
  const listed = { sandbox: { files: "workspace", network: ["a.example"] } } as const;

  test.each([
    "curl: (6) Could not resolve host: example.com",
    "Error: getaddrinfo EAI_AGAIN registry.example",
    "bash: connect: Permission denied",
    "bash: /dev/tcp/127.0.0.1/80: Permission denied",
    "fatal: unable to access 'https://x/': Could not resolve host: x",
    "Error: connect EACCES 127.0.0.1:80",
  ])("%j", (text) => {
    expect(explain(text, offline)).toBe("Refused by the sandbox (workspace, no network): a connection");
    expect(explain(text, listed)).toBe(
      "Refused by the sandbox (workspace, network: a.example): a connection that does not use the proxy in HTTPS_PROXY",
    );
    expect(explain(text)).toBeUndefined();
  });
});

test("an endless line of a hostile program is read in linear time", () => {
  const hostile = (count: number) => `${"'".repeat(count)} Permission denied ${"/".repeat(count)}`;

  expect(isLinear((count) => explain(hostile(count)), 30_000)).toBe(true);
});
