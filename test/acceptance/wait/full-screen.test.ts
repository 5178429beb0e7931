import { testAsking } from "../../support/asking.ts";
import { needs } from "../../support/needs.ts";

testAsking({
  name: "less",
  isThere: needs("less"),
  options: { command: "seq 1000 | less" },
  asks: [
    [/23\b/, "key", " "],
    [/46\b/, "key", "q"],
  ],
  lastly: "exit",
});

testAsking({
  name: "vim",
  isThere: needs("vim"),
  options: { program: "vim", args: ["-u", "NONE", "-N", "tulip.txt"] },
  asks: [
    [/tulip\.txt/, "key", "ihello"],
    [/hello/, "key", "\x1b:wq\r"],
  ],
  lastly: "exit",
});

testAsking({
  name: "nano",
  isThere: needs("nano"),
  options: { program: "nano", args: ["tulip.txt"] },
  asks: [[/tulip\.txt/, "key", "\x18"]],
  lastly: "exit",
});

testAsking({
  name: "htop",
  isThere: needs("htop"),
  options: { program: "htop" },
  asks: [[/PID/, "key", "q"]],
  lastly: "exit",
});

testAsking({
  name: "top",
  isThere: needs("ps"),
  options: { program: "top" },
  asks: [[/PID/, "key", "q"]],
  lastly: "exit",
});

testAsking({
  name: "git rebase -i with an editor",
  isThere: needs("git") && needs("vim"),
  options: {
    command: `export GIT_CONFIG_GLOBAL=/dev/null GIT_SEQUENCE_EDITOR="vim -u NONE -N"
      git init -q . && git config user.name a && git config user.email a@example.com
      for n in one two; do git commit -q --allow-empty -m $n; done
      git rebase -i --root`,
  },
  asks: [[/pick .* two/s, "key", ":wq\r"]],
  lastly: /Successfully rebased/,
});

testAsking({
  name: "dialog",
  isThere: needs("dialog"),
  options: { command: "dialog --menu Choose 12 40 2 a Apple b Banana; echo; echo chosen" },
  asks: [[/Banana/, "key", "b\n"]],
  lastly: /chosen/,
});

testAsking({
  name: "whiptail",
  isThere: needs("whiptail"),
  options: { command: "whiptail --menu Choose 12 40 2 a Apple b Banana; echo; echo chosen" },
  asks: [[/Banana/, "key", "\r"]],
  lastly: /chosen/,
});

testAsking({
  name: "zsh",
  isThere: needs("zsh"),
  options: { program: "zsh", args: ["-f"] },
  asks: [
    [/[%#] /, "key", "echo $((6 * 7))\n"],
    [/42\n/, "key", "exit\n"],
  ],
  lastly: "exit",
});
