// What programs print at different widths of the terminal: the words that they cut away, compared with 500 columns, and
// the tokens that a model reads. Programs that this machine lacks are left out.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession } from "../dist/entries/session.js";
import { counted, writeFigures } from "./write-figures.mjs";

const WIDTHS = [80, 100, 120, 132, 160, 200];
const REFERENCE = 500;
const folder = mkdtempSync(join(tmpdir(), "limpet-width-"));
const tokens = (text) => Math.ceil(Buffer.byteLength(text) / 4);

/** A table as docker prints it: padded columns, whatever the width. */
const DOCKER = [
  ["CONTAINER ID", "IMAGE", "COMMAND", "CREATED", "STATUS", "PORTS", "NAMES"],
  ...["api", "worker", "scheduler", "postgres", "redis"].map((name, index) => [
    `3f2a9c${index}b7d1e`,
    `images.example.com/platform/${name}:2026.11.${index}`,
    `"docker-entrypoint.s…"`,
    `${index + 2} hours ago`,
    `Up ${index + 2} hours (healthy)`,
    `0.0.0.0:${8000 + index}->${8000 + index}/tcp, :::${8000 + index}->${8000 + index}/tcp`,
    `platform-${name}-1`,
  ]),
];

function prepare() {
  const git = (...words) => execFileSync("git", words, { cwd: folder, stdio: "ignore" });
  const long = join(folder, "packages/storefront/src/components/checkout/payment-methods/credit-card");
  mkdirSync(long, { recursive: true });
  git("init", "-q");
  git("config", "user.email", "a@example.com");
  git("config", "user.name", "A Developer With A Name");
  const write = (count) => {
    for (const name of ["credit-card-form.component.tsx", "validate-card-number.ts", "index.ts"])
      writeFileSync(join(long, name), "export const line = 1;\n".repeat(count));
  };
  write(10);
  git("add", ".");
  git(
    "commit",
    "-qm",
    "storefront: accept cards whose numbers are grouped by spaces or dashes, as they are printed on them",
  );
  write(300);
  const failing =
    'def test_order():\n    assert {"id": 1, "status": "open", "total": "19.99", "currency": "EUR", "lines": list(range(12))} == {"id": 1, "status": "paid", "total": "19.99", "currency": "EUR", "lines": list(range(13))}\n';
  writeFileSync(join(folder, "test_order.py"), failing);
  const widths = DOCKER[0].map((_, column) => Math.max(...DOCKER.map((row) => row[column].length)) + 3);
  const table = DOCKER.map((row) => row.map((text, column) => text.padEnd(widths[column])).join(""));
  writeFileSync(join(folder, "docker.txt"), `${table.join("\n")}\n`);
  writeFileSync(join(folder, "package.json"), '{"name":"storefront","version":"1.0.0","scripts":{"test":"exit 1"}}');
  mkdirSync(join(folder, "src"));
  const cargo = '[package]\nname = "storefront"\nversion = "1.0.0"\nedition = "2021"\n';
  writeFileSync(join(folder, "Cargo.toml"), cargo);
  writeFileSync(join(folder, "src/lib.rs"), "pub fn total(prices: &[u32]) -> u64 { prices.iter().sum::<String>() }\n");
}

/** Command lines as servers have them, for ps and top to show. */
const SERVERS = [
  "nginx: worker process",
  "postgres: 15/main: walwriter",
  "/usr/bin/python3 /usr/bin/gunicorn storefront.wsgi:application --workers 4 --bind unix:/run/storefront.sock",
  "node /srv/storefront/node_modules/.bin/next start --port 3000 --hostname 0.0.0.0 --keepAliveTimeout 70000",
  "/usr/lib/jvm/java-17/bin/java -Xms2g -Xmx2g -XX:+UseG1GC -Dlog4j2.formatMsgNoLookups=true -cp /opt/search/lib/* org.search.Main",
  "esbuild --service=storefront --ping --watch --bundle --sourcemap packages/storefront/src/index.tsx",
];
const started = SERVERS.map((line) => `bash -c 'exec -a "${line}" sleep 60' & pids="$pids,$!"`).join("\n");
const amongServers = (command) => `${started}\nsleep 0.5\npids=\${pids#,}\n${command}\nkill \${pids//,/ }`;

const PROGRAMS = {
  "ps u": amongServers("ps u -p $pids"),
  "ps -ef": amongServers("ps -f -p $pids"),
  "top -b -c": amongServers("top -b -c -n 1 -p $pids"),
  "docker ps": "cat docker.txt",
  "pytest -q": "pytest -q -p no:cacheprovider test_order.py",
  "pytest -v": "pytest -v -p no:cacheprovider test_order.py",
  "git diff --stat": "git diff --stat",
  "git log --stat": "git log --stat",
  "npm help": "npm help --no-usage",
  "cargo build": "cargo build --offline",
  ls: "ls /etc",
  "python --help": "python3 -m http.server --help",
  "ss -tln": "ss -tln",
};

async function textAt(command, cols) {
  const env = { PAGER: "cat", GIT_PAGER: "cat", TERM: "xterm-256color" };
  const session = await openSession({ command, shell: "/bin/bash", cwd: folder, env, size: { cols, rows: 50 } });
  try {
    await session.exited;
    return (await session.text({ maxTokens: 1_000_000, fold: false })).text;
  } finally {
    await session.discard();
  }
}

function wordsOf(text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word) && !/\d/.test(word));
}

/** Words of the reference that are missing. Words with digits are left out: times and sizes differ between two runs. */
function lostWords(reference, text) {
  const left = new Map();
  for (const word of wordsOf(text)) left.set(word, (left.get(word) ?? 0) + 1);
  return wordsOf(reference).filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  }).length;
}

try {
  prepare();
  const rows = [];
  const sums = Object.fromEntries(WIDTHS.map((width) => [width, { lost: 0, tokens: 0 }]));
  for (const [name, command] of Object.entries(PROGRAMS)) {
    const reference = await textAt(command, REFERENCE);
    if (/not found|No module named/.test(reference.slice(0, 200))) {
      console.error(`${name}: not on this machine`);
      continue;
    }
    const row = { program: name };
    for (const width of WIDTHS) {
      const text = await textAt(command, width);
      const found = { lost: lostWords(reference, text), tokens: tokens(text) };
      row[width] = `${found.lost} lost, ${found.tokens}`;
      sums[width].lost += found.lost;
      sums[width].tokens += found.tokens;
    }
    row[REFERENCE] = tokens(reference);
    rows.push(row);
  }
  const total = WIDTHS.map((width) => [width, `${sums[width].lost} lost, ${sums[width].tokens}`]);
  rows.push({ program: "sum", ...Object.fromEntries(total) });
  console.table(rows);
  writeFigures("width", {
    programs: counted(rows.length - 1),
    ...Object.fromEntries(WIDTHS.map((width) => [`lost-${width}`, counted(sums[width].lost)])),
    ...Object.fromEntries(WIDTHS.map((width) => [`tokens-${width}`, counted(sums[width].tokens)])),
  });
  console.log(`Words lost and tokens at each width; the last column has the tokens at ${REFERENCE} columns.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
