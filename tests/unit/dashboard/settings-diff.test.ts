import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSame, type Json, mergeSettings, settingsDiff } from '../../../collector/dashboard/model/settings-diff.ts';
import { toPointer, valueAt, withValue } from '../../../collector/dashboard/model/settings-path.ts';

const ERP = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] };
const CRM = { id: 'crm', name: 'CRM', match: ['https://crm.example.com/*'] };
const settings = (...targets: Json[]): Json => ({ version: 1, targets });

describe('settings differences', () => {
  it('are listed per value, items with ids by their ids', () => {
    const before = settings(ERP, CRM);
    const after = { ...(settings({ ...CRM, name: 'Customers' }) as object), retention: { sampleDays: 14 } } as Json;
    expect(settingsDiff(before, after)).toEqual([
      { path: ['targets', 'erp'], before: ERP, after: undefined },
      { path: ['targets', 'crm', 'name'], before: 'CRM', after: 'Customers' },
      { path: ['retention'], before: undefined, after: { sampleDays: 14 } },
    ]);
  });

  it('ignore the order of names', () => {
    expect(settingsDiff({ a: 1, b: [1, { c: 2, d: 3 }] }, { b: [1, { d: 3, c: 2 }], a: 1 })).toEqual([]);
  });

  it('are the whole list if only its order differs, or ids are duplicated', () => {
    expect(settingsDiff(settings(ERP, CRM), settings(CRM, ERP))).toHaveLength(1);
    expect(settingsDiff(settings(ERP), settings(ERP, ERP))).toMatchObject([{ path: ['targets'] }]);
  });
});

describe('concurrent changes', () => {
  it('are both kept if they are in different places', () => {
    const ours = settings({ ...ERP, name: 'ours' }, CRM);
    const theirs = settings(ERP, { ...CRM, name: 'theirs' }, { ...CRM, id: 'new' });
    expect(mergeSettings(settings(ERP, CRM), ours, theirs)).toEqual({
      document: settings({ ...ERP, name: 'ours' }, { ...CRM, name: 'theirs' }, { ...CRM, id: 'new' }),
      conflicts: [],
    });
  });

  it('of the same value are reported, and ours wins', () => {
    const merged = mergeSettings(settings(ERP), settings({ ...ERP, name: 'a' }), settings({ ...ERP, name: 'b' }));
    expect(merged).toEqual({ document: settings({ ...ERP, name: 'a' }), conflicts: [['targets', 'erp', 'name']] });
  });

  it('keep a removal, and report a conflict if the other user changed the removed item', () => {
    expect(mergeSettings(settings(ERP, CRM), settings(CRM), settings(ERP, CRM)).document).toEqual(settings(CRM));
    const { document, conflicts } = mergeSettings(settings(ERP), settings(), settings({ ...ERP, name: 'b' }));
    expect([document, conflicts]).toEqual([settings(), [['targets', 'erp']]]);
  });

  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom<Json>(null, true, 1, 'a', 'b'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('id', 'a', 'b', '__proto__'), tie('value'), { maxKeys: 3 }),
    ),
  })).value;

  it('are the other user’s if one side changed nothing, for any documents', () => {
    fc.assert(
      fc.property(json, json, (base, changed) => {
        expect(isSame(mergeSettings(base, changed, base).document, changed)).toBe(true);
        expect(isSame(mergeSettings(base, base, changed).document, changed)).toBe(true);
        expect(settingsDiff(base, changed).length === 0).toBe(isSame(base, changed));
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

describe('a settings path', () => {
  it('is written as a JSON pointer', () => {
    expect(toPointer(['targets', 0, 'a/b~c'])).toBe('/targets/0/a~1b~0c');
  });

  it('can be read, set and removed without mutating the document', () => {
    const before = settings(ERP);
    const after = withValue(before, ['targets', 0, 'name'], 'x');
    expect(valueAt(after, ['targets', 0, 'name'])).toBe('x');
    expect(before).toEqual(settings(ERP));
    expect(withValue(before, ['targets', 0], undefined)).toEqual(settings());
    expect(withValue(before, ['targets', 1], CRM)).toEqual(settings(ERP, CRM));
    expect(valueAt(before, ['targets', 'length'])).toBeUndefined();
    expect(valueAt(before, ['constructor'])).toBeUndefined();
  });

  it('creates missing parents and leaves no empty ones behind', () => {
    const kept = withValue(settings(), ['retention', 'sampleDays'], 14);
    expect(kept).toEqual({ version: 1, targets: [], retention: { sampleDays: 14 } });
    expect(withValue(kept, ['retention', 'sampleDays'], undefined)).toEqual(settings());
    expect(withValue(settings(ERP), ['targets', 0, 'exclude', 0, 'path'], '/x')).toEqual(
      settings({ ...ERP, exclude: [{ path: '/x' }] }),
    );
    expect(withValue(settings({ ...ERP, exclude: [{ path: '/x' }] }), ['targets', 0, 'exclude', 0], undefined)).toEqual(
      settings(ERP),
    );
  });
});
