import type { ModeWatch } from "./mode-watch.ts";

/** The part of the library's parser that handlers are registered with. */
interface SequenceParser {
  registerCsiHandler(
    id: { readonly prefix?: string; readonly intermediates?: string; readonly final: string },
    handle: (params: (number | number[])[]) => boolean,
  ): unknown;
  registerEscHandler(id: { readonly final: string }, handle: () => boolean): unknown;
}

/** Reports the sequences that set modes to `watch`. Each handler returns false, so that the library acts on it, too. */
export function followModes(parser: SequenceParser, watch: ModeWatch): void {
  const onCsi = (prefix: string, name: string, act: (numbers: readonly number[]) => void) => {
    const id = { ...(prefix ? { prefix } : {}), ...(name.length > 1 ? { intermediates: name.slice(0, -1) } : {}) };
    parser.registerCsiHandler({ ...id, final: name.slice(-1) }, (params) => {
      act(params.filter((param) => typeof param === "number"));
      return false;
    });
  };
  onCsi("?", "h", (numbers) => watch.setPrivate(numbers, "set"));
  onCsi("?", "l", (numbers) => watch.setPrivate(numbers, "reset"));
  onCsi(">", "m", (numbers) => watch.setKeyOptions(numbers));
  onCsi(">", "n", (numbers) => watch.setKeyOptions(numbers.slice(0, 1)));
  onCsi("", " q", ([shape = 0]) => watch.setShape(shape));
  onCsi("", "!p", () => watch.resetSoftly());
  parser.registerEscHandler({ final: "c" }, () => {
    watch.reset();
    return false;
  });
}
