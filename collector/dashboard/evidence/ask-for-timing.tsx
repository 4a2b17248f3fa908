import type { TimingAllowance } from '../../questions/evidence.ts';
import { Box } from '../components/box.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { formatCount } from '../text/format.ts';

const TITLE = 'Ask for Timing-Allow-Origin';

/** Hosts whose owners can open their times, with the header to add. */
export function AskForTiming({ hosts }: { readonly hosts: readonly TimingAllowance[] }) {
  if (hosts.length === 0) {
    return (
      <Box title={TITLE}>
        <p class="quiet">No host hides its times from your pages.</p>
      </Box>
    );
  }
  return (
    <Box
      title={TITLE}
      intro="These hosts hide their times from your targets’ pages. Their owners can allow access with one response header."
    >
      <ul class="ask">
        {hosts.map(({ host, target, opaque, samples, headers }) => (
          <li key={`${host} ${target}`} class="ask-host">
            <p class="ask-name">
              <strong>{host}</strong>
              <span class="quiet small">
                {` on pages of ${target}: ${formatCount(opaque)} of ${formatCount(samples)} samples hidden`}
              </span>
            </p>
            {headers.map((header) => (
              <p key={header} class="ask-header">
                <code>{header}</code>
                <CopyButton aria-label={`Copy the header for ${host}: ${header}`} text={() => header} />
              </p>
            ))}
          </li>
        ))}
      </ul>
      {hosts.some(({ headers }) => headers.length > 1) ? (
        <p class="quiet small">
          If there are several lines, the server must send the one that matches the requesting origin.
        </p>
      ) : null}
    </Box>
  );
}
