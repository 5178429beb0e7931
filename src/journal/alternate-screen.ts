/** Tracks whether the program uses the alternate screen (DECSET 47, 1047 and 1049), across chunk boundaries. */
const INTRODUCER = Buffer.from("\x1b[?");
/** ESC [ ? and a few parameters. A longer sequence is ignored, wherever it is split. */
const SEQUENCE = /\x1b\[\?([\d;]{1,64})([hl])/g;
const OPEN_SEQUENCE = /\x1b(?:\[(?:\?[\d;]{0,64})?)?$/;
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
    this.#carry = OPEN_SEQUENCE.exec(text)?.[0] ?? "";
  }
}
