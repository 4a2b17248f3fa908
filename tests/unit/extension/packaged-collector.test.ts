import { expect, test } from 'vitest';
import { packagedCollector } from '../../../extension/pages/packaged-collector.ts';

test('a package knows its collector from where it gets its updates', () => {
  const gecko = (update_url: string) => ({ browser_specific_settings: { gecko: { update_url } } });
  expect(packagedCollector({ update_url: 'https://lb.example.com/base/install/update.xml' })).toBe(
    'https://lb.example.com/base',
  );
  expect(packagedCollector(gecko('https://lb.example.com/install/updates.json'))).toBe('https://lb.example.com');
  for (const elsewhere of [{}, { update_url: 'https://clients2.google.com/service/update2/crx' }, gecko('')]) {
    expect(packagedCollector(elsewhere)).toBe(null);
  }
});
