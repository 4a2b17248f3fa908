import type { FleetDocument } from '../../questions/fleet.ts';
import { usePage } from '../app/page-context.ts';
import { Box } from '../components/box.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { type Tile, Tiles } from '../components/tiles.tsx';
import { browsersTable, lossesTable, sitesTable } from '../model/fleet-tables.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import { formatAge, formatCount } from '../text/format.ts';

/** A browser that has not reported for this long is probably off or has lost the extension, ms. */
const SILENT_MS = 24 * 3_600_000;

/** State of the reporting browsers. Viewers see counts, administrators see individual browsers. */
export function Browsers() {
  const { state, client, now } = usePage();
  // The only filter that applies to browsers is the site.
  const { site } = state.filters;
  const asked = { ...state, filters: site === undefined ? {} : { site } };
  return (
    <Panel<FleetDocument>
      name="Browsers"
      query={{
        key: `fleet ${viewKey(asked)}`,
        read: (signal, report) => client.read(`/fleet?${viewQuery(asked, now())}`, signal, report),
      }}
    >
      {(fleet) => <Fleet fleet={fleet} />}
    </Panel>
  );
}

function Fleet({ fleet }: { readonly fleet: FleetDocument }) {
  const { now } = usePage();
  const losses = lossesTable(fleet);
  return (
    <>
      <Box title="Reporting browsers" intro="Browsers that reported in this range, in their last reported state.">
        {fleet.browsers === 0 ? (
          <p class="quiet">No browser has reported. Is the extension rolled out, and is its key still valid?</p>
        ) : (
          <Tiles label="Browsers" tiles={tilesOf(fleet, now())} />
        )}
        {fleet.truncated ? (
          <p class="notice">There are more browsers than can be counted here. Filter by site.</p>
        ) : null}
      </Box>
      {fleet.sites.length > 1 ? <DataTable name="sites" table={sitesTable(fleet)} sortable /> : null}
      {losses.rows.length > 0 ? <DataTable name="losses" table={losses} sortable /> : null}
      {fleet.named !== null && fleet.named.length > 0 ? (
        <DataTable
          name="browsers"
          table={browsersTable(fleet.named)}
          sortable
          cell={({ name }, row) =>
            name === 'state' && row.state === 'degraded' ? (
              <span class="badge-warn" data-tip="The user has not allowed all targets or has revoked a permission">
                degraded
              </span>
            ) : undefined
          }
        />
      ) : null}
    </>
  );
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
