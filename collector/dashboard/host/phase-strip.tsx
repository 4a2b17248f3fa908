import { Spoken } from '../components/spoken.tsx';
import type { WaterfallPart } from '../model/waterfall.ts';
import { formatMs } from '../text/format.ts';
import { t } from '../text/t.ts';

/** The phases of one request as a bar; its text names them. */
export function PhaseStrip({ parts }: { readonly parts: readonly WaterfallPart[] }) {
  const names = { ...t.phases, workerStart: t.workerStart, rest: t.chart.notAttributed };
  const text = parts.map(({ name, value }) => `${names[name]} ${formatMs(value)} ms`).join(', ');
  return (
    <>
      <span class="phase-strip" aria-hidden="true" data-tip={text}>
        {parts.map(({ phase, from, share }) => (
          <span
            key={phase}
            style={{ left: `${100 * from}%`, width: `${100 * share}%`, background: `var(--phase-${phase})` }}
          />
        ))}
      </span>
      <Spoken>{text}</Spoken>
    </>
  );
}
