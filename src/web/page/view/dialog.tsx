/** A window above the page. Escape closes it, and the focus returns to where it was. */
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export interface AskProps {
  readonly title: string;
  /** What happens, in a sentence. */
  readonly explain: string;
  /** The words of the button that does it. */
  readonly act: string;
  readonly isDangerous?: boolean;
  /** The label of a text field; without it, none is shown. */
  readonly field?: string;
  readonly isLong?: boolean;
  /**
   * The window stays open until this resolves, so that no key goes elsewhere meanwhile. If it returns a function, that
   * is called after the window has closed.
   */
  readonly onDone: (text: string) => void | Promise<(() => void) | undefined>;
  readonly onClose: () => void;
}

const MOST_CHARS = 500;

/** Asks for confirmation, with a text if there is a field for it. */
export function Ask({ title, explain, act, isDangerous, field, isLong, onDone, onClose }: AskProps): JSX.Element {
  const text = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const after = await onDone(text.current?.value ?? "");
    onClose();
    after?.();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} aria-busy={isBusy}>
        <p>{explain}</p>
        {field !== undefined && (
          <div class="field">
            <label for={id}>{field}</label>
            {isLong ? (
              <textarea id={id} ref={text} rows={5} spellcheck={false} />
            ) : (
              <input id={id} ref={text} type="text" maxLength={MOST_CHARS} autocomplete="off" />
            )}
          </div>
        )}
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? "danger" : "primary"}>
            {act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
