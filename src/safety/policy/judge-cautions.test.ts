/** What a rule for a program does not cover: what else runs with it, or later. */
import { describe, expect, test } from "vitest";
import { decide, policyOf } from "../../../test/support/policy/policies.ts";

const DENY_RM = { prefix: ["rm"], decision: "deny" };
const ALLOW_ECHO = { prefix: ["echo"], decision: "allow" };

describe("a wrapper", () => {
  const rules = [
    { prefix: ["nice"], decision: "allow" },
    { prefix: ["find"], decision: "allow" },
    { prefix: ["xargs"], decision: "allow" },
    { prefix: ["bash"], decision: "allow" },
    ALLOW_ECHO,
    DENY_RM,
  ];
  const policy = policyOf({ rules });

  test.each(["nice echo a", "nice -n 5 echo a", "find . -exec echo {} \\;", "find . | xargs echo", "bash -c 'echo a'"])(
    "passes if it and the command in it are allowed: %s",
    (command) => {
      expect(decide(command, policy)).toBe("allow");
    },
  );

  test.each(["nice ls", "find . -exec ls {} \\;", "find . | xargs ls", "bash -c 'ls'", "nice --unknown echo"])(
    "is asked about if the command in it is: %s",
    (command) => {
      expect(decide(command, policy)).toBe("ask");
    },
  );

  test.each(["nice rm x", "find . -exec rm {} +", "find . | xargs rm", "bash -c 'echo a; rm x'", "nice nice rm x"])(
    "is denied with the command in it: %s",
    (command) => {
      expect(decide(command, policy)).toBe("deny");
    },
  );

  test("that is allowed by name still does not run computed code", () => {
    expect(decide('bash -c "$x"', policy)).toBe("ask");
    expect(decide("find . -delete", policy)).toBe("ask");
    expect(decide('find "$x"', policy)).toBe("ask");
  });

  test("passes what a rule accepts", () => {
    const accepting = policyOf({ rules: [{ prefix: ["find"], decision: "allow", accept: ["write"] }] });

    expect(decide("find . -delete", accepting)).toBe("allow");
  });
});

test("variables are asked about unless they are listed", () => {
  const policy = policyOf({ env: ["MY_*"], rules: [ALLOW_ECHO] });
  const names = [
    "LD_PRELOAD",
    "BASH_ENV",
    "PROMPT_COMMAND",
    "PATH",
    "GIT_SSH_COMMAND",
    "PAGER",
    "NODE_OPTIONS",
    "OTHER",
  ];

  for (const name of names) expect(decide("echo a", policy, { env: { [name]: "x" } })).toBe("ask");
  expect(decide("echo a", policy, { env: { MY_NAME: "x", LANG: "C" } })).toBe("allow");
  expect(decide("MY_NAME=1 echo a", policy)).toBe("allow");
});

test.each(["printf -v $v x", "read $v", "unset $v", "export $v", "declare $v", "local $v", "mapfile $v", "[ -v $v ]"])(
  "%s, which evaluates an index, is not lifted with variables",
  (command) => {
    expect(decide(command, policyOf({ default: "allow", cautions: { variable: "allow" } }))).toBe("ask");
  },
);

describe("a file that runs code later is asked about, even where writing is allowed", () => {
  const policy = policyOf({
    default: "allow",
    cautions: { write: "allow" },
    rules: [{ prefix: ["cp"], decision: "allow" }],
  });

  test.each([
    "echo x > .git/hooks/pre-commit",
    "echo x >> sub/.git/config",
    "cp evil .git/hooks/pre-commit",
    "tee .envrc < x",
    "ln -sf evil ./.git",
    "dd if=x of=.git/config",
    "mv x ~/.bashrc",
    'echo x > "$HOME/.profile"',
    "rm .limpet.policy.json",
    "echo x > ../.vscode/tasks.json",
    "find . -exec cp x .git/hooks/y ';'",
  ])("%s", (command) => {
    expect(decide(command, policy)).toBe("ask");
  });

  test.each(["cat .git/config", "echo x > notes", "cp a.git/config b", "ls .vscode", "git status > .github/x"])(
    "but not %s",
    (command) => {
      expect(decide(command, policy)).toBe("allow");
    },
  );
});

describe("a rule for git config does not cover settings that run programs", () => {
  const policy = policyOf({ rules: [{ prefix: ["git", ["config", "clone"]], decision: "allow" }] });

  test.each([
    "git config core.fsmonitor ./x",
    "git config --global core.pager x",
    "git config set diff.x.command y",
    "git config alias.st '!x'",
    "git config include.path x",
    "git config remote.origin.url ext::x",
    "git config --edit",
    'git config "$key" x',
    "git clone -c core.hooksPath=x url",
    "git clone --template=x url",
  ])("%s", (command) => {
    expect(decide(command, policy)).toBe("ask");
  });

  test.each(["git config user.name me", "git config --get core.pager", "git config --list", "git clone url"])(
    "but %s",
    (command) => {
      expect(decide(command, policy)).toBe("allow");
    },
  );
});
