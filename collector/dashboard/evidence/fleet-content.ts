import { formatAge, formatCount } from '../../analysis/text/format.ts';
import type { FleetDocument } from '../../questions/fleet.ts';
import { browsersTable, lossesTable, sitesTable } from '../model/fleet-tables.ts';
import { dataTable } from '../render/data-table.ts';
import { element } from '../render/element.ts';
import { panelBox } from '../render/panel-box.ts';
import { type Tile, tiles } from '../render/tiles.ts';
import type { ViewContext } from '../render/view.ts';

/** A browser that has not reported for this long is probably off or has lost the extension, ms. */
const SILENT_MS = 24 * 3_600_000;

/** State of the reporting browsers. Viewers see counts, administrators see single browsers. */
export function fleetContent(fleet: FleetDocument, { state, navigate, now }: ViewContext): readonly Node[] {
  const sorted = (name: string) => ({
    sort: state.sorts[name] ?? null,
    sortBy: (sort: { column: string; descending: boolean }) =>
      navigate({ ...state, sorts: { ...state.sorts, [name]: sort } }),
  });
  const losses = lossesTable(fleet);
  return [
    panelBox(
      'Reporting browsers',
      'Browsers that reported in this range, in their last reported state.',
      fleet.browsers === 0
        ? element(
            'p',
            { class: 'quiet' },
            'No browser has reported. Is the extension rolled out, and is its key still valid?',
          )
        : tiles('Browsers', tilesOf(fleet, now())),
      fleet.truncated
        ? element('p', { class: 'notice' }, 'There are more browsers than can be counted here. Filter by site.')
        : null,
    ),
    ...(fleet.sites.length > 1 ? [dataTable({ name: 'sites', table: sitesTable(fleet), ...sorted('sites') })] : []),
    ...(losses.rows.length > 0 ? [dataTable({ name: 'losses', table: losses, ...sorted('losses') })] : []),
    ...(fleet.named !== null && fleet.named.length > 0
      ? [
          dataTable({
            name: 'browsers',
            table: browsersTable(fleet.named),
            ...sorted('browsers'),
            cell: (column, row) =>
              column.name === 'state' && row.state === 'degraded'
                ? element(
                    'span',
                    {
                      class: 'badge-warn',
                      'data-tip': 'The user has not allowed all targets or has revoked a permission',
                    },
                    'degraded',
                  )
                : undefined,
          }),
        ]
      : []),
  ];
}

/** Null is not 0: a viewer may not see the count, because these or the remaining browsers are too few. */
function countTile(label: string, count: number | null, note: string | null = null, warn = false): Tile {
  if (count === null) return { label, value: '–', note: 'not shown: too few browsers' };
  return { label, value: formatCount(count), ...(count === 0 ? {} : { note, warn }) };
}

function tilesOf({ browsers, states, clocksWrong, named, sites }: FleetDocument, now: number): Tile[] {
  const last = sites.map(({ lastAt }) => Date.parse(lastAt)).reduce((a, b) => Math.max(a, b), 0);
  const silent = named?.filter(({ lastAt }) => now - Date.parse(lastAt) > SILENT_MS).length ?? 0;
  return [
    countTile('Reporting', browsers, last === 0 ? null : `last report ${formatAge(now - last)}`),
    countTile('Collecting', states.collecting),
    countTile('Degraded', states.degraded, 'not all targets allowed', true),
    ...(states.unknown === 0 ? [] : [countTile('State unknown', states.unknown, 'older extensions')]),
    countTile('Wrong clocks', clocksWrong, 'by more than 1 s; corrected', true),
    ...(silent === 0 ? [] : [{ label: 'Silent for a day', value: formatCount(silent), warn: true }]),
  ];
}
