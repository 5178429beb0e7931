/** Where things are in a picture. All whole numbers: lines of neighbouring cells meet on the same pixel. */
export const CELL = { width: 9, height: 18 } as const;
/** A glyph of DejaVu Sans Mono is 1233/2048 of its size wide: at this size, as wide as a cell. */
export const FONT_SIZE: number = Math.round((CELL.width * 2048 * 1000) / 1233) / 1000;
/** For all text of a screen. */
export const FONTS: string = `font-family="'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="${FONT_SIZE}" xml:space="preserve"`;
/** From the top of a cell. */
export const BASELINE = 14;
/** Around the screen. */
export const MARGIN = 8;
export const TITLE_BAR_HEIGHT = 28;

/** A rectangle as a piece of a path. */
export function rectangle(x: number, y: number, width: number, height: number): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}
