import { describe, expect, it } from 'vitest';
import { idFor, withId } from '../../../collector/dashboard/model/item-id.ts';

const NONE: ReadonlySet<string> = new Set();

describe('the id of a new item', () => {
  it('is its name in lower-case ASCII', () => {
    const names = ['ERP', 'Größe & Maß', 'Café Zoë', '  Søk, Łódź ', 'SAP S/4HANA (EU)', 'a'.repeat(80), 'A\u0308rger'];
    expect(names.map((name) => idFor(name, 'app', NONE))).toEqual([
      'erp',
      'groesse-mass',
      'cafe-zoe',
      'sok-lodz',
      'sap-s-4hana-eu',
      'a'.repeat(63),
      'aerger',
    ]);
  });

  it('is a word where nothing of the name can be used, and unique', () => {
    expect(['', '…', '販売'].map((name) => idFor(name, 'app', NONE))).toEqual(['app', 'app', 'app']);
    expect(idFor('ERP', 'app', new Set(['erp', 'erp-2']))).toBe('erp-3');
    expect(idFor('a'.repeat(63), 'app', new Set(['a'.repeat(63)]))).toBe(`${'a'.repeat(61)}-2`);
  });

  it('changes together with everything that names the item', () => {
    const settings = {
      targets: [{ id: 'app' }, { id: 'crm' }],
      probes: { schedule: [{ id: 'x', target: 'app' }] },
      alerts: { webhooks: [{ id: 'app' }], rules: [{ target: 'crm' }, { target: 'app', webhooks: ['app'] }] },
    };
    expect(withId(settings, ['targets', 0], 'erp')).toEqual({
      targets: [{ id: 'erp' }, { id: 'crm' }],
      probes: { schedule: [{ id: 'x', target: 'erp' }] },
      alerts: { webhooks: [{ id: 'app' }], rules: [{ target: 'crm' }, { target: 'erp', webhooks: ['app'] }] },
    });
    expect(withId(settings, ['alerts', 'webhooks', 0], 'chat')).toMatchObject({
      targets: [{ id: 'app' }, {}],
      alerts: { webhooks: [{ id: 'chat' }], rules: [{}, { target: 'app', webhooks: ['chat'] }] },
    });
  });
});
