import { useState } from 'preact/hooks';
import { CopyButton } from '../components/copy-button.tsx';
import type { Json } from '../model/settings-diff.ts';
import { texts } from '../text/settings.ts';
import { useEditor } from './editor.ts';

const words = texts.json;

/** The whole document as text, for parts without a form and for pasting. */
export function JsonSection() {
  const editor = useEditor();
  const draft = editor.draft.value;
  // A change in the form replaces what was typed here.
  const [typed, setTyped] = useState({ text: '', problem: '', draft: null as Json });
  const { text, problem } = typed.draft === draft ? typed : { text: JSON.stringify(draft, null, 2), problem: '' };
  const apply = () => {
    try {
      editor.enter(JSON.parse(text) as Json);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      setTyped({ text, problem: words.invalid({ reason }), draft });
    }
  };
  return (
    <details class="panel item json">
      <summary>
        <strong>{words.title}</strong>
        <span class="quiet small"> {words.note}</span>
      </summary>
      <div class="item-body">
        <label for="settings-json" class="spoken">
          {words.label}
        </label>
        <textarea
          id="settings-json"
          rows={18}
          spellcheck={false}
          aria-describedby="settings-json-problem"
          aria-invalid={problem === '' ? undefined : true}
          readonly={editor.readOnly}
          value={text}
          onInput={({ currentTarget }) => setTyped({ text: currentTarget.value, problem, draft })}
        />
        <p class="problem small" id="settings-json-problem" role="alert">
          {problem}
        </p>
        <p class="actions">
          {editor.readOnly ? null : (
            <button type="button" onClick={apply}>
              {words.apply}
            </button>
          )}
          <CopyButton aria-label={words.copy} text={() => text} />
        </p>
      </div>
    </details>
  );
}
