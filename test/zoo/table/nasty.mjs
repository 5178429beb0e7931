/** Small programs that are made to be hard to judge. */
const python = (name, ...args) => ({
  needs: { python3: "python3" },
  run: `exec python3 "$ZOO/${name}.py" ${args.join(" ")}`,
});
const node = (name) => ({ run: `exec node "$ZOO/${name}.mjs"` });

export const nasty = [
  {
    name: "select on the terminal",
    ...python("waits-with", "select"),
    steps: [
      { shows: "ready\n", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n", waits: "line" },
    ],
  },
  {
    name: "poll on the terminal",
    ...python("waits-with", "poll"),
    steps: [
      { shows: "ready\n", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n", waits: "line" },
    ],
  },
  {
    name: "epoll on the terminal",
    ...python("waits-with", "epoll"),
    steps: [
      { shows: "ready\n", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n", waits: "line" },
    ],
  },
  {
    name: "asyncio reader",
    ...python("waits-with", "asyncio"),
    steps: [
      { shows: "ready\n", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n", waits: "line" },
    ],
  },
  {
    name: "node data listener",
    ...node("listens-for-lines"),
    steps: [
      { shows: "ready\n", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n", waits: "line" },
      { types: "slow\r", shows: "got slow\n", waits: "line" },
    ],
  },
  {
    name: "select with a timer",
    ...python("waits-with", "ticks"),
    why: "It prints by its clock, whether or not a line comes.",
    steps: [{ shows: "ready\n", waits: "none" }],
  },
  {
    name: "a thread that reads, one that works",
    ...python("works-in-a-thread"),
    steps: [
      { shows: "> $", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n> $", waits: "line" },
      { types: "rose\r", shows: "got rose\n> $", waits: "line" },
    ],
  },
  {
    name: "raw keys with work in between",
    ...python("works-raw"),
    steps: [
      { shows: "press: $", waits: "key" },
      { types: "a", shows: "did a\r?\n?press: $", waits: "key" },
      { types: "b", shows: "did b\r?\n?press: $", waits: "key" },
    ],
  },
  {
    name: "raw keys in steps (VMIN 0)",
    ...python("polls-keys"),
    steps: [
      { shows: "press> $", waits: "key" },
      { types: "a", shows: "did a\\s+press> $", waits: "key" },
      { types: "b", shows: "did b\\s+press> $", waits: "key" },
    ],
  },
  {
    name: "a spinner that reads keys",
    ...node("spins"),
    why: "It draws ten times a second, and reads keys all the time.",
    steps: [
      { shows: "working", waits: "none", forMs: 2_500 },
      { types: "s", shows: "stopped", waits: "key" },
    ],
  },
  {
    name: "a prompt in the middle of work",
    ...node("prompts-and-works"),
    steps: [
      { shows: "> $", waits: "key" },
      { types: "one\r", shows: "done one\n> $", waits: "key" },
      { types: "two\r", shows: "done two\n> $", waits: "key" },
    ],
  },
  {
    name: "a worker thread that computes",
    ...node("computes-in-a-worker"),
    steps: [
      { shows: "> $", waits: "key" },
      { types: "go\r", shows: "sum \\d+\n> $", waits: "key" },
    ],
  },
  {
    name: "a menu without a caret",
    ...node("shows-a-menu"),
    steps: [
      { shows: "quit", waits: "key" },
      { types: "1", shows: "one done", waits: "key" },
      { types: "2", shows: "two done", waits: "key" },
    ],
  },
  {
    name: "a program stopped in its read",
    run: ["bash", "-c", "echo ready; kill -STOP $$; read -r x"],
    steps: [{ shows: "ready", waits: "none" }],
  },
  {
    name: "a flood and a prompt",
    run: "seq 100000; read -r -p 'more? ' x",
    steps: [{ shows: "100000\nmore\\? $", waits: "line" }],
  },
  {
    name: "a pipe that nobody feeds",
    run: "mkfifo p; echo ready; cat <>p",
    steps: [{ shows: "ready", waits: "none" }],
  },
  {
    name: "output that looks like a prompt",
    run: "printf 'Downloading: '; sleep 3; echo done; printf 'name: '; read -r x",
    steps: [
      { shows: "Downloading: $", waits: "none", forMs: 2_000 },
      { shows: "done\nname: $", waits: "line" },
    ],
  },
  {
    name: "a background job that prints",
    run: ["bash", "--norc", "-i"],
    steps: [
      { shows: "[$#] $", waits: "key" },
      { types: "(for i in 1 2 3 4 5 6; do sleep 0.2; echo tick; done) &\r", shows: "[$#] ", waits: "key" },
    ],
  },
  {
    name: "a grandchild that reads",
    run: "bash -c 'bash -c \"read -r -p word: x; echo got \\$x; read -r y\"'; true",
    steps: [
      { shows: "word:$", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n", waits: "line" },
    ],
  },
  {
    name: "a program of another user",
    needs: { setpriv: "util-linux" },
    run: "exec setpriv --reuid=65534 --regid=65534 --clear-groups bash -c 'cd /; read -r -p \"word: \" x; echo got $x; read -r'",
    steps: [
      { shows: "word: $", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n", waits: "line" },
    ],
  },
];
