/** A session in the list: its screen, and what it does. */
import { Component, createRef, type JSX } from "preact";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { SessionCard } from "../../api/messages.ts";
import { nameOf } from "../state/announcements.ts";
import { stageOf } from "../state/choose-cards.ts";
import { sessionAddress } from "../state/view-address.ts";
import { Badges } from "./badges.tsx";
import { dropPicture, wantPicture } from "./live-picture.ts";

interface TileProps {
  readonly card: SessionCard;
}

/** A class, because only a class can skip what has not changed: most tiles stay as they are in each event. */
export class Tile extends Component<TileProps> {
  readonly #image = createRef<HTMLImageElement>();

  override shouldComponentUpdate({ card }: TileProps): boolean {
    return card !== this.props.card;
  }

  override componentDidMount(): void {
    this.#want();
  }

  override componentDidUpdate(): void {
    this.#want();
  }

  override componentWillUnmount(): void {
    if (this.#image.current) dropPicture(this.#image.current);
  }

  override render({ card }: TileProps): JSX.Element {
    const { owner, place, program, command, directory } = card;
    const running = command ?? (directory === null ? program : `shell in ${directory}`);
    const facts = [owner?.caller, owner?.project && lastPart(owner.project), place].filter(Boolean) as string[];
    return (
      <li class={`tile ${stageOf(card)}`}>
        <a href={sessionAddress(card.key)} class="open">
          <span class="name">{nameOf(card)}</span>
          <span class="state">{visibleLine(card.stateText)}</span>
        </a>
        <img ref={this.#image} alt="" width={320} height={180} />
        <p class="command">{visibleLine(running)}</p>
        <p class="facts">{facts.map((fact) => visibleLine(fact)).join(" · ")}</p>
        <Badges card={card} />
      </li>
    );
  }

  #want(): void {
    const { key, picture } = this.props.card;
    if (this.#image.current) wantPicture(this.#image.current, key, picture);
  }
}

/** The folder of a project, without the way to it. */
function lastPart(path: string): string {
  return path.split("/").findLast(Boolean) ?? path;
}
