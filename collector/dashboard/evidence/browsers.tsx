import type { ComponentChildren } from 'preact';
import type { FleetDocument } from '../../questions/fleet.ts';
import { usePage } from '../app/page-context.ts';
import { Box } from '../components/box.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Panel } from '../components/panel.tsx';
import { viewQuestion } from '../model/summary-queries.ts';
import { EVIDENCE } from '../text/evidence.ts';
import { DASH, formatAge, formatCount } from '../text/format.ts';
import { t } from '../text/t.ts';
import { browsersTable, lossesTable, silentBrowsers, sitesTable } from './fleet-tables.ts';

const text = EVIDENCE.browsers;

/** State of the reporting browsers. Viewers see counts, administrators see individual browsers. */
export function Browsers() {
  const page = usePage();
  // The only filter that applies to browsers is the site.
  const { site } = page.state.filters;
  const state = { ...page.state, filters: site === undefined ? {} : { site } };
  return (
    <Panel<FleetDocument> name={text.panel} query={viewQuestion({ ...page, state }, 'fleet')}>
      {(fleet) => <Fleet fleet={fleet} />}
    </Panel>
  );
}

function Fleet({ fleet }: { readonly fleet: FleetDocument }) {
  const { now } = usePage();
  const losses = lossesTable(fleet);
  return (
    <>
      <Box title={text.title} intro={text.intro}>
        {fleet.browsers === 0 ? (
          <p class="quiet">{text.none}</p>
        ) : (
          <Tiles label={text.panel} tiles={tilesOf(fleet, now())} />
        )}
        {fleet.truncated ? <p class="notice">{text.truncated}</p> : null}
      </Box>
      {fleet.sites.length > 1 ? <DataTable name="sites" table={sitesTable(fleet)} sortable /> : null}
      {losses.rows.length > 0 ? <DataTable name="losses" table={losses} sortable /> : null}
      {fleet.named !== null && fleet.named.length > 0 ? (
        <DataTable
          name="browsers"
          table={browsersTable(fleet.named)}
          sortable
          cell={({ name }, row) =>
            name === 'state' && row.state === text.states.degraded ? (
              <span class="badge-warn" data-tip={text.degradedTip}>
                {text.states.degraded}
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
  if (count === null) return { label, value: DASH, note: text.tooFew };
  return { label, value: formatCount(count), ...(count === 0 ? {} : { note, warn }) };
}

function tilesOf({ browsers, browsersMonth, states, clocksWrong, named, sites }: FleetDocument, now: number): Tile[] {
  const last = sites.map(({ lastAt }) => Date.parse(lastAt)).reduce((a, b) => Math.max(a, b), 0);
  const reported = [
    ...(browsersMonth === undefined ? [] : [t.browsersOfMonth.inMonth(browsersMonth)]),
    ...(last === 0 ? [] : [text.tiles.last(formatAge(now - last))]),
  ];
  const silent = silentBrowsers(named ?? [], now);
  return [
    countTile(text.tiles.reporting, browsers, reported.length === 0 ? null : reported.join('; ')),
    countTile(text.tiles.collecting, states.collecting),
    countTile(text.tiles.degraded, states.degraded, text.tiles.notAllAllowed, true),
    ...(states.unknown === 0 ? [] : [countTile(text.tiles.unknown, states.unknown, text.tiles.older)]),
    countTile(text.tiles.clocks, clocksWrong, text.tiles.corrected, true),
    ...(silent === 0 ? [] : [{ label: text.tiles.silent, value: formatCount(silent), warn: true }]),
  ];
}

interface Tile {
  readonly label: string;
  readonly value: string;
  readonly note?: ComponentChildren;
  /** Needs attention. */
  readonly warn?: boolean;
}

/** A few key numbers. */
function Tiles({ label, tiles }: { readonly label: string; readonly tiles: readonly Tile[] }) {
  return (
    <dl class="tiles" aria-label={label}>
      {tiles.map(({ label: term, value, note, warn = false }) => (
        <div key={term} class={warn ? 'tile warn' : 'tile'}>
          <dt>{term}</dt>
          <dd>
            <span class="tile-value">{value}</span>
            {note ? <span class="quiet small">{note}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
