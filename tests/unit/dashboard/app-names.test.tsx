import { describe, expect, it } from 'vitest';
import { column } from '../../../collector/analysis/tables/table-document.ts';
import { useAppNames } from '../../../collector/dashboard/app/use-app-names.ts';
import { valueLabel, withAppNames } from '../../../collector/dashboard/model/value-label.ts';
import { placeNames } from '../../../collector/dashboard/probes/probe-tables.ts';
import { appNames } from '../../../shared/settings/app-names.ts';
import { useMount } from './mount.tsx';

const APPS = [
  { id: 'erp', name: 'SAP ERP' },
  { id: 'crm-eu', name: 'CRM' },
  { id: 'crm-us', name: 'CRM' },
];
const NAMES = appNames(APPS);

describe('names of apps', () => {
  it('stand for ids, with the id where two apps share a name and where an app is gone', () => {
    const shown = ['erp', 'crm-eu', 'removed'].map((id) => valueLabel('target', id, NAMES));
    expect(shown).toEqual(['SAP ERP', 'CRM (crm-eu)', 'removed']);
    expect(valueLabel('target', 'erp', null)).toBe('…');
    expect(valueLabel('host', 'erp', NAMES)).toBe('erp');
  });

  it('name the places of probes, with the host only where an app has several', () => {
    const erp = { target: 'erp', host: 'erp.example.com', site: 'Porto' };
    const crm = { target: 'crm-eu', host: 'crm.example.com', site: null };
    expect([erp, crm].map(placeNames([erp, crm], NAMES))).toEqual([
      'SAP ERP from Porto',
      'CRM (crm-eu) from browsers without a site',
    ]);
    const cdn = { ...erp, host: 'cdn.example.com' };
    expect(placeNames([erp, cdn], NAMES)(cdn)).toBe('SAP ERP (cdn.example.com) from Porto');
  });

  it('replace ids in the target column of a table only', () => {
    const table = {
      title: '',
      columns: [column('target', 'Target', 'text'), column('host', 'Host', 'text')],
      rows: [{ target: 'erp', host: 'erp' }],
      notes: [],
    };
    const named = withAppNames(table, NAMES);
    expect(named.rows).toEqual([{ target: 'SAP ERP', host: 'erp' }]);
    expect(named.columns.map(({ label }) => label)).toEqual(['App', 'Host']);
  });
});

describe('a component that names apps', () => {
  const mount = useMount();
  const Named = () => <p>{valueLabel('target', 'erp', useAppNames())}</p>;

  it('shows no id before the settings are read', async () => {
    let answer = (_: unknown) => {};
    mount.client.read = (path: string) => {
      expect(path).toBe('/settings');
      return new Promise((done) => {
        answer = (value) => done(value as never);
      });
    };
    await mount.show(<Named />);
    expect(mount.root.textContent).toBe('…');
    await mount.act(() => answer({ targets: APPS }));
    expect(mount.root.textContent).toBe('SAP ERP');
  });

  it('falls back to ids where the settings cannot be read', async () => {
    mount.client.read = async () => {
      throw new Error('unreadable');
    };
    await mount.show(<Named />);
    expect(mount.root.textContent).toBe('erp');
  });
});
