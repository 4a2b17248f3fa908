import { useState } from 'preact/hooks';
import { usePage } from '../app/page-context.ts';
import type { Json } from '../model/settings-diff.ts';
import { START as words } from '../text/start.ts';
import { ActionForm, Field } from './action-form.tsx';
import { withApp } from './start-steps.ts';

/** Adds an app to the settings by an address alone. */
export function AppForm({ isFirst }: { readonly isFirst: boolean }) {
  const { client, cache } = usePage();
  const [address, setAddress] = useState('');
  async function add(): Promise<void> {
    const { headers, document } = await client.send('/settings', {});
    const next = withApp(document as Json, address);
    if ('problem' in next) throw new Error(words.problems[next.problem]);
    await client.send('/settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-match': headers.get('etag') ?? '' },
      body: JSON.stringify(next.document),
    });
    setAddress('');
    for (const key of ['/settings', '/packages', 'app names']) cache.reread(key);
  }
  const label = isFirst ? words.address : words.anotherAddress;
  return (
    <ActionForm button={words.watch} isNext={isFirst} act={add}>
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
