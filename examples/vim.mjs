/** Edits in vim as a person would, and shows the screen. */
import { open } from "limpet";

const vim = await open("vim -N -u NONE -n -i NONE shopping.txt", { size: { cols: 40, rows: 6 } });
await vim.press("i");
await vim.paste("milk\neggs\nbread");
await vim.press("Esc");
await vim.press(["g", "g", "V"]);
console.log((await vim.screen({ until: "VISUAL" })).text);

await vim.press("Esc");
await vim.press([":", "q", "!", "Enter"]);
console.log(await vim.exited());
