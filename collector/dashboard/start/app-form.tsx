import { useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { usePage } from '../app/page-context.ts';
import type { Json } from '../model/settings-diff.ts';
import { texts } from '../text/settings.ts';
import { START as words } from '../text/start.ts';
import { ActionForm, Field } from './action-form.tsx';
import { withApp } from './start-steps.ts';

/** Others may save in between. */
const MAX_RETRIES = 3;

/** Adds an app to the settings by an address alone. */
export function AppForm({ isFirst }: { readonly isFirst: boolean }) {
  const { client, cache } = usePage();
  const [address, setAddress] = useState('');
  async function add(retries: number): Promise<void> {
    const { headers, document } = await client.send('/settings', {});
    const next = withApp(document as Json, address);
    if ('values' in next) throw new Error(texts.problems.match_pattern?.(next.values));
    if ('problem' in next) throw new Error(words.problems[next.problem]);
    try {
      await client.send('/settings', {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': headers.get('etag') ?? '' },
        body: JSON.stringify(next.document),
      });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : '';
      if (code === 'precondition_failed' && retries > 0) return add(retries - 1);
      // The collector names the places of a document that is not to be seen here.
      throw code === 'invalid_settings' ? new Error(words.problems.refused) : error;
    }
    setAddress('');
    for (const key of ['/settings', '/packages', 'app names']) cache.reread(key);
  }
  const label = isFirst ? words.address : words.anotherAddress;
  return (
    <ActionForm button={words.watch} isNext={isFirst} act={() => add(MAX_RETRIES)}>
      <Field
        id="start-address"
        label={label}
        required
        placeholder="https://erp.example.com"
        value={address}
        set={setAddress}
      />
    </ActionForm>
  );
}
