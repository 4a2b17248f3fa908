import { useState } from 'preact/hooks';
import { usePage } from '../app/page-context.ts';
import type { Json } from '../model/settings-diff.ts';
import { START as words } from '../text/start.ts';
import { withApp } from './start-steps.ts';
import { Problem, useAction } from './use-action.tsx';

/** Adds an app to the settings by an address alone. */
export function AppForm({ isFirst }: { readonly isFirst: boolean }) {
  const { client, cache, announce } = usePage();
  const [address, setAddress] = useState('');
  const { busy, error, run } = useAction();
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
    announce(words.steps.apps.done);
    for (const key of ['/settings', '/packages', 'app names']) cache.reread(key);
  }
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run(add);
      }}
    >
      <div class="field">
        <label for="start-address">{isFirst ? words.address : words.anotherAddress}</label>
        <input
          id="start-address"
          required
          value={address}
          placeholder="https://erp.example.com"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setAddress(currentTarget.value)}
        />
      </div>
      <button type="submit" class={isFirst ? 'primary' : ''} disabled={busy}>
        {words.watch}
      </button>
      <Problem error={error} />
    </form>
  );
}
