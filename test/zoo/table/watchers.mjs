/** Programs that go on by themselves: watchers, servers, test runners. Most wait for nothing, some for keys. */
const nothing = (name, entry) => ({ name, ...entry, steps: [{ shows: entry.shows, waits: "none", forMs: 2_000 }] });

export const watchers = [
  nothing("tail -f", { run: "echo ready >log; exec tail -f log", shows: "ready" }),
  nothing("python http.server", {
    needs: { python3: "python3" },
    run: ["python3", "-um", "http.server", "0", "--bind", "127.0.0.1"],
    shows: "Serving",
  }),
  nothing("flask", {
    needs: { python3: "python3-flask" },
    isSlow: true,
    files: { "app.py": "from flask import Flask\napp = Flask(__name__)\n" },
    run: "exec python3 -m flask run --port 0",
    shows: "Running on",
  }),
  nothing("node server", {
    run: ["node", "-e", "require('http').createServer().listen(0, '127.0.0.1', () => console.log('ready'))"],
    shows: "ready",
  }),
  nothing("node server that reads lines", {
    run: [
      "node",
      "-e",
      "process.stdin.on('data', () => {}); require('http').createServer().listen(0, '127.0.0.1', () => console.log('ready'))",
    ],
    why: "It takes lines, too, but a server does not wait for them.",
    shows: "ready",
  }),
  nothing("redis-server", {
    needs: { "redis-server": "redis-server" },
    run: "exec redis-server --port 0 --unixsocket s --save ''",
    shows: "eady to accept",
  }),
  nothing("php -S", {
    needs: { php: "php-cli" },
    run: ["php", "-S", "127.0.0.1:0"],
    shows: "Development Server",
  }),
  nothing("inotifywait", {
    needs: { inotifywait: "inotify-tools" },
    run: ["inotifywait", "-m", "."],
    shows: "Watches established",
  }),
  nothing("make with a slow rule", {
    needs: { make: "make" },
    files: { Makefile: "all:\n\t@echo building\n\t@sleep 30\n" },
    run: ["make"],
    shows: "building",
  }),
  nothing("vite", {
    npm: ["vite@7"],
    isSlow: true,
    files: { "index.html": "<p>tulip</p>" },
    run: ["vite", "--host", "127.0.0.1", "--port", "0"],
    why: "Its shortcuts take lines, but a server does not wait for them.",
    shows: "press h",
  }),
  nothing("tsc --watch", {
    npm: ["typescript@5.9"],
    isSlow: true,
    files: { "a.ts": "export const a = 1;\n" },
    run: ["tsc", "--watch", "--preserveWatchOutput", "a.ts"],
    shows: "Watching for file changes",
  }),
  nothing("rollup -w", {
    npm: ["rollup@4"],
    isSlow: true,
    files: { "a.js": "console.log(1);\n" },
    run: "exec rollup a.js -o out.js --watch",
    shows: "waiting for changes|created",
  }),
  nothing("webpack-dev-server", {
    npm: ["webpack@5", "webpack-cli@6", "webpack-dev-server@5"],
    isSlow: true,
    files: { "src/index.js": "console.log(1);\n" },
    run: ["webpack", "serve", "--mode", "development", "--host", "127.0.0.1", "--port", "auto"],
    shows: "compiled",
  }),
  nothing("nodemon", {
    npm: ["nodemon@3"],
    isSlow: true,
    files: { "a.js": "setInterval(() => {}, 1000); console.log('re' + 'ady');\n" },
    run: ["nodemon", "a.js"],
    why: "It takes lines (rs), but its program runs.",
    shows: "ready",
  }),
  nothing("tsx watch", {
    npm: ["tsx@4"],
    isSlow: true,
    files: { "a.ts": "setInterval(() => {}, 1000); console.log('re' + 'ady');\n" },
    run: ["tsx", "watch", "a.ts"],
    why: "It takes keys, but its program runs.",
    shows: "ready",
  }),
  nothing("concurrently", {
    npm: ["concurrently@9"],
    isSlow: true,
    run: ["concurrently", "echo ready; sleep 30", "sleep 30"],
    shows: "ready",
  }),
  nothing("esbuild --watch", {
    npm: ["esbuild@0.28"],
    isSlow: true,
    files: { "a.js": "console.log(1);\n" },
    run: ["esbuild", "a.js", "--watch", "--outfile=out.js"],
    shows: "watching",
  }),
  {
    name: "entr",
    needs: { entr: "entr" },
    run: "touch a; ls | entr sh -c 'echo built; sleep 0.7; echo tulip'",
    steps: [
      { shows: "tulip", waits: "key" },
      { types: " ", shows: "tulip", waits: "key" },
      { types: "q", waits: "exit" },
    ],
  },
  {
    name: "vitest --watch",
    npm: ["vitest@4"],
    isSlow: true,
    files: {
      "a.test.js":
        "import { test } from 'vitest';\ntest('tulip', async () => { await new Promise((done) => setTimeout(done, 900)); });\n",
    },
    run: ["vitest", "--watch"],
    steps: [
      { shows: "Waiting for file changes", waits: "key" },
      { types: "a", shows: "RERUN.*Waiting for file changes", waits: "key" },
      { types: "h", shows: "Watch Usage", waits: "key" },
      { types: "q", waits: "exit" },
    ],
  },
  {
    name: "jest --watch",
    npm: ["jest@30"],
    isSlow: true,
    files: {
      "package.json": "{}",
      "a.test.js": "test('tulip', async () => { await new Promise((done) => setTimeout(done, 900)); });\n",
    },
    run: "git init -q . && exec jest --watchAll",
    steps: [
      { shows: "Watch Usage", waits: "key" },
      { types: "a", shows: "Ran all test suites.*Watch Usage", waits: "key" },
      { types: "q", waits: "exit" },
    ],
  },
  {
    name: "node --watch",
    files: { "a.js": "console.log('re' + 'ady');\n" },
    run: ["node", "--watch", "a.js"],
    why: "It waits for a change of its file.",
    steps: [{ shows: "Completed running|ready", waits: "none" }],
  },
];
