/**
 * What all clients of a host may hold in its memory together: incomplete lines that they sent, and answers that they
 * have not read. Each client alone may hold a lot of it, but many of them must not add up.
 */

/** Incomplete lines of all clients: four of the longest. A short one is always accepted. */
export const MAX_INCOMPLETE_BYTES: number = 32 * 1024 * 1024;
const SHORT_BYTES = 64 * 1024;
/** Unread answers of all clients. */
export const MAX_UNREAD_BYTES: number = 192 * 1024 * 1024;

/** The memory that one client takes in the host. */
export interface HoldingClient {
  /** Bytes of its incomplete line. */
  readonly incompleteBytes: number;
  /** Bytes of answers that it has not read. */
  readonly unreadBytes: number;
}

/** Pure: whether a client may continue a line that would then have `bytes`. */
export function mayHold(bytes: number, others: Iterable<HoldingClient>): boolean {
  if (bytes <= SHORT_BYTES) return true;
  let sum = bytes;
  for (const { incompleteBytes } of others) sum += incompleteBytes;
  return sum <= MAX_INCOMPLETE_BYTES;
}

/** Pure: the client to disconnect because it reads too little; undefined while all fit together. */
export function greediest<Client extends HoldingClient>(clients: Iterable<Client>): Client | undefined {
  let sum = 0;
  let most: Client | undefined;
  for (const client of clients) {
    sum += client.unreadBytes;
    if (client.unreadBytes > (most?.unreadBytes ?? 0)) most = client;
  }
  return sum > MAX_UNREAD_BYTES ? most : undefined;
}
