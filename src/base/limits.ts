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
/** Spent on reading floods in one turn of the loop: longer would make others wait, less would cost throughput. */
export const FLOOD_TURN_MS = 0.5;
/** More than the kernel can hold between a terminal's ends (64 KiB and a page): what was written before an exit is within it. */
export const DRAIN_BYTES: number = 256 * 1024;

/** Typed but not yet taken by the program. A program that reads at all catches up with this in well under a second. */
export const MAX_INPUT_BYTES: number = 1024 * 1024;
/** What the kernel keeps of a line in line mode: a longer one is cut without a word, so we refuse it. Its end does not count. */
export const MAX_LINE_BYTES = 4095;

/**
 * Where nobody can say that a program waits for input, this much silence ends a wait for it: most programs print within it, and a
 * prompt is not noticed much later than a person would notice it.
 */
export const NO_PROBE_QUIET_MS = 1_000;

/** Output kept in memory per session: enough for what an agent asks about, small enough for a thousand sessions. */
export const DEFAULT_JOURNAL_BYTES: number = 1024 * 1024;
/** Of it, how much of the beginning is kept for good: a first error is worth more than the middle. */
export const JOURNAL_HEAD_BYTES: number = 64 * 1024;
/** Output kept on disk per session, where there is a state directory. */
export const DEFAULT_DISK_BYTES: number = 64 * 1024 * 1024;
/** How often the origin of output may change between stdout and stderr before the oldest changes are forgotten. */
export const MAX_ORIGIN_CHANGES = 65_536;

/** Between hang-up and kill: a shell ends in 10 ms, an editor saves its swap file in 100. */
export const DEFAULT_GRACE_MS = 1_000;
export const MAX_GRACE_MS = 60_000;

/** The longest that a timer of Node can wait, almost 25 days; a longer one would ring at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** Sessions alive at once in one registry. */
export const DEFAULT_MAX_SESSIONS = 64;
/** Ended sessions that stay readable. */
export const MAX_TOMBSTONES = 256;
/** Places of callers remembered per session: whoever has not read for as many others reads from the beginning again. */
export const MAX_CALLERS = 1_024;
/** Answers remembered per caller, for requests that are sent again. */
export const MAX_RECENT_TURNS = 4_096;
/** All texts in these answers together; older ones are read again from the journal. */
export const RECENT_TURN_CHARS: number = 16 * 1024 * 1024;
/** A name is shown in one-line listings. */
export const MAX_NAME_LENGTH = 64;

/** When output came, for recordings that begin later: 64 KiB a session at most, and a second's precision after an hour of flood. */
export const MAX_ARRIVAL_TIMES = 4096;
/** Sizes that a terminal has had: somebody who drags a window makes some dozens a second. */
export const MAX_SIZE_CHANGES = 1024;
/** Typed, but not in the recording yet: what a session's own queue may hold. */
export const MAX_UNRECORDED_INPUT_BYTES: number = 1024 * 1024;
/** A line of a recording holds one page of output, of which each byte may take six characters, and some more of other tools'. */
export const MAX_CAST_LINE_BYTES: number = 4 * 1024 * 1024;
/** Recordings of one session at a time: one for a person, one for an audit, and some forgotten ones. */
export const MAX_RECORDINGS = 8;
/** Of how many callers a session remembers what they saw of its screen; some kilobytes each. */
export const MAX_SEEN_SCREENS = 16;
/** Of how many callers a session remembers how much they have typed. */
export const MAX_TYPING_CALLERS = 256;

/** A request to the host: more than any terminal takes at once; a longer line is a mistake. */
export const MAX_HOST_LINE_BYTES: number = 8 * 1024 * 1024;
/** An answer of the host: all that is kept of a session, escaped, fits; V8 has no longer strings than eight of these. */
export const MAX_HOST_ANSWER_BYTES: number = 64 * 1024 * 1024;
/** Answers that a client does not take. Two of the longest, then it is let go. */
export const MAX_HOST_UNSENT_BYTES: number = 2 * MAX_HOST_ANSWER_BYTES;
/** Calls of one client at once: each subscription and each session that it watches has one waiting. */
export const MAX_HOST_CALLS = 4_096;
/** Of these, so many at once may be about to answer with a part of a session's output. */
export const MAX_HOST_READINGS = 8;
/** Values of a stream on their way: enough to keep a socket busy, 256 KiB of output at most. */
export const STREAM_WINDOW = 4;

/** Sessions alive at once in a host, which serves several agents and their users. */
export const HOST_MAX_SESSIONS = 256;
/** A host without sessions and clients ends after this long: an agent that pauses finds it again. */
export const HOST_IDLE_MS: number = 60 * 60 * 1000;
/** All that a host takes to end: the grace of its programs and the writing of what they printed last. */
export const HOST_STOP_MS = 4_500;
/** Journals of ended sessions that a host keeps on disk, all together: sixteen of the longest. */
export const FORMER_JOURNAL_BYTES: number = 16 * DEFAULT_DISK_BYTES;
/** To be reached after its start: a tenth of a second where the machine is idle. */
export const HOST_START_MS = 20_000;
/** What hosts may have said before it is thrown away: some lines each. */
export const HOST_LOG_BYTES: number = 256 * 1024;
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
/** Answers to a program's questions in one second: a program asks a few when it starts; a file full of them floods nobody. */
export const MAX_REPLIES_PER_SECOND = 20;
/** Programs tell single, double and triple clicks; more in one call is a mistake. */
export const MAX_MOUSE_CLICKS = 10;
/** Some screens of scrolling at three lines a step. */
export const MAX_WHEEL_STEPS = 100;
/** The longest mark of a shell: a directory of PATH_MAX bytes, each a line feed that the terminal doubles, and what surrounds it. */
export const MAX_MARK_BYTES: number = 16 * 1024;
/** Typed at once into a shell: what the kernel holds of unread lines, with some room. */
export const TYPED_BYTES = 4000;
/** One command's text. A shell takes some milliseconds for each 4 KB of it. */
export const MAX_COMMAND_BYTES: number = 16 * 1024 * 1024;
/** The start of a shell with all that its profile does; what takes longer waits for something that does not come. */
export const SHELL_START_MS = 20_000;
/** A start that may take longer waits for a person. */
export const MAX_SHELL_START_MS = 600_000;
/** How long a prepared shell may take to answer, before it is asked again. */
export const SHELL_ANSWER_MS = 3_000;

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
/** Of what changes faster than this in an animation, only the outcome is shown: 25 pictures a second look smooth. */
export const STILL_INTERVAL_MS = 40;
/** Pictures in an animation: more than three minutes in which every one of them differs. A browser plays these with ease. */
export const MAX_STILLS = 5_000;
/** Of an animation: GitHub shows no picture that is larger. */
export const MAX_ANIMATION_BYTES: number = 5 * 1024 * 1024;
/** The last picture of an animation, before it begins again: time to read it. */
export const LAST_STILL_MS = 3_000;
/** Of an animation. Nobody watches one for a day; a recording that takes longer has silences to cut. */
export const MAX_ANIMATION_MS: number = 24 * 60 * 60 * 1000;
