// A node program in line mode with a timer, as installers have it.
let turn = 0;
setInterval(() => process.stdout.write(`\r${"|/-\\"[turn++ % 4]} working`), 30);
