import { spawn } from "node:child_process";

/** Opens a file in the person's browser. False if there is nothing to open it with. */
export function openBrowser(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const opener = spawn("xdg-open", [file], { stdio: "ignore", detached: true });
    opener.on("error", () => resolve(false));
    opener.on("spawn", () => {
      opener.unref();
      resolve(true);
    });
  });
}
