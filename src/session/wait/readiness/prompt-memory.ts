/** The prompts that the programs of a session have shown while they waited for input. */
import { BoundedMap } from "../../../base/bounded-map.ts";
import { isSamePrompt, looksLikePrompt, promptShape } from "./prompt-shape.ts";

const MOST_PROGRAMS = 16;
const MOST_PROMPTS = 12;
/** A line that does not look like a prompt counts as one if the program has waited after it this often. */
const OFTEN = 2;

export class PromptMemory {
  readonly #programs = new BoundedMap<number, BoundedMap<string, number>>(MOST_PROGRAMS);

  /** Call when a program waits for input. `line`: the text left of its caret. */
  note(pid: number, line: string): void {
    const shape = promptShape(line);
    if (shape === "") return;
    const shapes = this.#programs.get(pid) ?? new BoundedMap<string, number>(MOST_PROMPTS);
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    this.#programs.set(pid, shapes);
  }

  /** Whether the program has waited after this line before. */
  knows(pid: number, line: string): boolean {
    const shape = promptShape(line);
    return shape !== "" && this.#promptsOf(pid).some((known) => isSamePrompt(known, shape));
  }

  /** Whether the line begins with a prompt of the program, followed by more text. */
  isEditing(pid: number, line: string): boolean {
    const shape = promptShape(line);
    return this.#promptsOf(pid).some((known) => shape.length > known.length && shape.startsWith(known));
  }

  /** Whether the program has shown prompts. */
  hasAny(pid: number): boolean {
    return this.#promptsOf(pid).length > 0;
  }

  #promptsOf(pid: number): string[] {
    const shapes = [...(this.#programs.get(pid) ?? [])];
    return shapes.filter(([shape, count]) => count >= OFTEN || looksLikePrompt(shape)).map(([shape]) => shape);
  }
}
