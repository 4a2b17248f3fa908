import { useMemo } from 'preact/hooks';
import { appNames } from '../../../shared/settings/app-names.ts';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import type { AppNames } from '../model/value-label.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { usePage } from './page-context.ts';

/** The names of apps from the settings in force; empty if these cannot be read. */
export function useAppNames(): AppNames {
  const { client } = usePage();
  const { state } = useQuery({
    key: 'app names',
    read: async (signal) => {
      const { targets } = await client.read<Settings>('/settings', signal);
      return appNames(targets);
    },
  });
  const known = state.last?.value ?? null;
  const missing = known === null && state.kind !== 'loading';
  return useMemo(() => (missing ? new Map() : known), [missing, known]);
}
