/** The program of a page that plays one recording: `recordingPage` writes it into the page. */
import type { PlayerData } from "../../screen/picture/player/player-data.ts";
import { Player } from "./player/player.ts";

const data = JSON.parse(byId("recording").textContent ?? "") as PlayerData;
new Player(data, { rows: byId("rows"), controls: byId("controls") });

function byId(id: string): Element {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}
