import { useState } from 'preact/hooks';
import type { PackagesAnswer } from '../../http/schemas/control-answers.ts';
import { ApiError } from '../api/api-error.ts';
import { usePage } from '../app/page-context.ts';
import { START as words } from '../text/start.ts';
import { isOnlyHere } from './start-steps.ts';
import { Problem, useAction } from './use-action.tsx';

/** Has the collector package the extension for the saved settings, with its address for browsers. */
export function PackageNow({
  packaged,
  isNext = true,
}: Pick<PackagesAnswer, 'packaged'> & { readonly isNext?: boolean }) {
  const { client, cache, announce } = usePage();
  const [collector, setCollector] = useState(packaged?.collector ?? location.origin);
  const { busy, error, run } = useAction();
  async function make(allowHttp: boolean): Promise<void> {
    await client.post<PackagesAnswer>('/packages', { collector: collector.trim(), allowHttp });
    announce(words.steps.package.done);
    cache.reread('/packages');
  }
  const isUnencrypted = error instanceof ApiError && error.code === 'unencrypted_address';
  return (
    <form
      class="key-form"
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => make(false));
      }}
    >
      <div class="field">
        <label for="start-collector">{words.collector}</label>
        <input
          id="start-collector"
          required
          value={collector}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setCollector(currentTarget.value)}
        />
      </div>
      <button type="submit" class={isNext ? 'primary' : ''} disabled={busy}>
        {busy ? words.packaging : words.packageNow}
      </button>
      {isOnlyHere(collector) ? <p class="quiet small">{words.onlyHere}</p> : null}
      <Problem error={isUnencrypted ? new Error(words.unencrypted) : error} />
      {isUnencrypted ? (
        <button type="button" disabled={busy} onClick={() => void run(() => make(true))}>
          {words.packageAnyway}
        </button>
      ) : null}
    </form>
  );
}
