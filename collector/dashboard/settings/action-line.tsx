import { useEffect, useRef, useState } from 'preact/hooks';
import { describeError } from '../api/describe-error.ts';
import { texts } from '../text/settings.ts';
import { useEditor, useSetting } from './editor.ts';

export interface ActionResult {
  readonly text: string;
  readonly good: boolean;
}

interface ActionLineProps {
  readonly label: string;
  /** Accessible name, because several buttons may share a label. */
  readonly name: string;
  /** Shown while it runs. */
  readonly doing: string;
  /** `signal` is aborted when the line is gone; errors are shown too. */
  act(signal: AbortSignal): Promise<ActionResult>;
}

/** A button that makes the server act on a list item, with the result next to it until other settings are saved. */
export function ActionLine({ label, name, doing, act }: ActionLineProps) {
  const editor = useEditor();
  const { path } = useSetting();
  const base = editor.base.value;
  const [result, setResult] = useState({ text: '', kind: 'quiet', base });
  const say = (text: string, kind: string) => setResult({ text, kind, base });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  async function run(): Promise<void> {
    if (running.current !== null) return;
    if (!editor.isSaved(path)) return say(texts.saving.saveFirst, 'problem');
    const mine = new AbortController();
    running.current = mine;
    say(doing, 'quiet');
    try {
      const { text, good } = await act(mine.signal);
      say(text, good ? 'good' : 'problem');
    } catch (error) {
      say(describeError(error), 'problem');
    } finally {
      running.current = null;
    }
  }
  const { text, kind } = result.base === base ? result : { text: '', kind: 'quiet' };
  return editor.readOnly ? null : (
    <p class="actions action-line">
      <button type="button" aria-label={name} onClick={run}>
        {label}
      </button>
      <span class={`${kind} small`} role="status">
        {text}
      </span>
    </p>
  );
}
