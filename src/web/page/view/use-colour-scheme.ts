import { useEffect, useState } from "preact/hooks";
import type { ThemeName } from "../../../screen/picture/svg/theme.ts";

const LIGHT = "(prefers-color-scheme: light)";

/** What the person prefers, also when that changes. */
export function useColourScheme(): ThemeName {
  const [isLight, setLight] = useState(() => matchMedia(LIGHT).matches);
  useEffect(() => {
    const query = matchMedia(LIGHT);
    const look = () => setLight(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return isLight ? "light" : "dark";
}
