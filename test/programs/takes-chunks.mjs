// Reads keys as Ink does: what comes in one read is one key, or a paste. Redraws at most every 32 ms, and handles a key
// with the state that it had drawn last. The arguments: how long after text Enter is a part of a paste, and how long it
// takes to draw.
const pasteMs = Number(process.argv[2] ?? 0);
const drawMs = Number(process.argv[3] ?? 0);
const items = ["apple", "banana", "cherry"];
let state = { text: "", chosen: 0 };
let shown = state;
let typedAtMs = Number.NEGATIVE_INFINITY;
let drawnAtMs = Number.NEGATIVE_INFINITY;
let isDrawing = false;

function draw() {
  isDrawing = false;
  drawnAtMs = performance.now();
  process.stdout.write(`\r\x1b[J> ${shown.text} [${items[shown.chosen]}]`);
}

function update(change) {
  state = { ...state, ...change };
  // A handler sees a new state only after it was rendered.
  setTimeout(() => {
    shown = state;
    if (!isDrawing) setTimeout(draw, Math.max(drawMs, 32 - (performance.now() - drawnAtMs)));
    isDrawing = true;
  }, 1);
}

process.stdin.setRawMode(true);
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const isSoon = performance.now() - typedAtMs < pasteMs;
  if (chunk === "\x03") process.exit(0);
  if (chunk === "\r" && !isSoon) {
    process.stdout.write(`\r\nsubmitted ${JSON.stringify(shown.text)} ${items[shown.chosen]}\r\n`);
    update({ text: "" });
    return;
  }
  if (chunk === "\x1b[B") return update({ chosen: Math.min(items.length - 1, shown.chosen + 1) });
  if (chunk === "\x1b[A") return update({ chosen: Math.max(0, shown.chosen - 1) });
  typedAtMs = performance.now();
  update({ text: shown.text + chunk });
});
draw();
process.stdout.write("\r\nready\r\n");
