import type { RevisionsAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { formatMoment } from '../text/moment.ts';
import { texts } from '../text/settings.ts';
import type { Saved } from './editor.ts';
import { PackageAgain } from './package-again.tsx';
import { findSection } from './section.tsx';

const words = texts.saving;

/** What was saved and when, until the next change, and what else it takes. */
export function SavedChanges({ at, changed }: Saved) {
  const { client } = usePage();
  const { last } = useQuery<RevisionsAnswer>(client.query('/settings/revisions')).state;
  const [newest] = last?.value.revisions ?? [];
  const sections = [...new Set(changed.map(findSection))].join(', ');
  return (
    <div class="saved-changes">
      <p role="status">
        <strong class="good">{words.savedTitle}</strong>{' '}
        <span class="quiet">
          {words.savedWhat({ sections, at: formatMoment(at), revision: newest?.revision ?? null })}
        </span>
        <span class="small block">{words.applied}</span>
      </p>
      <PackageAgain />
    </div>
  );
}
