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

/** Programs tell single, double and triple clicks; more in one call is a mistake. */
export const MAX_MOUSE_CLICKS = 10;
/** Some screens of scrolling at three lines a step. */
export const MAX_WHEEL_STEPS = 100;

/** Of a picture: 4,000 × 4,000, which are 64 MB while they are drawn. */
export const MAX_PICTURE_PIXELS = 16_000_000;
/** A cell of 36 × 72 pixels; beyond it, nobody sees more. */
export const MAX_PICTURE_SCALE = 4;
/** Font files of the system that are looked at for a missing character. A desktop with every language has some hundred. */
export const MAX_FONT_FILES = 1_000;
/** The largest fonts, with all of Chinese, Japanese and Korean, have some 20 MB. */
export const MAX_FONT_BYTES: number = 64 * 1024 * 1024;
/** An 80 × 24 screen took 0.14 s on a busy machine; what takes this long is stuck. */
export const PICTURE_DEADLINE_MS = 20_000;
/** How long the thread that draws stays for the next picture. */
export const RENDERER_IDLE_MS = 10_000;
