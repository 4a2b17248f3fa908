import { expect, it } from 'vitest';
import { overviewRows } from '../../../collector/dashboard/model/overview-row.ts';
import { Findings, HostFindings } from '../../../collector/dashboard/overview/findings.tsx';
import { RowCells } from '../../../collector/dashboard/overview/row-cells.tsx';
import { useMount } from './mount.tsx';
import { fleetSummary } from './summary-fixture.ts';

const mount = useMount();
const { root } = mount;

it('shows three findings, and on demand all of them in one list', async () => {
  const place = { host: null, site: null, target: null };
  const findings = [1, 2, 3, 4, 5].map((n) => ({ place, text: { title: `Cause ${n}`, saves: '', action: '' } }));
  mount.client.read = async () => ({ findings }) as never;
  await mount.show(<Findings few={false}>{null}</Findings>);
  const titles = () => [...root.querySelectorAll('ol:first-of-type h3')].map(({ textContent }) => textContent);
  expect(titles()).toEqual(['Cause 1', 'Cause 2', 'Cause 3']);
  await mount.press('All 5 findings');
  expect(titles()).toHaveLength(5);
  expect(root.querySelectorAll('ol')).toHaveLength(1);
  await mount.press('Only the first 3');
  expect(titles()).toHaveLength(3);
});

it('shows above the page of a host the findings about it', async () => {
  const findings = ['a.test', 'b.test', null].map((host) => ({
    place: { host, site: null, target: null },
    text: { title: `${host} is slow`, saves: '', action: '' },
  }));
  mount.client.read = async () => ({ findings }) as never;
  await mount.show(<HostFindings host="b.test" />);
  expect([...root.querySelectorAll('h3')].map(({ textContent }) => textContent)).toEqual(['b.test is slow']);
});

it('says how the average time of an app is divided', async () => {
  const [row] = overviewRows(fleetSummary().cells.filter(({ verdict }) => verdict.verdict === 'server'));
  if (row === undefined) throw new Error('no row');
  await mount.show(<RowCells row={row} scale={{ low: 1, high: 1000 }} folded={new Set(['tls'])} />);
  const bar = root.querySelector('.verdict-cell .connections');
  expect(bar?.textContent).toMatch(/Server \d+ %/);
  expect(bar?.querySelectorAll('[style*="--phase-wait"]')).toHaveLength(1);
  expect(root.querySelectorAll('[data-label=TLS]')).toHaveLength(0);
  expect(root.querySelectorAll('[data-label=TCP]')).not.toHaveLength(0);
});
