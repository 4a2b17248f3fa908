import { expect, test } from 'vitest';
import { column } from '../../../collector/analysis/tables/table-document.ts';
import { reportTableWords, scenarioName } from '../../../collector/dashboard/host/report-table-words.ts';

test('scenarios, sources, connections and types are in words, in titles and notes too', () => {
  const table = reportTableWords({
    title: 'Users’ traffic: ratio to http-reused',
    columns: [column('scenario', 'Scenario', 'text'), column('group:https-new-full', 'https-new-full, probes', 'ms')],
    rows: [
      {
        scenario: 'https-new',
        source: 'page',
        connection: 'failed',
        type: 'fetch',
        n: 3,
        host: 'https-new.example.com',
      },
    ],
    notes: ['The baseline http-reused was not measured, so there are no ratios.'],
  });
  expect(table.title).toBe('Users’ traffic: ratio to HTTP, reused connection');
  expect(table.columns.map(({ label }) => label)).toEqual(['Scenario', 'HTTPS, new, full handshake, probes']);
  expect(table.rows).toEqual([
    {
      scenario: 'HTTPS, everything new',
      source: 'users',
      connection: 'failed',
      type: 'data requests',
      n: 3,
      host: 'https-new.example.com',
    },
  ]);
  expect(table.notes[0]).toContain('HTTP, reused connection');
});

test('only sources other than users are named beside a scenario', () => {
  expect(scenarioName('https-reused', 'page')).toBe('HTTPS, reused connection');
  expect(scenarioName('https-reused', 'import')).toBe('HTTPS, reused connection, imported recordings');
});
