import type { TimingAllowance } from '../../questions/evidence.ts';
import { useAppNames } from '../app/use-app-names.ts';
import { Box } from '../components/box.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { valueLabel } from '../model/value-label.ts';
import { EVIDENCE } from '../text/evidence.ts';

const text = EVIDENCE.timing;

/** Hosts whose owners can open their times, with the header to add. */
export function AskForTiming({ hosts }: { readonly hosts: readonly TimingAllowance[] }) {
  const names = useAppNames();
  if (hosts.length === 0) {
    return (
      <Box title={text.title}>
        <p class="quiet">{text.none}</p>
      </Box>
    );
  }
  return (
    <Box title={text.title} intro={text.intro}>
      <ul class="ask">
        {hosts.map(({ host, target, opaque, samples, headers }) => (
          <li key={`${host} ${target}`} class="ask-host">
            <p class="ask-name">
              <strong>{host}</strong>
              <span class="quiet small">{text.hidden(valueLabel('target', target, names), opaque, samples)}</span>
            </p>
            {headers.map((header) => (
              <p key={header} class="ask-header">
                <code>{header}</code>
                <CopyButton aria-label={text.copy(host, header)} text={() => header} />
              </p>
            ))}
          </li>
        ))}
      </ul>
      {hosts.some(({ headers }) => headers.length > 1) ? <p class="quiet small">{text.several}</p> : null}
    </Box>
  );
}
