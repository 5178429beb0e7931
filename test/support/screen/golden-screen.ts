/** What a real full-screen program shows, compared with test/golden/screen/programs. */
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

export async function expectGolden(name: string, screen: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../golden/screen/programs/${name}.txt`, import.meta.url));
  await expect(`${screen}\n`).toMatchFileSnapshot(path);
}
