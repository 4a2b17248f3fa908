import { usePage } from '../app/page-context.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { texts } from '../text/settings.ts';

interface ControlAnswer {
  /** null if this is the only collector. */
  readonly shared: { readonly reachable: boolean; readonly leads: boolean } | null;
}

const words = texts.shared;

/** That other collectors follow these settings, which someone who looks at one of them would not expect. */
export function SharedControl() {
  const { client } = usePage();
  const { state } = useQuery(client.query<ControlAnswer>('/control'));
  const shared = state.last?.value.shared ?? null;
  if (shared === null) return null;
  return (
    <p class={shared.reachable ? 'quiet' : 'problem'}>
      {`${words.where} ${shared.reachable ? (shared.leads ? words.leads : words.follows) : words.away}`}
    </p>
  );
}
