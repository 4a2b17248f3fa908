import type { CollectorAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { formatBytes, formatCount } from '../text/format.ts';
import { formatMoment } from '../text/moment.ts';
import { texts } from '../text/settings.ts';

const words = texts.collector;

/** What someone who looks at one collector would not expect: that others follow these settings, and where its samples are. */
export function CollectorState() {
  const { client } = usePage();
  const { state } = useQuery(client.query<CollectorAnswer>('/collector'));
  const { shared = null, backlog = null } = state.last?.value ?? {};
  return (
    <>
      {shared !== null && (
        <p class={shared.reachable ? 'quiet' : 'problem'}>
          {`${words.shared} ${shared.reachable ? (shared.leads ? words.leads : words.follows) : words.away}`}
        </p>
      )}
      {backlog !== null && <p class="quiet">{`${words.forwards} ${backlogText(backlog)}`}</p>}
    </>
  );
}

function backlogText({ samples, bytes, oldest }: NonNullable<CollectorAnswer['backlog']>): string {
  if (oldest === null) return words.noBacklog;
  return words.backlog({
    samples: formatCount(samples),
    size: formatBytes(bytes),
    oldest: formatMoment(Date.parse(oldest)),
  });
}
