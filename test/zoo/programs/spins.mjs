/** Draws ten times a second and reads keys, until it is told to stop. */
let frame = 0;
process.stdin.setRawMode(true).resume();
process.stdout.write("\x1b[?25l");
const timer = setInterval(() => {
  frame += 1;
  process.stdout.write(`\r\x1b[K${"|/-\\"[frame % 4]} working`);
}, 100);
process.stdin.on("data", (bytes) => {
  if (bytes.toString() !== "s") process.exit();
  clearInterval(timer);
  process.stdout.write("\r\x1b[K\x1b[?25hstopped\r\n> ");
});
