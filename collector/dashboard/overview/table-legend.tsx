import type { ComponentChildren } from 'preact';
import { VERDICT_COLOURS } from '../../charts/phase-bars.ts';
import { Swatch } from '../components/legend.tsx';
import { t } from '../text/t.ts';
import { VERDICT_PARTS } from './table-columns.ts';

/** The common classes; the others are named on hover. */
const SHOWN_CONNECTIONS = ['new', 'reused', 'cache', 'opaque'] as const;

/** The table's legend in one line. */
export function TableLegend() {
  return (
    <ul class="legend">
      <li>
        <Mark>
          <rect class="spread-median" x={6} y={1} width={2} height={12} />
        </Mark>
        {t.overview.columns.median}
      </li>
      <li>
        <Mark>
          <path class="spread-mean" d="M7,3l4,4l-4,4l-4,-4z" />
        </Mark>
        {t.overview.columns.average}
      </li>
      <li>
        <Mark>
          <rect class="spread-box" x={1} y={3} width={12} height={8} rx={1.5} />
        </Mark>
        {t.overview.legend.middleHalf}
      </li>
      <li>
        <span class="doubtful">
          <span class="value">12</span>
        </span>
        {t.overview.legend.keepMeasuring}
      </li>
      <li>
        <span class="value">{t.overview.pair.belowStep}</span>
        {t.overview.legend.belowStep}
      </li>
      <li>
        <span class="unknown">–</span>
        {t.overview.legend.unknown}
      </li>
      {VERDICT_PARTS.map((part) => (
        <li key={part} class="legend-part">
          <Swatch colour={`--phase-${VERDICT_COLOURS[part]}`} />
          {t.verdicts[part]}
        </li>
      ))}
      {SHOWN_CONNECTIONS.map((connection) => (
        <li key={connection}>
          <Swatch colour={`--connection-${connection}`} />
          {t.connections[connection]}
        </li>
      ))}
    </ul>
  );
}

function Mark({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg width={14} height={14} viewBox="0 0 14 14" aria-hidden="true">
      {children}
    </svg>
  );
}
