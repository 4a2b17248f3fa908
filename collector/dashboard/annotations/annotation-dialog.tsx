import { useState } from 'preact/hooks';
import type { AnnotationDocument } from '../../analysis/changes/annotation-document.ts';
import { describeError } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { Dialog } from '../components/dialog.tsx';
import { Select } from '../components/select.tsx';
import { describeAbout } from '../model/annotation-about.ts';
import { resolveRange, toField } from '../state/time-range.ts';
import { ANNOTATIONS as texts } from '../text/annotations.ts';
import { formatMoment } from '../text/moment.ts';
import { annotationsKey } from './use-annotations.ts';

const MAX_TEXT = 200;
const MINUTE_MS = 60_000;

/** Adds an annotation, and deletes those of the range. */
export function AnnotationDialog({ list, onClose }: { readonly list: readonly AnnotationDocument[]; onClose(): void }) {
  const { state, client, cache, announce, now } = usePage();
  const names = useAppNames();
  const page = state.view === 'host' ? (state.own.page ?? null) : null;
  const [text, setText] = useState('');
  // The end of the range is not part of it.
  const [at, setAt] = useState(() => toField(Math.min(now(), resolveRange(state.range, now()).to - MINUTE_MS)));
  const [until, setUntil] = useState('');
  const [about, setAbout] = useState('');
  const write = async (change: () => Promise<unknown>, done: string) => {
    try {
      await change();
    } catch (error) {
      throw new Error(describeError(error));
    }
    cache.reread(annotationsKey(state));
    announce(done);
    return true;
  };
  const add = () => {
    const said = text.trim();
    if (said === '') throw new Error(texts.textMissing);
    const time = (field: string) => {
      const parsed = Date.parse(field);
      if (Number.isNaN(parsed)) throw new Error(texts.timeMissing);
      return new Date(parsed).toISOString();
    };
    const [dimension, ...rest] = about.split('=');
    return write(
      () =>
        client.post('/annotations', {
          text: said,
          at: time(at),
          ...(until === '' ? {} : { until: time(until) }),
          ...(about === '' ? {} : { [dimension as string]: rest.join('=') }),
        }),
      texts.added(said),
    );
  };
  return (
    <Dialog
      title={texts.title}
      actions={[{ label: texts.add, kind: 'primary', act: async () => add() }]}
      cancel={texts.close}
      onClose={onClose}
    >
      <div class="annotation-form">
        <label for="annotation-text">{texts.text}</label>
        <input
          id="annotation-text"
          type="text"
          maxLength={MAX_TEXT}
          placeholder={texts.example}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <label for="annotation-at">{texts.at}</label>
        <input
          id="annotation-at"
          type="datetime-local"
          value={at}
          onInput={({ currentTarget }) => setAt(currentTarget.value)}
        />
        <label for="annotation-until">{texts.until}</label>
        <input
          id="annotation-until"
          type="datetime-local"
          value={until}
          onInput={({ currentTarget }) => setUntil(currentTarget.value)}
        />
        <label for="annotation-about">{texts.about}</label>
        <Select
          id="annotation-about"
          value={about}
          options={[
            ['', texts.everything],
            ...(page === null ? [] : [[`host=${page}`, texts.host(page)] as const]),
            ...[...(names ?? [])].map(([id, name]) => [`target=${id}`, texts.app(name)] as const),
          ]}
          choose={setAbout}
        />
      </div>
      {list.length === 0 ? null : <h3>{texts.existing}</h3>}
      <ul class="annotation-existing">
        {list.map((one) => (
          <Existing
            key={one.id}
            about={[formatMoment(Date.parse(one.at)), ...describeAbout(one, names)].join(' · ')}
            text={one.text}
            remove={() =>
              write(() => client.send(`/annotations/${one.id}`, { method: 'DELETE' }), texts.deleted(one.text))
            }
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface ExistingProps {
  readonly about: string;
  readonly text: string;
  remove(): Promise<unknown>;
}

/** Pressed again, it is deleted. */
function Existing({ about, text, remove }: ExistingProps) {
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState('');
  const press = () => {
    if (asked) remove().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    else setAsked(true);
  };
  return (
    <li>
      <span>
        <strong>{text}</strong> <span class="quiet small">{about}</span>
      </span>
      <button
        type="button"
        class={asked ? 'danger' : 'tool'}
        aria-label={asked ? texts.really(text) : texts.deleteOf(text)}
        onClick={press}
        onBlur={() => setAsked(false)}
      >
        {asked ? texts.reallyDelete : texts.delete}
      </button>
      {problem === '' ? null : (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
    </li>
  );
}
