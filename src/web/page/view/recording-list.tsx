/** The recordings of a session, and a player for them. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { FONT_SIZE } from "../../../screen/picture/svg/grid.ts";
import { makeVisible } from "../../../text/clean/make-visible.ts";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { PlayerAnswer, RecordingEntry, SessionCard } from "../../api/messages.ts";
import { attempt } from "../state/page.ts";
import { askDetails, askRecording, recordingAddress, startRecording, stopRecording } from "../state/requests.ts";
import { useAnswer } from "./use-answer.ts";

export interface RecordingListProps {
  readonly card: SessionCard;
  readonly canControl: boolean;
}

export function RecordingList({ card, canControl }: RecordingListProps): JSX.Element {
  const { key } = card;
  const [details, reload] = useAnswer(() => askDetails(key), card);
  const [played, setPlayed] = useState<PlayerAnswer | null>(null);
  const act = async (work: () => Promise<unknown>, done: string) => {
    if (await attempt(work, done)) reload();
  };
  const play = (recording: string) => attempt(async () => setPlayed(await askRecording(key, recording)));
  return (
    <section aria-label="Recordings">
      {canControl && (
        <div class="buttons">
          <button type="button" onClick={() => void act(() => startRecording(key), "Recording, from the beginning.")}>
            Record
          </button>
        </div>
      )}
      {details?.recordings.length === 0 && <p class="empty">This session has no recordings.</p>}
      {/* biome-ignore lint/a11y/noRedundantRoles: WebKit drops the role of a list without bullets. */}
      <ul class="recordings" role="list" aria-label="Recordings">
        {details?.recordings.map((each) => (
          <li key={each.id}>
            <span class="file">{visibleLine(each.file)}</span>
            <span class="facts">{describeRecording(each)}</span>
            <span class="buttons">
              <button type="button" onClick={() => void play(each.id)}>
                Play
              </button>
              <a class="button" href={recordingAddress(key, each.id)} download>
                Download
              </a>
              {canControl && each.isRunning && (
                <button type="button" onClick={() => void act(() => stopRecording(key, each.id), "Stopped.")}>
                  Stop
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {played && <PlayerPane content={played} />}
    </section>
  );
}

function describeRecording({ bytes, isRunning, problem }: RecordingEntry): string {
  const size = `${bytes.toLocaleString("en")} bytes`;
  if (problem !== null) return `${size}, failed: ${visibleLine(problem)}`;
  return isRunning ? `${size}, still recording` : size;
}

function PlayerPane({ content }: { readonly content: PlayerAnswer }): JSX.Element {
  const rows = useRef<SVGGElement>(null);
  const shapes = useRef<SVGGElement>(null);
  const controls = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let close = () => {};
    let isGone = false;
    const open = async () => {
      const { Player } = await import("../player/player.ts");
      if (isGone || !rows.current || !controls.current || !shapes.current) return;
      // SVG of ours, without any text of programs.
      shapes.current.innerHTML = content.shapes.join("");
      const player = new Player(content.data, { rows: rows.current, controls: controls.current });
      close = () => player.dispose();
    };
    void open();
    return () => {
      isGone = true;
      close();
    };
  }, [content]);
  const { width, height, margin, background } = content;
  return (
    <section class="player" aria-label="Player">
      <h2>{makeVisible(content.title)}</h2>
      <svg role="img" aria-label="Recorded terminal" viewBox={`0 0 ${width} ${height}`}>
        <rect width={width} height={height} fill={background} />
        <g ref={shapes} />
        <g
          ref={rows}
          class="rows"
          font-size={FONT_SIZE}
          transform={`translate(${margin} ${margin})`}
          xml:space="preserve"
        />
      </svg>
      <div class="controls" ref={controls} />
    </section>
  );
}
