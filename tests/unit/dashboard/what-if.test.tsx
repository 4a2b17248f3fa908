import { Event as DocumentEvent } from 'linkedom';
import { expect, it } from 'vitest';
import { whatIfWords } from '../../../collector/analysis/text/what-if-words.ts';
import { type Saving, type SavingOf, unknownSaving } from '../../../collector/analysis/what-if/saving.ts';
import type { About } from '../../../collector/dashboard/host/host-panel.tsx';
import { WhatIf } from '../../../collector/dashboard/host/what-if.tsx';
import { useMount } from './mount.tsx';

const ABOUT = { host: 'erp.example.com', type: 'document', kind: 'document', of: '' } as unknown as About;

/** A tenth of all waiting, 5 to 15 %. */
function saved(of: SavingOf, tenth = 100): Saving {
  return {
    ...unknownSaving(of, 'too_few_requests'),
    facts: of.facts ?? {},
    reason: null,
    affectedRequests: 50,
    savedMs: tenth,
    savedInterval: [tenth - Math.abs(tenth) / 2, tenth + Math.abs(tenth) / 2],
    savedShare: tenth / 1000,
    perRequestMs: tenth / 50,
  };
}

const SAVINGS = [
  saved({ remedy: 'keep_alive', seconds: 5, facts: { connections: 80, connectionsAfter: 90 } }, -10),
  saved({ remedy: 'keep_alive', seconds: 60, facts: { connections: 80, connectionsAfter: 12 } }),
  unknownSaving({ remedy: 'tls_13' }, 'tls_version_unknown'),
  saved({ remedy: 'slow_group' }, 50),
  saved({ remedy: 'http2', facts: { http1Requests: 60 } }, 200),
  saved({ remedy: 'nearer_site', site: 'Oslo', nearSite: 'Berlin', facts: { fartherMs: 30 } }),
];

const mount = useMount();

async function open(savings: readonly Saving[]): Promise<string[]> {
  const asked: string[] = [];
  mount.client.read = async (path: string) => {
    asked.push(path);
    return { savings: savings.map((saving) => ({ ...saving, text: whatIfWords(saving, 'en') })) } as never;
  };
  await mount.show(<WhatIf about={ABOUT} />);
  expect(asked).toEqual([]);
  await mount.act(() => {
    const details = mount.root.querySelector('details') as HTMLDetailsElement;
    details.setAttribute('open', '');
    Object.defineProperty(details, 'open', { value: true, configurable: true });
    details.dispatchEvent(new DocumentEvent('toggle') as unknown as Event);
  });
  return asked;
}

const cells = (table: string) =>
  [...mount.root.querySelectorAll(`[data-table="${table}"] tbody tr`)].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );

it('is asked for once it is opened, for all types of the host together', async () => {
  const [asked = ''] = await open(SAVINGS);
  const query = new URLSearchParams(asked.slice(asked.indexOf('?')));
  expect([asked.slice(0, 8), query.getAll('host'), query.getAll('type'), query.get('lang')]).toEqual([
    '/what-if',
    ['erp.example.com'],
    [],
    'en',
  ]);
});

it('lists what would save most first, and timeouts and sites as tables', async () => {
  await open(SAVINGS);
  expect([...mount.root.querySelectorAll('.savings strong')].map(({ textContent }) => textContent)).toEqual([
    'HTTP/2',
    'If slow requests were as fast as the others',
  ]);
  expect([...mount.root.querySelectorAll('.no-savings li')].map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^TLS 1.3: Not known: only Firefox/),
  ]);
  expect(mount.root.querySelector('.savings li')?.textContent).toContain('20 % of the total time (10 to 30 %)');
  expect(cells('timeouts')).toEqual([
    ['5', '90', '−1 %', '−2 %', '−1 %'],
    ['60', '12', '10 %', '5 %', '15 %'],
  ]);
  expect(cells('nearer')).toEqual([['Oslo', '30', '10 %', '5 %', '15 %']]);
});

it('says why timeouts are unknown once, and not for each', async () => {
  await open([5, 15, 60].map((seconds) => unknownSaving({ remedy: 'keep_alive', seconds }, 'no_idle_times')));
  expect([...mount.root.querySelectorAll('.no-savings li')].map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('no browser reports idle times'),
  ]);
  expect(cells('timeouts')).toEqual([]);
});
