import type { PackagesAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { PackageNow } from '../start/package-now.tsx';
import { texts } from '../text/settings.ts';

const words = texts.packaging;

/** Says that the packages lack hosts of the saved settings, and packages again. */
export function PackageAgain() {
  const { client, role } = usePage();
  return role === 'admin' ? <Notice query={client.query<PackagesAnswer>('/packages')} /> : null;
}

function Notice({ query }: { readonly query: Parameters<typeof useQuery<PackagesAnswer>>[0] }) {
  const { last } = useQuery<PackagesAnswer>(query).state;
  if (last === null || last.value.missing.length === 0) return null;
  return (
    <div class="notice package-again">
      <p>
        <strong>{last.value.packaged === null ? words.notYet : words.again}</strong>
      </p>
      <PackageNow packages={last.value} />
    </div>
  );
}
