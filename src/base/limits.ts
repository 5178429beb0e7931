/** Every default and bound, each with its reason. */

/**
 * The default size of a terminal. Measured by `npm run bench:width`: at 80 columns ps, top, pytest and git cut away
 * what a model then asks for again; 160 columns keep five sixths of that for a sixth more tokens, and a picture of the
 * screen is still below the 1,568 pixels to which models shrink it. More rows would make every reading of a screen
 * longer, and save nothing.
 */
export const DEFAULT_SIZE: { readonly cols: number; readonly rows: number } = { cols: 160, rows: 24 };
/** A screen of this size takes a few megabytes; a larger size is a mistake or an attack. */
export const MAX_COLS = 500;
export const MAX_ROWS = 500;

/** The kernel returns at most 4 KiB per read from a terminal, 64 KiB from a pipe. */
export const READ_BYTES: number = 64 * 1024;
/** How long output is held back that may be the beginning of a secret: a program prints the rest at once. */
export const HOLD_BACK_MS = 50;
/** Half of what one read from a terminal returns: a chunk of this size is part of a flood, and more is coming. */
export const FLOOD_PIECE_BYTES = 2048;
/** Spent on reading floods in one turn of the loop: longer would make others wait, less would cost throughput. */
export const FLOOD_TURN_MS = 0.5;
/** Between two reads of a flood while others type: a flood of a few megabytes per second leaves them the processors. */
export const FLOOD_REST_MS = 4;
/**
 * More than the kernel can hold between a terminal's ends (some 20 KiB) or in a pipe of the usual size (64 KiB): what
 * was written before an exit is within it.
 */
export const DRAIN_BYTES: number = 256 * 1024;
/**
 * More than the kernel can hold between a terminal's ends: what a program printed before it started to wait is within
 * it. A program that prints more meanwhile does not wait.
 */
export const TERMINAL_DRAIN_BYTES: number = 32 * 1024;

/** Typed but not yet read by the program. A program that reads at all catches up in well under a second. */
export const MAX_INPUT_BYTES: number = 1024 * 1024;
/** The longest line in line mode, without its end. The kernel silently cuts a longer one, so limpet refuses it. */
export const MAX_LINE_BYTES = 4095;

/**
 * Without a probe, this much silence ends a wait for input: most programs print more often than that, and limpet
 * notices a prompt about as fast as a person does.
 */
export const NO_PROBE_QUIET_MS = 1_000;

/** Output kept in memory per session: enough for an agent's questions, small enough for a thousand sessions. */
export const DEFAULT_JOURNAL_BYTES: number = 1024 * 1024;
/** How much of the beginning always stays in memory: the first error is worth more than the middle. */
export const JOURNAL_HEAD_BYTES: number = 64 * 1024;
/** Output kept on disk per session, if there is a state directory. */
export const DEFAULT_DISK_BYTES: number = 64 * 1024 * 1024;
/** How often the origin of output may change between stdout and stderr before the oldest changes are forgotten. */
export const MAX_ORIGIN_CHANGES = 65_536;

/** Between hang-up and kill: a shell ends in 10 ms, an editor saves its swap file in 100 ms. */
export const DEFAULT_GRACE_MS = 1_000;
/** The same if SIGTERM comes first: a server that handles it needs time, and a shell ignores it until the hang-up. */
export const TERMINATE_GRACE_MS = 2_000;
export const MAX_GRACE_MS = 60_000;

/** The longest delay of a Node timer, almost 25 days; a longer one would fire at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** Sessions alive at once in one registry. */
export const DEFAULT_MAX_SESSIONS = 64;
/** Ended sessions that stay readable. */
export const MAX_TOMBSTONES = 256;
/** Callers whose read positions a session remembers. A forgotten caller reads from the beginning again. */
export const MAX_CALLERS = 1_024;
/** How long after a person's last key agents cannot type: longer than most pauses, short enough to wait for. */
export const TYPING_HOLD_MS = 4_000;
/** Commands of a shell that people can look up: some days of an agent's work. */
export const MAX_LOGGED_COMMANDS = 1_000;
/** A longer command is a script; its beginning says which. All commands of a shell take at most some megabytes. */
export const MAX_LOGGED_COMMAND_CHARS = 4_000;
/** Answers remembered per caller, for requests that are sent again. */
export const MAX_RECENT_TURNS = 4_096;
/** All texts in these answers together; older ones are read again from the journal. */
export const RECENT_TURN_CHARS: number = 16 * 1024 * 1024;
/** How many answers without their texts are kept beyond that, of all callers together: about 25 MB. */
export const MAX_BARE_TURNS = 16_384;
/** Requests for approval that wait for a person at once: more than a person decides one by one. */
export const MAX_OPEN_APPROVALS = 64;
/** Requests for approval that are remembered, also decided ones: a late decision gets the outcome of its request. */
export const MAX_KEPT_APPROVALS = 256;
/** Aliases and functions of a shell that are remembered: more than anybody defines by hand. */
export const MAX_DEFINED_NAMES = 4_096;
/**
 * Commands of a shell that were not searched for definitions yet: a policy searches them before each act, so this is
 * rarely reached.
 */
export const MAX_DEFINING_CHARS: number = 256 * 1024;
/** A longer command cannot be checked by a person. */
export const MAX_APPROVAL_CHARS: number = 64 * 1024;
/** Time for a person to decide: long enough for a short break, short enough that the agent still gets the decision. */
export const APPROVAL_TIMEOUT_MS: number = 10 * 60 * 1000;
/**
 * A list of sessions for a model: all sessions that a registry runs at once, at 60 tokens each. A list of a fleet has
 * pages.
 */
export const MAX_LIST_TOKENS = 4_000;
/** The same in sessions: a model chooses among fewer, and the fields of a session take four times its line. */
export const MAX_LISTED_SESSIONS = 100;
/** A name is shown in one-line listings. */
export const MAX_NAME_LENGTH = 64;

/**
 * Arrival times of output: at most 64 KiB per session, precise to a second after an hour of flood, for recordings that
 * start later; and as much for each recording that runs, precise to a millisecond while it reads on within seconds.
 */
export const MAX_ARRIVAL_TIMES = 4096;
/** Sizes that a terminal has had: dragging a window makes dozens per second. */
export const MAX_SIZE_CHANGES = 1024;
/** Typed but not recorded yet: as much as a session's input queue holds. */
export const MAX_UNRECORDED_INPUT_BYTES: number = 1024 * 1024;
/**
 * A line of a recording holds one page of output, in which each byte may take six characters; other tools write longer
 * ones.
 */
export const MAX_CAST_LINE_BYTES: number = 4 * 1024 * 1024;
/** A recording of asciicast version 1 is one JSON value, which is read as a whole: some hours of output. */
export const MAX_CAST_V1_BYTES: number = 64 * 1024 * 1024;
/** Recordings of one session at once: one for a person, one for an audit, and a few forgotten ones. */
export const MAX_RECORDINGS = 8;
/** Callers whose last screen a session remembers; a few kilobytes each. */
export const MAX_SEEN_SCREENS = 16;
/** Callers whose typed bytes a session counts. */
export const MAX_TYPING_CALLERS = 256;

/** A request to the host: more than any terminal takes at once; a longer line is a mistake. */
export const MAX_HOST_LINE_BYTES: number = 8 * 1024 * 1024;
/** An answer of the host: the whole output of a session fits, escaped. V8 allows strings of eight times this length. */
export const MAX_HOST_ANSWER_BYTES: number = 64 * 1024 * 1024;
/** Answers that a client has not read: two of the longest, then the host disconnects it. */
export const MAX_HOST_UNSENT_BYTES: number = 2 * MAX_HOST_ANSWER_BYTES;
/** Concurrent calls of one client: each subscription and each watched session has one waiting. */
export const MAX_HOST_CALLS = 4_096;
/** How many of these may prepare output for their answers at once. */
export const MAX_HOST_READINGS = 4;
/** How many of all clients may do so: each may take some times the memory of its answer. */
export const MAX_ALL_HOST_READINGS = 8;
/**
 * Values of a stream in flight, at most 512 KiB of output: 10 MB/s over a link of 50 ms. More would let other answers
 * over the same link wait longer behind them.
 */
export const STREAM_WINDOW = 8;

/** Sessions alive at once in a host, which serves several agents and people. */
export const HOST_MAX_SESSIONS = 256;
/** A host without sessions and clients ends after this long: an agent that pauses finds it again. */
export const HOST_IDLE_MS: number = 60 * 60 * 1000;
/** An idle shell ends this long after its client has gone: a conversation that is resumed soon finds its state. */
export const IDLE_SHELL_MS: number = 10 * 60 * 1000;
/** How long a host takes to end: the grace period of its programs and writing their last output. */
export const HOST_STOP_MS = 4_500;
/** Journals of ended sessions that a host keeps on disk, all together: sixteen of the longest. */
export const FORMER_JOURNAL_BYTES: number = 16 * DEFAULT_DISK_BYTES;
/**
 * How long a started host may take to be reachable: a tenth of a second on an idle machine, and many seconds on a busy
 * one. One that fails is noticed at once.
 */
export const HOST_START_MS = 60_000;
/** The size at which the host's log is truncated: each host writes a few lines. */
export const HOST_LOG_BYTES: number = 256 * 1024;
/** A title is shown in one line. */
export const MAX_TITLE_CHARS = 256;
/**
 * What the screen parses at once, in bytes of plain text: about 0.1 ms, and a few milliseconds for the slowest
 * sequences.
 */
export const SCREEN_CHUNK_COST = 2048;
/** What the screen parses in one turn of the event loop, in bytes: a few milliseconds of plain text. */
export const SCREEN_TURN_BYTES: number = 128 * 1024;
/** Lines kept above a live screen to scroll back to; well under a megabyte at the default width. */
export const SCREEN_SCROLLBACK_LINES = 200;
/** Lines above the screen that can be restored on request, by replaying the kept output. */
export const MAX_SCROLLBACK_LINES = 5_000;
/** Output that is replayed to rebuild a screen: half a second of work. Older output is skipped. */
export const SCREEN_REBUILD_BYTES: number = 16 * 1024 * 1024;
/**
 * Processor time to catch up with output. After that limpet draws only the latest output, and after the same time again
 * it draws nothing: such output was made to be slow.
 */
export const SCREEN_CATCH_UP_MS = 1_000;
/** The latest output, when there is no time for more: many screens of text. */
export const SCREEN_SHORT_BYTES: number = 32 * 1024;
/** A screen that nobody has read for this long is freed; the next snapshot draws it again. */
export const SCREEN_KEEP_MS = 60_000;
/** The same, once the program has ended: whoever waited for its end reads the screen at once, or not at all. */
export const SCREEN_ENDED_KEEP_MS = 1_000;
/** Cells of all screens that are drawn at the same time, those above the screen included: some 100 MB. */
export const MAX_LIVE_SCREEN_CELLS = 8_000_000;
/** More combining marks on one character than any script uses; further ones get their own cell. */
export const MAX_MARKS_PER_CELL = 8;
/**
 * Answers to terminal queries per second: a program asks a few at its start, and a file full of queries must not cause
 * a flood.
 */
export const MAX_REPLIES_PER_SECOND = 20;
/** Programs distinguish single, double and triple clicks; more in one call is a mistake. */
export const MAX_MOUSE_CLICKS = 10;
/** A few screens of scrolling, at three lines per step. */
export const MAX_WHEEL_STEPS = 100;
/**
 * The longest mark of a shell: a directory of PATH_MAX bytes, each a line feed that the terminal doubles, and the
 * marker itself.
 */
export const MAX_MARK_BYTES: number = 16 * 1024;
/** The text of one command. A longer one belongs in a file. */
export const MAX_COMMAND_BYTES: number = 16 * 1024 * 1024;
/** The start of a shell, including its profile; one that takes longer waits for something that never comes. */
export const SHELL_START_MS = 20_000;
/** A start that may take longer waits for a person. */
export const MAX_SHELL_START_MS = 600_000;
/** How long a prepared shell may take to answer before limpet asks again. */
export const SHELL_ANSWER_MS = 3_000;

/** Pixels of a picture: 4,000 × 4,000, which take 64 MB while drawing. */
export const MAX_PICTURE_PIXELS = 16_000_000;
/** A cell of 36 × 72 pixels; a larger one shows no more detail. */
export const MAX_PICTURE_SCALE = 4;
/** System font files to search for a missing character. A desktop with all languages has a few hundred. */
export const MAX_FONT_FILES = 1_000;
/** The largest fonts, with all of Chinese, Japanese and Korean, have about 20 MB. */
export const MAX_FONT_BYTES: number = 64 * 1024 * 1024;
/** A screen of 80 × 24 took 0.14 s on a busy machine; a drawing that takes this long is stuck. */
export const PICTURE_DEADLINE_MS = 20_000;
/** How long the drawing thread waits for the next picture. */
export const RENDERER_IDLE_MS = 10_000;
/** The shortest time between frames of an animation: 25 frames per second look smooth. */
export const STILL_INTERVAL_MS = 40;
/** Frames of an animation: more than three minutes if every frame differs. A browser plays these easily. */
export const MAX_STILLS = 5_000;
/** Bytes of an animation: GitHub does not show larger pictures. */
export const MAX_ANIMATION_BYTES: number = 5 * 1024 * 1024;
/** How long the last frame stays before the animation repeats: time to read it. */
export const LAST_STILL_MS = 3_000;
/** Length of an animation. Nobody watches one for a day; a longer recording has pauses to cut. */
export const MAX_ANIMATION_MS: number = 24 * 60 * 60 * 1000;

/** The longest command that a policy parses, in characters: longer ones are scripts, about which a person is asked. */
export const MAX_JUDGED_CHARS: number = 64 * 1024;
/** How often one bracket may open in it: a parser that must look for the end of each would take seconds for more. */
export const MAX_JUDGED_OPENERS = 1_000;
/** How deep a policy follows commands that run commands. A person nests two or three. */
export const MAX_JUDGED_DEPTH = 8;
