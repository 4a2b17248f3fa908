import { expect, test } from 'vitest';
import { filterText } from '../../../collector/reports/language/period-text.ts';
import { pickReportTexts } from '../../../collector/reports/language/report-texts.ts';

test('filters by host name it as people read it', () => {
  const filters = { host: ['xn--mller-kva.example'] };
  expect(filterText(filters, pickReportTexts('en'))).toBe('host müller.example');
});

test('filters by app name the app, and an app that was removed by its id', () => {
  const apps = new Map([['erp', 'Order system']]);
  const filters = { target: ['erp', 'old'], 'not.target': ['crm'] };
  expect(filterText(filters, pickReportTexts('en'), apps)).toBe('app Order system, old; without app crm');
});
