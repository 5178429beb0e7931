/** Follows whether the program is on the alternate screen: DECSET 47, 1047 and 1049. Sees sequences across chunk borders. */
const INTRODUCER = Buffer.from("\x1b[?");
/** ESC [ ? and a few parameters: enough to know a sequence by, however it is cut. */
const LONGEST_SEQUENCE = 32;
const SEQUENCE = /\x1b\[\?([\d;]*)([hl])/g;
const MODES: ReadonlySet<string> = new Set(["47", "1047", "1049"]);

export class AlternateScreen {
  #isActive = false;
  #carry = "";

  get isActive(): boolean {
    return this.#isActive;
  }

  note(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isPlain = this.#carry === "" && chunk.indexOf(INTRODUCER) < 0 && !chunk.subarray(-2).includes(0x1b);
    if (isPlain) return;
    const text = this.#carry + chunk.toString("latin1");
    for (const [, modes = "", final] of text.matchAll(SEQUENCE)) {
      if (modes.split(";").some((mode) => MODES.has(mode))) this.#isActive = final === "h";
    }
    const last = text.lastIndexOf("\x1b");
    const isOpen = last >= text.length - LONGEST_SEQUENCE && /^\x1b(\[(\?[\d;]*)?)?$/.test(text.slice(last));
    this.#carry = last >= 0 && isOpen ? text.slice(last) : "";
  }
}
