import { useState } from 'preact/hooks';
import type { PackagesAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { START as words } from '../text/start.ts';
import { ActionForm, Field } from './action-form.tsx';
import { isOnlyHere } from './start-steps.ts';

interface PackageNowProps {
  readonly packages: PackagesAnswer;
  readonly isNext?: boolean;
}

/** Says which hosts the packages lack, and has the collector package the extension for the saved settings, with its address for browsers. */
export function PackageNow({ packages: { packaged, missing }, isNext = true }: PackageNowProps) {
  const { client, cache } = usePage();
  const [collector, setCollector] = useState(packaged?.collector ?? location.origin);
  const isHere = isOnlyHere(collector);
  const allowHttp = /^\s*http:/i.test(collector) && !isHere;
  async function make(): Promise<void> {
    // Its box was ticked, or the browser would not have submitted the form.
    await client.post<PackagesAnswer>('/packages', { collector: collector.trim(), allowHttp });
    cache.reread('/packages');
  }
  return (
    <>
      {packaged === null || missing.length === 0 ? null : (
        <p>
          {words.lacking({ version: packaged.version, n: missing.length })} <code>{missing.join(' ')}</code>
        </p>
      )}
      <ActionForm
        button={packaged === null ? words.packageNow : words.packageAgain}
        busyButton={words.packaging}
        isNext={isNext}
        act={make}
      >
        <Field id="start-collector" label={words.collector} required value={collector} set={setCollector} />
        {isHere ? <p class="quiet small">{words.onlyHere}</p> : null}
        {allowHttp ? (
          <label class="notice">
            <input type="checkbox" required /> {words.allowHttp}
          </label>
        ) : null}
      </ActionForm>
    </>
  );
}
