import type { Locator } from "playwright-core";

/** What a person reads there now, with line ends; empty if it is not there. */
export async function shownText(place: Locator): Promise<string> {
  return (await place.allInnerTexts()).join("\n");
}
