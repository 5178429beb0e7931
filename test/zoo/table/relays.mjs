/** Programs that pass keys on to another terminal on this machine. */
const FAR = "What runs at the far end is not visible from here: what it shows and its silence decide.";

export const relays = [
  {
    name: "script",
    needs: { script: "bsdutils" },
    run: ["script", "-qc", "bash --norc", "typescript"],
    steps: [
      { shows: "[$#] $", waits: "key" },
      { types: "sleep 1.2; expr 40 + 3\r", shows: "43\n.*[$#] $", waits: "key" },
      { types: "cat\r", shows: "cat\n", waits: "line" },
      { types: "\x04", shows: "[$#] $", waits: "key" },
      { types: "read -s -p 'secret? '; echo\r", shows: "secret\\? $", waits: "password" },
      { types: "tulips\r", shows: "[$#] $", waits: "key" },
      { types: "exit\r", waits: "exit" },
    ],
  },
  {
    name: "sudo with its own terminal",
    needs: { sudo: "sudo" },
    run: ["sudo", "bash", "-c", "read -r -p 'word: ' w; sleep 0.7; echo got $w; read -rs -p 'secret: ' s; echo"],
    steps: [
      { shows: "word: $", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n.*secret: $", waits: "password" },
      { types: "x\r", waits: "exit" },
    ],
  },
  {
    name: "tmux",
    needs: { tmux: "tmux" },
    run: "exec tmux -S sock -f /dev/null new bash --norc",
    screen: true,
    steps: [
      { shows: "[$#]", waits: "key" },
      { types: "expr 6 '*' 7\r", shows: "42\n.*[$#]", waits: "key" },
      { types: "sleep 1.2; expr 40 + 3\r", shows: "43\n", waits: "key" },
      { types: "cat\r", shows: "cat\n", waits: "line" },
      { types: "\x04", shows: "[$#]", waits: "key" },
      { types: "exit\r", waits: "exit" },
    ],
  },
  {
    name: "tmux with two panes",
    needs: { tmux: "tmux" },
    run: "exec tmux -S sock -f /dev/null new 'bash --norc' ';' split-window 'bash --norc'",
    why: "tmux has several terminals, and does not say which one gets the keys.",
    screen: true,
    steps: [
      { shows: "[$#]", waits: "unknown" },
      { types: "expr 6 '*' 7\r", shows: "42\n", waits: "unknown" },
    ],
  },
  {
    name: "screen",
    needs: { screen: "screen" },
    run: "mkdir -m 700 s; SCREENDIR=$PWD/s exec screen -c /dev/null bash --norc",
    screen: true,
    steps: [
      { shows: "[$#]", waits: "key" },
      { types: "expr 6 '*' 7\r", shows: "42\n.*[$#]", waits: "key" },
      { types: "sleep 1.2; expr 40 + 3\r", shows: "43\n", waits: "key" },
      { types: "exit\r", waits: "exit" },
    ],
  },
  {
    name: "dtach",
    needs: { dtach: "dtach" },
    run: ["dtach", "-A", "s", "-r", "winch", "bash", "--norc"],
    why: FAR,
    steps: [
      // Its second prompt erases the first, and the space at its end does not count then.
      { shows: "[$#] ?$", waits: "unknown" },
      { types: "sleep 1.2; expr 40 + 3\r", shows: "43\n.*[$#] ?$", waits: "unknown" },
      { types: "exit\r", waits: "exit" },
    ],
  },
  {
    name: "asciinema rec",
    needs: { asciinema: "asciinema" },
    isSlow: true,
    run: ["asciinema", "rec", "-q", "-c", "bash --norc", "cast"],
    steps: [
      { shows: "[$#] $", waits: "key" },
      { types: "sleep 1.2; expr 40 + 3\r", shows: "43\n.*[$#] $", waits: "key" },
      { types: "exit\r", waits: "exit" },
    ],
  },
  {
    name: "expect's interact",
    needs: { expect: "expect" },
    run: ["expect", "-c", "spawn -noecho bash --norc; interact"],
    steps: [
      { shows: "[$#] $", waits: "key" },
      { types: "sleep 1.2; expr 40 + 3\r", shows: "43\n.*[$#] $", waits: "key" },
      { types: "exit\r", waits: "exit" },
    ],
  },
  {
    name: "unbuffer -p",
    needs: { unbuffer: "expect" },
    run: "exec unbuffer cat",
    why: "Its program reads a terminal that is not ours.",
    steps: [{ shows: "", waits: "none" }],
  },
  {
    name: "socat to a terminal",
    needs: { socat: "socat" },
    run: "exec socat -,raw,echo=0 EXEC:'bash --norc -i',pty,setsid,ctty,stderr",
    steps: [
      { shows: "[$#] $", waits: "key" },
      { types: "sleep 1.2; expr 40 + 3\r", shows: "43\n.*[$#] $", waits: "key" },
      { types: "exit\r", waits: "exit" },
    ],
  },
];
