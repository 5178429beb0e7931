/** The colours of a picture: those that the program left to the terminal, and the sixteen that it may name. */
export interface Theme {
  readonly background: string;
  readonly foreground: string;
  readonly caret: string;
  /** Sixteen colours, as `#rrggbb`: black, red, green, yellow, blue, magenta, cyan, white, and the bright ones. */
  readonly palette: readonly string[];
}

/** A theme that is built in. */
export type ThemeName = "dark" | "light";

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    background: "#14161b",
    foreground: "#d8dee4",
    caret: "#d8dee4",
    palette: [
      ...["#000000", "#d5484c", "#55b35c", "#d0a82f", "#4480dd", "#b466c6", "#38adb6", "#d3d7cf"],
      ...["#6b7078", "#f57a7d", "#86dc8b", "#f4d36b", "#7dabf4", "#da9ee4", "#70d9dd", "#ffffff"],
    ],
  },
  light: {
    background: "#ffffff",
    foreground: "#24292f",
    caret: "#24292f",
    palette: [
      ...["#1b1f24", "#b3261e", "#1a7f37", "#8a6100", "#0a58ca", "#8250a0", "#0f7b83", "#c9ced6"],
      ...["#6e7781", "#d1453b", "#2da44e", "#b08800", "#2f7de1", "#a06cc0", "#1a9aa3", "#ffffff"],
    ],
  },
};
