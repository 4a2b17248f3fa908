import { describe, expect, it } from 'vitest';
import { noteEvidence } from '../../../collector/dashboard/model/evidence-note.ts';
import { methodNote } from '../../../collector/dashboard/model/method-note.ts';
import { fleetCell, fleetSummary } from './summary-fixture.ts';

describe('method note', () => {
  const { method } = fleetSummary();

  it('shows exact, or sketched with its bound', () => {
    expect(methodNote(method).precision).toBe('Exact');
    expect(methodNote({ ...method, exact: false, bound: 0.0079 }).precision).toContain('within 0.79 %');
  });

  it('lists the active filters', () => {
    const lines = methodNote({ ...method, filters: { type: ['font', 'image'] } }).lines;
    expect(lines.find(([term]) => term === 'Filters')).toEqual(['Filters', 'Type = font or image']);
    const excluding = methodNote({ ...method, filters: { 'not.type': ['font'] } }).lines;
    expect(excluding.find(([term]) => term === 'Filters')).toEqual(['Filters', 'Type is not font']);
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
