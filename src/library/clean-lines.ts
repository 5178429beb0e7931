/** Output as clean lines, each as it was when it ended: for following a log. */
import type { Page } from "../base/cursor.ts";
import { Cleaner, type CleanerOptions } from "../text/clean/cleaner.ts";

const LINE_FEED = 0x0a;

export async function* cleanLines(
  pages: AsyncIterable<Page>,
  size: CleanerOptions,
): AsyncGenerator<string, void, undefined> {
  const cleaner = new Cleaner(size);
  for await (const { bytes } of pages) {
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      cleaner.push(bytes.subarray(from, at + 1));
      yield* linesOf(cleaner);
      from = at + 1;
    }
    cleaner.push(bytes.subarray(from));
  }
  yield* linesOf(cleaner);
}

/** One line, unless the program moved the caret: then redrawn text is returned again. */
function linesOf(cleaner: Cleaner): string[] {
  const { text } = cleaner.take();
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
