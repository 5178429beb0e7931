import { useEffect, useRef, useState } from "preact/hooks";
import { attempt } from "../state/page.ts";

const SHORTEST_MS = 1_000;

/**
 * The answer to a question of the server, asked again when `changes` is another value, at most once per second. Null
 * until the first answer.
 */
export function useAnswer<T>(ask: () => Promise<T>, changes: unknown): readonly [T | null, () => void] {
  const [answer, setAnswer] = useState<T | null>(null);
  const askedMs = useRef(Number.NEGATIVE_INFINITY);
  const isGone = useRef(false);
  const load = () => {
    askedMs.current = performance.now();
    void attempt(async () => {
      const next = await ask();
      if (!isGone.current) setAnswer(next);
    });
  };
  useEffect(() => {
    const waitMs = askedMs.current + SHORTEST_MS - performance.now();
    if (waitMs <= 0) {
      load();
      return;
    }
    const timer = setTimeout(load, waitMs);
    return () => clearTimeout(timer);
  }, [changes]);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  return [answer, load];
}
