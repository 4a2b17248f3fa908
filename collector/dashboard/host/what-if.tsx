import { useState } from 'preact/hooks';
import { fillColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { WhatIfDocument, WordedSaving } from '../../questions/what-if.ts';
import { DataTable } from '../components/data-table.tsx';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';
import { type About, HostPanel } from './host-panel.tsx';

const words = HOST.whatIf;

/** What well-known remedies would save at this host; asked for once it is opened. */
export function WhatIf({ about }: { readonly about: About }) {
  const [opened, setOpened] = useState(false);
  return (
    <details class="panel item what-if" onToggle={({ currentTarget: { open } }) => open && setOpened(true)}>
      <summary>
        <strong>{words.title}</strong> <span class="quiet">{words.of}</span>
      </summary>
      <div class="item-body">
        {opened ? (
          // Connections are shared by all types.
          <HostPanel<WhatIfDocument>
            about={{ ...about, type: null }}
            name={words.title}
            path="what-if"
            query={`lang=${t.language}`}
          >
            {({ savings }) => <Savings savings={savings} />}
          </HostPanel>
        ) : null}
      </div>
    </details>
  );
}

function Savings({ savings }: Pick<WhatIfDocument, 'savings'>) {
  const timeouts = savings.filter(({ seconds, reason }) => seconds !== null && reason === null);
  const sites = savings.filter(({ site }) => site !== null);
  // Unknown for one timeout is unknown for all of them.
  const others = savings.filter(
    (one, index) => !timeouts.includes(one) && !sites.includes(one) && savings[index - 1]?.remedy !== one.remedy,
  );
  const some = others.filter(({ affectedRequests }) => affectedRequests > 0);
  return (
    <>
      {some.length === 0 ? null : (
        <ul class="savings">
          {some
            .sort((a, b) => (b.savedMs ?? 0) - (a.savedMs ?? 0))
            .map(({ remedy, text }) => (
              <li key={remedy}>
                <strong>{text.title}</strong>
                <span>{text.saves}</span>
                <span class="hint">{text.assumption}</span>
              </li>
            ))}
        </ul>
      )}
      <div class="figures">
        {timeouts.length === 0 ? null : <DataTable name="timeouts" table={timeoutTable(timeouts)} level={3} bare />}
        {sites.length === 0 ? null : <DataTable name="nearer" table={siteTable(sites)} level={3} bare />}
      </div>
      <ul class="no-savings">
        {others
          .filter((one) => !some.includes(one))
          .map(({ remedy, text }) => (
            <li key={remedy}>
              {text.title}: <span class="quiet">{text.saves}</span>
            </li>
          ))}
      </ul>
      <p class="hint">{words.alone}</p>
    </>
  );
}

const SAVED = [
  ['saved', words.columns.saved, 'share', ({ savedShare }: WordedSaving) => savedShare],
  ['low', words.columns.low, 'share', (saving: WordedSaving) => savedTo(saving, 0)],
  ['high', words.columns.high, 'share', (saving: WordedSaving) => savedTo(saving, 1)],
] as const;

function timeoutTable(timeouts: readonly WordedSaving[]): TableDocument {
  return {
    title: words.timeouts(timeouts[0]?.facts.connections ?? 0),
    ...fillColumns(timeouts, [
      ['seconds', words.columns.seconds, 's'],
      ['connections', words.columns.connections, 'count', ({ facts }) => facts.connectionsAfter ?? null],
      ...SAVED,
    ]),
    notes: [timeouts[0]?.text.assumption ?? ''],
  };
}

function siteTable(sites: readonly WordedSaving[]): TableDocument {
  return {
    title: words.sites(sites[0]?.nearSite ?? ''),
    ...fillColumns(sites, [
      ['site', words.columns.site, 'text'],
      ['farther', words.columns.farther, 'ms', ({ facts }) => facts.fartherMs ?? null],
      ...SAVED,
    ]),
    notes: [sites[0]?.text.assumption ?? ''],
  };
}

/** An end of the interval, as a share of everything that users wait for at this host. */
function savedTo({ savedMs, savedInterval, savedShare }: WordedSaving, end: 0 | 1): number | null {
  if (savedInterval === null) return null;
  return savedMs === null || !savedShare ? 0 : (savedInterval[end] * savedShare) / savedMs;
}
