/** Every default and bound, each with its reason. */

/** What programs assume of a terminal that says nothing. */
export const DEFAULT_SIZE: { readonly cols: number; readonly rows: number } = { cols: 80, rows: 24 };
/** A screen of this size costs some megabytes; beyond it, a size is a mistake or an attack. */
export const MAX_COLS = 500;
export const MAX_ROWS = 500;

/** The kernel hands out at most 4 KiB a read from a terminal, 64 KiB from a pipe. */
export const READ_BYTES: number = 64 * 1024;
/** Half of what a terminal gives in one read: a piece of this size is part of a flood, and the rest is on its way. */
export const FLOOD_PIECE_BYTES = 2048;
/** More than the kernel can hold between a terminal's ends (64 KiB and a page): what was written before an exit is within it. */
export const DRAIN_BYTES: number = 256 * 1024;

/** Typed but not yet taken by the program. A program that reads at all catches up with this in well under a second. */
export const MAX_INPUT_BYTES: number = 1024 * 1024;
/** What the kernel keeps of a line in line mode: a longer one is cut without a word, so we refuse it. Its end does not count. */
export const MAX_LINE_BYTES = 4095;

/** Output kept in memory per session: enough for what an agent asks about, small enough for a thousand sessions. */
export const DEFAULT_JOURNAL_BYTES: number = 1024 * 1024;
/** Of it, how much of the beginning is kept for good: a first error is worth more than the middle. */
export const JOURNAL_HEAD_BYTES: number = 64 * 1024;
/** Output kept on disk per session, where there is a state directory. */
export const DEFAULT_SPILL_BYTES: number = 64 * 1024 * 1024;
/** How often the origin of output may change between stdout and stderr before the oldest changes are forgotten. */
export const MAX_ORIGIN_CHANGES = 65_536;

/** Between hang-up and kill: a shell ends in 10 ms, an editor saves its swap file in 100. */
export const DEFAULT_GRACE_MS = 1_000;
export const MAX_GRACE_MS = 60_000;

/** Sessions alive at once in one registry. */
export const DEFAULT_MAX_SESSIONS = 64;
/** Ended sessions that stay readable. */
export const MAX_TOMBSTONES = 256;
/** A name is shown in one-line listings. */
export const MAX_NAME_LENGTH = 64;

/** A title is shown in one line. */
export const MAX_TITLE_CHARS = 256;
/** What a terminal is given at once, in bytes of plain text: some 0.1 ms, and a few milliseconds of the slowest there is. */
export const SCREEN_CHUNK_COST = 2048;
/** What a terminal is given in one turn of the loop, in bytes: some milliseconds of plain text. */
export const SCREEN_TURN_BYTES: number = 128 * 1024;
/** Lines kept above a live screen: what somebody scrolls back to, within a megabyte at 80 columns with much to spare. */
export const SCREEN_SCROLLBACK_LINES = 200;
/** Lines above the screen that are found again on request, by drawing all that is kept anew. */
export const MAX_SCROLLBACK_LINES = 5_000;
/** Output that is drawn anew when a screen must be built: half a second of work. What came before it is not drawn. */
export const SCREEN_REBUILD_BYTES: number = 16 * 1024 * 1024;
/** Spent on catching up; then only the latest output is drawn, and after as long again none: it was made to be slow. */
export const SCREEN_CATCH_UP_MS = 1_000;
/** The latest output, when there is no time for more: many screens of text. */
export const SCREEN_SHORT_BYTES: number = 32 * 1024;
/** A screen that nobody has looked at for this long is given up; the next look builds it again. */
export const SCREEN_KEEP_MS = 60_000;
/** More marks on one character than any script uses; what comes after them gets a cell of its own. */
export const MAX_MARKS_PER_CELL = 8;
/** Changes of size that a session remembers: enough for a person dragging a window. */
export const MAX_SIZE_CHANGES = 256;
/** Answers to a program's questions in one second: a program asks a few when it starts; a file full of them floods nobody. */
export const MAX_REPLIES_PER_SECOND = 20;
