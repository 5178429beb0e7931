import { testAsking } from "../../support/asking.ts";
import { needs } from "../../support/needs.ts";
import { testProgram } from "../../support/watching.ts";

testAsking({
  name: "cat",
  options: { program: "cat" },
  asks: [
    [/^$/, "line", "one\n"],
    [/one\none/, "line", "two\n"],
    [/two\ntwo/, "line", "\x04"],
  ],
  lastly: "exit",
});

testAsking({
  name: "bash at its prompt",
  options: { program: "bash", args: ["--norc", "-i"] },
  asks: [
    [/[$#] $/, "key", "echo $((6 * 7))\n"],
    [/42\n.*[$#] $/s, "key", "exit\n"],
  ],
  lastly: "exit",
});

testAsking({
  name: "bash with a background job",
  options: { program: "bash", args: ["--norc", "-i"] },
  asks: [
    [/[$#] $/, "key", "sleep 60 & sleep 61 &\n"],
    [/\[2\] \d+\n.*[$#] $/s, "key", "cat\n"],
    [/cat\n$/, "line", "\x1a"],
    [/Stopped +cat\n.*[#$] $/s, "key", "fg\n"],
    [/fg\n\S*cat\n$/, "line", "\x04"],
    [/cat\n.*[$#] $/s, "key", "exit 3\n"],
  ],
  lastly: /exit/,
});

testAsking({
  name: "read -p",
  options: { command: 'read -r -p "Your name: " name; echo "hello $name"' },
  asks: [[/Your name: $/, "line", "Ada\n"]],
  lastly: /hello Ada/,
});

testAsking({
  name: "read -s",
  options: { command: 'read -rs -p "Secret: " word; echo; [ "$word" = tulips ] && echo "it fits"' },
  asks: [[/Secret: $/, "password", "tulips\n"]],
  lastly: /it fits/,
});

testAsking({
  name: "read -n 1",
  options: { command: 'read -rn 1 -p "Key: " key; echo; echo "pressed $key"' },
  asks: [[/Key: $/, "key", "x"]],
  lastly: /pressed x/,
});

testAsking({
  name: "a [Y/n] question",
  options: { command: 'printf "Do you want to continue? [Y/n] "; read -r answer; echo "answer: $answer"' },
  asks: [[/\[Y\/n\] $/, "line", "Y\n"]],
  lastly: /answer: Y/,
});

testAsking({
  name: "the Python REPL",
  isThere: needs("python3"),
  options: { program: "python3", args: ["-q"] },
  asks: [
    [/>>> $/, "key", "6 * 7\n"],
    [/42\n.*>>> $/s, "key", "for i in range(2): print('number', i)\n"],
    [/\.\.\. $/, "key", "\n"],
    [/number 1\n.*>>> $/s, "key", "exit()\n"],
  ],
  lastly: "exit",
});

testAsking({
  name: "Python's input()",
  isThere: needs("python3"),
  options: { program: "python3", args: ["-c", "name = input('name? '); print('hello', name)"] },
  asks: [[/name\? $/, "line", "Ada\n"]],
  lastly: /hello Ada/,
});

testAsking({
  name: "Python's getpass",
  isThere: needs("python3"),
  options: { program: "python3", args: ["-c", "import getpass; print(len(getpass.getpass('Pass: ')), 'letters')"] },
  asks: [[/Pass: $/, "password", "tulips\n"]],
  lastly: /6 letters/,
});

testAsking({
  name: "the node REPL",
  options: { program: "node" },
  asks: [
    [/> $/, "key", "6 * 7\n"],
    [/42\n> $/, "key", "[1, 2].map((n) => n * 10)\n"],
    [/\[ 10, 20 \]\n> $/, "key", ".exit\n"],
  ],
  lastly: "exit",
});

testAsking({
  name: "npm init",
  options: { program: "npm", args: ["init"] },
  asks: [
    [/package name: /, "key", "tulip\n"],
    [/version: /, "key", "2.3.4\n"],
    [/description: /, "key", "a flower\n"],
    [/entry point: /, "key", "\x03"],
  ],
  lastly: "exit",
});

testAsking({
  name: "sqlite3",
  isThere: needs("sqlite3"),
  options: { program: "sqlite3", env: { SQLITE_HISTORY: "/dev/null" } },
  asks: [
    [/sqlite> $/, "key", "select 6 *\n"],
    [/\.\.\.> $/, "key", "7;\n"],
    [/42\n.*sqlite> $/s, "key", ".exit\n"],
  ],
  lastly: "exit",
});

testAsking({
  name: "gdb and the program in it",
  isThere: needs("gdb"),
  options: { program: "gdb", args: ["-q", "-nx", "-iex", "set debuginfod enabled off", "cat"] },
  asks: [
    [/\(gdb\) $/, "key", "run\n"],
    [/run\n/, "line", "tulip\n"],
    [/tulip\ntulip/, "line", "\x04"],
    [/exited normally\]\n.*\(gdb\) $/s, "key", "quit\n"],
  ],
  lastly: "exit",
});

testAsking({
  name: "ssh-keygen",
  isThere: needs("ssh-keygen"),
  options: { program: "ssh-keygen", args: ["-t", "ed25519", "-f", "./key"] },
  asks: [
    [/Enter passphrase[^\n]*: $/, "password", "tulips and roses\n"],
    [/again: $/, "password", "tulips and roses\n"],
  ],
  lastly: /has been saved/,
});

testAsking({
  name: "a program that asks as sudo does",
  isThere: needs("python3"),
  options: { command: `echo data | python3 ${testProgram("waits/asks-on-tty.py")} "[sudo] password for ada: " tulips` },
  asks: [
    [/ada: $/, "password", "roses\n"],
    [/try again\.\n.*ada: $/s, "password", "tulips\n"],
  ],
  lastly: /granted/,
});

testAsking({
  name: "su, run by another user",
  isThere: needs("root"),
  options: { program: "setpriv", args: ["--reuid=65534", "--regid=65534", "--clear-groups", "su", "-c", "true"] },
  asks: [[/Password: $/, "password", "wrong\n"]],
  lastly: /failure|incorrect|denied/i,
});

testAsking({
  name: "sudo, run by another user",
  isThere: needs("root", "sudo"),
  options: { program: "setpriv", args: ["--reuid=65534", "--regid=65534", "--clear-groups", "sudo", "true"] },
  asks: [[/password for nobody: $/, "password", "wrong\n"]],
  lastly: /try again/,
});

testAsking({
  name: "the last of a pipeline",
  options: { command: 'echo data | { cat; read -r word </dev/tty; echo "got $word"; }' },
  asks: [[/data\n$/, "line", "tulip\n"]],
  lastly: /got tulip/,
});

testAsking({
  name: "a pipeline whose first member has ended, among forty background jobs",
  options: { program: "bash", args: ["--norc", "-i"] },
  asks: [
    [/[$#] $/, "key", "for i in {1..40}; do sleep 60 & done\n"],
    [/\[40\] \d+\n.*[$#] $/s, "key", "true | cat /dev/tty\n"],
    [/\/dev\/tty\n$/, "line", "tulip\n"],
    [/tulip\ntulip/, "line", "\x04"],
  ],
  lastly: /[$#] /,
});

testAsking({
  name: "a side thread that reads",
  isThere: needs("python3"),
  options: { program: "python3", args: [testProgram("waits/thread-reads.py")] },
  asks: [[/name\?\n$/, "line", "Ada\n"]],
  lastly: /hello Ada/,
});

testAsking({
  name: "a thread that reads after the main thread has ended",
  isThere: needs("python3"),
  options: { program: "python3", args: [testProgram("waits/main-thread-ends.py")] },
  asks: [[/name\?\n$/, "line", "Ada\n"]],
  lastly: /hello Ada/,
});

testAsking({
  name: "a program that a side thread started",
  isThere: needs("python3"),
  options: { program: "python3", args: [testProgram("waits/thread-starts.py")] },
  asks: [
    [/^$/, "line", "tulip\n"],
    [/tulip\ntulip/, "line", "\x04"],
  ],
  lastly: "exit",
});
