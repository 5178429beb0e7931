import { describe, expect, test } from "vitest";
import { definitionsIn, startedDefinitions } from "./definitions-in.ts";

test.each([
  ["git status && make -j4 | tee log", []],
  ["ls() { rm x; }", ["ls"]],
  ["function git { rm x; }; cd /", ["git"]],
  ["if true; then cat() (rm x); fi", ["cat"]],
  ["alias ls='rm x' ll=ls", ["ls", "ll"]],
  ["builtin alias ls=rm", ["ls"]],
  ["hash -p /tmp/evil git", ["-p", "/tmp/evil", "git"]],
  ["eval 'git() { rm x; }'", ["git"]],
  ["command eval 'alias ls=rm'", ["ls"]],
  ["export A=$B; read -r line; printf '%s\\n' \"$x\"; exec > /dev/null", []],
  ["grep -rn 'source eval alias' .", []],
])("%j defines %j", (text, names) => {
  expect(definitionsIn(text, "bash")).toEqual(names);
});

describe("the names cannot be known for", () => {
  test.each([
    ["the beginning of a function", "f() {"],
    ["the end of one", "rm x; }"],
    ["the middle of one", "rm x &&"],
    ["a name that goes on in the next line", "ali\\"],
    ["a here-document without an end", "source /dev/stdin <<EOF"],
    ["an open quote", "eval 'git() {"],
    ["computed code", 'eval "$(base64 -d <<< $x)"'],
    ["a computed command", "x=alias; $x ls=rm"],
    ["a computed name of an alias", 'alias "$x"'],
    ["a computed alias", "alias ls=$x"],
    ["a computed trap", 'trap "$x" DEBUG'],
    ["a file", "source ./env.sh"],
    ["a file, by its short name", ". ./env.sh"],
    ["a here-document as a file", "source /dev/stdin <<'EOF'\ngit() { rm x; }\nEOF"],
    ["a file in a list", "cd x && . env/bin/activate"],
    ["a shell in place of this one", "exec bash --rcfile x"],
    ["the table of aliases", "BASH_ALIASES[ls]=rm"],
    ["the table of programs", "BASH_CMDS[git]=/tmp/x"],
    ["the table of functions in zsh", "functions[git]='rm x'"],
    ["a reference to a table", 'declare -n r="$x"; r[ls]=rm'],
    ["a declared name that is computed", 'declare "$x"'],
    ["a variable that is filled by its computed name", 'printf -v "$x" rm'],
    ["a variable that is read by its computed name", 'read "$x" <<< rm'],
    ["a function for all unknown words", "command_not_found_handle() { rm x; }"],
    ["code that is loaded", "enable -f ./x.so git"],
  ])("%s", (_, text) => {
    expect(definitionsIn(text, "bash")).toBe("any");
  });

  test("a definition of fish", () => {
    expect(definitionsIn("function git; rm x; end", "fish")).toBe("any");
    expect(definitionsIn("begin; ls; end", "fish")).toEqual([]);
  });
});

test.each([
  ["bash", []],
  ["bash -il --norc", []],
  ["npm test", []],
  ["bash --rcfile ./x", "any"],
  ["exec zsh -c 'alias ls=rm; exec zsh'", "any"],
  ["FOO=1 bash -i", []],
])("a session that is started with %j may have %j from its start", (text, expected) => {
  expect(startedDefinitions(text, "bash")).toEqual(expected);
});
