import { useState } from 'preact/hooks';
import type { RevisionsAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { Box } from '../components/box.tsx';
import { Dialog, type DialogProps } from '../components/dialog.tsx';
import { Panel } from '../components/panel.tsx';
import type { Json } from '../model/settings-diff.ts';
import { formatMoment } from '../text/moment.ts';
import { texts } from '../text/settings.ts';
import { Diff } from './diff.tsx';

const words = texts.history;

type Revision = RevisionsAnswer['revisions'][number];

const MAX_SHOWN = 30;
const EMPTY: Json = { version: 1, targets: [] };

/** Every revision with its author and changes, and undoing it unless `restore` is null. */
export function History({ restore }: { readonly restore: ((document: Json) => void) | null }) {
  const { client } = usePage();
  const [shown, setShown] = useState<Pick<DialogProps, 'title' | 'actions' | 'children'> | null>(null);
  const read = async (revision: number): Promise<Json> =>
    revision === 0 ? EMPTY : (await client.read<{ document: Json }>(`/settings/revisions/${revision}`)).document;

  async function show({ revision, at, author }: Revision, newest: boolean): Promise<void> {
    const title = words.revision({ revision, at: formatMoment(Date.parse(at)), author });
    try {
      const [before, after] = await Promise.all([read(revision - 1), read(revision)]);
      const undo = async () => {
        restore?.(newest ? before : after);
        return true;
      };
      const label = newest ? words.undo : words.goBack({ revision });
      const actions = restore === null ? [] : [{ label, act: undo }];
      setShown({ title, actions, children: <Diff before={before} after={after} /> });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      setShown({ title, children: <p class="problem">{problem}</p> });
    }
  }

  return (
    <Box {...texts.sections.history}>
      <Panel<RevisionsAnswer>
        name={texts.sections.history.title}
        shape="chart"
        query={client.query('/settings/revisions')}
      >
        {({ revisions }) =>
          revisions.length === 0 ? (
            <p class="quiet">{words.none}</p>
          ) : (
            <ol class="revisions" reversed>
              {revisions.slice(0, MAX_SHOWN).map((one, i) => (
                <li key={one.revision} value={one.revision}>
                  <span>{formatMoment(Date.parse(one.at))}</span>
                  <span class="quiet"> {one.author || words.authorUnknown}</span>
                  {i === 0 ? <span class="badge">{words.current}</span> : null}
                  <button
                    type="button"
                    class="plain"
                    aria-label={words.showOne(one)}
                    onClick={() => show(one, i === 0)}
                  >
                    {words.show}
                  </button>
                </li>
              ))}
            </ol>
          )
        }
      </Panel>
      {shown === null ? null : <Dialog {...shown} cancel={words.close} onClose={() => setShown(null)} />}
    </Box>
  );
}
