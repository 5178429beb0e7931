import { describe, expect, test } from "vitest";
import { CommandGrammar, randomFrom } from "../../../../test/support/policy/command-grammar.ts";
import { decide, policyOf } from "../../../../test/support/policy/policies.ts";

const policy = policyOf({ default: "allow", rules: [{ prefix: ["rm"], decision: "deny" }] });

describe("zsh", () => {
  test.each([
    "=rm x",
    "echo =rm",
    "noglob rm x",
    "nocorrect rm x",
    "- rm x",
    "repeat 1 rm x",
    "for x (1) rm x",
    "for x in 1; rm x",
    "foreach x (1) rm x; end",
    "if [[ a ]] { rm x }",
    "while true { rm x }",
    "{ echo a } always { rm x }",
    "echo *(e:'rm x':)",
    "echo *(+rm)",
    "echo ${(e)x}",
    "echo ${x:e}",
    "echo =(rm x)",
    "echo a &| rm x",
    "echo a &! rm x",
    "echo a >! f",
    "echo <1-2>",
    "echo a #b; rm x",
    "echo $x[(e)1]",
    "echo ~rm",
    "echo !rm",
    "function rm x { }",
    "() { rm x }",
    "echo $(rm x)",
    "alias -g a=b",
    "a=1; printf '%d' 'a[$(rm x)]'",
    "a=1; exit 'a[$(rm x)]'",
    "a=1; shift 'a[$(rm x)]'",
    "a=1; test -t 'a[$(rm x)]'",
    "a=1; set -A 'a[$(rm x)]'",
    "a=1; COLUMNS='a[$(rm x)]'",
  ])("%j is not let pass", (command) => {
    expect(decide(command, policy, { shell: "/usr/bin/zsh" })).not.toBe("allow");
  });

  test.each([
    "ls -la | head -5",
    "echo 'a b' \"c $x\" $HOME && ls",
    "git log --oneline -n 5",
    "ls 2>/dev/null",
    "if ls; then echo a; fi",
  ])("%j is read as bash reads it", (command) => {
    expect(decide(command, policy, { shell: "zsh" })).toBe("allow");
  });
});

describe("shells whose grammar limpet does not read", () => {
  const shells = ["csh", "tcsh", "ksh", "mksh", "yash", "nu", "elvish", "xonsh", "pwsh", "rc", "/opt/new-shell", ""];

  test.each(shells)("ask about every line: %j", (shell) => {
    const grammar = new CommandGrammar(randomFrom(11));
    const lines = ["ls", "git status", ...Array.from({ length: 200 }, () => grammar.line())];

    expect(lines.filter((line) => decide(line, policy, { shell }) === "allow")).toEqual([]);
  });
});

describe("fish", () => {
  test.each([
    "rm x",
    "echo (rm x)",
    "echo $(rm x)",
    "and rm x",
    "not rm x",
    "begin; rm x; end",
    "if rm x; end",
    "command rm x",
    "builtin rm x",
    "time rm x",
    "echo a; or rm x",
    "eval rm x",
    "set x (rm y)",
    "set -x PATH /tmp",
    "function ls; rm x; end",
    "abbr ls rm",
    "echo a | source",
    "echo a ^ rm",
    "echo a 2>| rm x",
    "echo {rm,x}",
    "switch a; case a; rm x; end",
    "for i in 1; rm x; end",
    "while rm x; end",
    "echo \\\nrm x",
    "cat <<EOF",
  ])("%j is not let pass", (command) => {
    expect(decide(command, policy, { shell: "fish" })).not.toBe("allow");
  });

  test.each(["ls -la | head -5", "echo 'a b' \"c $x\" $HOME && ls", "git log --oneline -n 5"])(
    "%j is read as bash reads it",
    (command) => {
      expect(decide(command, policy, { shell: "/usr/bin/fish" })).toBe("allow");
    },
  );
});

describe("dash and ash", () => {
  test.each([
    "((rm x))",
    "[[ a || rm x ]]",
    "[[ a ]] && echo a",
    "time rm x",
    "coproc rm x",
    "echo <(rm x)",
    "echo a &> f",
    "echo a |& rm x",
    "$'rm' x",
    "{rm,x}",
    "{ls,x}",
    "echo $'a'",
    "a+=b",
    "a=(b)",
    "function f { ls; }",
    "cat <<< a",
    "for ((;;)); do rm x; done",
    "echo ${x/a/b}",
    "echo $[1]",
  ])("%j is not let pass", (command) => {
    expect(decide(command, policy, { shell: "/bin/dash" })).not.toBe("allow");
    expect(decide(command, policy, { shell: "sh" })).not.toBe("allow");
  });

  test.each([
    "ls -la | head -5",
    "echo $(ls) `ls`",
    "for i in 1 2; do echo $i; done",
    "case a in a) ls;; esac",
    "echo ${x:-a}",
  ])("%j is read as bash reads it", (command) => {
    expect(decide(command, policy, { shell: "ash" })).toBe("allow");
  });
});

test.each(["not rm x", "and rm x", "begin; rm x; end", "echo (rm x)", "if ls; rm x; end", "command rm x", "rm x"])(
  "fish does not get %j past the rules",
  (command) => {
    expect(decide(command, policy, { shell: "/usr/bin/fish" })).not.toBe("allow");
  },
);

test.each(["tcsh", "nu", "pwsh", "ksh", "unknown"])("every command of %s is asked about", (shell) => {
  expect(decide("ls", policy, { shell })).toBe("ask");
});
