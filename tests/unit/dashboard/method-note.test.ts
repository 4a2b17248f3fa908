import { describe, expect, it } from 'vitest';
import { noteEvidence } from '../../../collector/dashboard/model/evidence-note.ts';
import { methodNote } from '../../../collector/dashboard/model/method-note.ts';
import { fleetCell, fleetSummary } from './summary-fixture.ts';

describe('method note', () => {
  const { method } = fleetSummary();
  const names = new Map([['erp', 'Order desk']]);

  it('shows exact, or sketched with its bound', () => {
    expect(methodNote(method, names).precision).toBe('Exact');
    expect(methodNote({ ...method, exact: false, bound: 0.0079 }, names).precision).toContain('within 0.79 %');
  });

  it('lists the active filters', () => {
    const lines = methodNote({ ...method, filters: { target: ['erp'], type: ['font', 'image'] } }, names).lines;
    expect(lines.find(([term]) => term === 'Filters')).toEqual(['Filters', 'App = Order desk; Type = fonts or images']);
    const excluding = methodNote({ ...method, filters: { 'not.type': ['font'] } }, names).lines;
    expect(excluding.find(([term]) => term === 'Filters')).toEqual(['Filters', 'Type is not fonts']);
  });
});

describe('evidence note', () => {
  it('accounts for every sample', () => {
    const cell = fleetCell('erp.example.com', 'script');
    const numbers = [...noteEvidence(cell).text.matchAll(/\d+/g)].map(Number);
    const [usable = 0, all = 0] = numbers;
    const { cache, excluded } = cell.evidence;
    expect(usable + cache + Object.values(excluded).reduce((sum, count) => sum + count, 0)).toBe(all);
  });
});
