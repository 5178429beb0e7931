/** Drives an editor as a person would: looks at the screen, presses keys, pastes, and takes a picture in the end. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeKey, encodePaste } from "limpet/keys";
import { renderPng, screenOf, screenText, waitForScreen } from "limpet/screen";
import { openSession } from "limpet/session";

const deadlineMs = 20_000;
const folder = await mkdtemp(join(tmpdir(), "limpet-screen-"));
const session = await openSession({
  program: "vim",
  args: ["-N", "-u", "NONE", "-n", "-i", "NONE", "shopping.txt"],
  cwd: folder,
  size: { cols: 50, rows: 8 },
});
const screen = screenOf(session);

try {
  await shows("shopping.txt");

  // In insert mode first, then the paste: vim takes it as text, and does not indent or map it.
  await press("i");
  await shows("INSERT");
  await session.write(encodePaste("milk\neggs\nbread", await screen.modes()));
  await shows("bread");
  await press("Esc", "g", "g", "V");
  await shows("VISUAL");

  // What stands out, such as the selected line, is between ⟦ and ⟧.
  console.log(screenText(await screen.snapshot(), { caret: true }));

  const png = await renderPng(await screen.snapshot({ cells: true }), { title: "vim" });
  await writeFile(join(folder, "vim.png"), png);
  console.log(`a picture of it has ${png.length} bytes`);

  await press("Esc", ":", "w", "q", "Enter");
  const { exit } = await session.wait({ onInput: false, deadlineMs });
  console.log(exit, JSON.stringify(await readFile(join(folder, "shopping.txt"), "utf8")));
} finally {
  await session.discard();
  await rm(folder, { recursive: true });
}

/** The same key is other bytes in other modes, so the program's modes are asked for each time. */
async function press(...keys) {
  for (const key of keys) await session.write(encodeKey(key, await screen.modes()));
}

async function shows(until) {
  const { reason, snapshot } = await waitForScreen(session, { until, deadlineMs });
  if (reason !== "matched") throw new Error(`${reason}, and no ${until} on\n${screenText(snapshot)}`);
}
