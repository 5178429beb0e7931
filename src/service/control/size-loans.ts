/**
 * The sizes that people give to sessions while they watch them. The newest one counts; when the last person has gone,
 * the session has its own size again, unless somebody has resized it meanwhile.
 */
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Session } from "../../session/session.ts";

/** Who lends a size, and through which client. */
export interface Lender {
  readonly viewer: string;
  /** Undefined in this process. */
  readonly client: string | undefined;
}

interface Loan extends Lender {
  readonly size: TerminalSize;
}

interface Borrower {
  /** The size from before the first loan. */
  readonly own: TerminalSize;
  /** Oldest first. */
  readonly loans: readonly Loan[];
}

export class SizeLoans {
  readonly #borrowers = new Map<Session, Borrower>();

  /** Throws what `Session.resize` throws. */
  lend(session: Session, lender: Lender, size: TerminalSize): void {
    const { own, loans } = this.#borrowers.get(session) ?? { own: session.size, loans: [] };
    session.resize(size);
    this.#borrowers.set(session, { own, loans: [...without(loans, lender), { ...lender, size }] });
  }

  takeBack(session: Session, lender: Lender): void {
    const borrower = this.#borrowers.get(session);
    if (!borrower) return;
    const inForce = borrower.loans.at(-1);
    const loans = without(borrower.loans, lender);
    if (loans.length === 0) this.#borrowers.delete(session);
    else this.#borrowers.set(session, { ...borrower, loans });
    const isStillTheirs = inForce !== undefined && isSame(session.size, inForce.size);
    const next = loans.at(-1)?.size ?? borrower.own;
    if (session.exit === undefined && isStillTheirs && !isSame(next, session.size)) session.resize(next);
  }

  /** Ends the loans of a client that has disconnected. */
  clientGone(client: string): void {
    for (const [session, { loans }] of this.#borrowers) {
      for (const loan of loans.filter((each) => each.client === client)) this.takeBack(session, loan);
    }
  }
}

function without(loans: readonly Loan[], { viewer, client }: Lender): readonly Loan[] {
  return loans.filter((loan) => loan.viewer !== viewer || loan.client !== client);
}

function isSame(one: TerminalSize, other: TerminalSize): boolean {
  return one.cols === other.cols && one.rows === other.rows;
}
