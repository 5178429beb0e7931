/** Every bound of the web server, each with its reason. */

/** Connections to the web server: a page has at most six. Idle ones make room for new ones. */
export const MAX_WEB_CONNECTIONS = 500;
/** A browser sends one or two kilobytes of headers. */
export const MAX_WEB_HEADER_BYTES: number = 16 * 1024;
/** Time for the headers of a request, and for all of it: a phone with a bad connection needs a second. */
export const WEB_HEADERS_MS = 10_000;
export const WEB_REQUEST_MS = 30_000;
/** The body of a request: as much as a terminal takes at once. */
export const MAX_WEB_BODY_BYTES: number = 1024 * 1024;
/** How deep the JSON of a request may be nested: ours has three levels, that of MCP some more. */
export const MAX_WEB_JSON_DEPTH = 64;
/** Streams of one visitor: some pages in several windows. */
export const MAX_VISITOR_STREAMS = 32;
/** The interval of comments in a stream without events: proxies and phones close silent connections after a minute. */
export const WEB_KEEP_ALIVE_MS = 15_000;
/**
 * A stream whose reader takes nothing for this long is closed. It continues where it was when the reader comes back.
 */
export const WEB_STALLED_MS = 30_000;
/** How often rights that have expired or were revoked are looked for. */
export const WEB_SWEEP_MS = 1_000;
/** Links and visitors of the web server at once: far more than people share. */
export const MAX_WEB_GRANTS = 256;
/** How long the link of `limpet web` is valid. */
export const WEB_LINK_MS: number = 10 * 60 * 1000;
/** How long somebody stays signed in: at most, and without using the page. */
export const WEB_SIGN_IN_MS: number = 7 * 24 * 60 * 60 * 1000;
export const WEB_IDLE_SIGN_IN_MS: number = 24 * 60 * 60 * 1000;
/** Tokens of agents: one per client that a person has. */
export const MAX_TOKENS = 64;
/** A web server that nobody has used for this long ends, if no session runs. */
export const WEB_IDLE_MS: number = 60 * 60 * 1000;
