import { useState } from 'preact/hooks';
import type { PolicyAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { saveFile } from '../components/save.ts';
import { Select } from '../components/select.tsx';
import { START as words } from '../text/start.ts';
import { FORMATS, SYSTEMS, type System } from './start-steps.ts';
import { Problem, useAction } from './use-action.tsx';

const BROWSERS = [
  ['chrome', 'Chrome'],
  ['edge', 'Edge'],
  ['firefox', 'Firefox'],
  ['chromium', 'Chromium'],
] as const;

/** The policy that installs and enrols the extension in all browsers, as text and as a file. */
export function PolicyForm({ made }: { readonly made: string }) {
  const { client } = usePage();
  const [browser, setBrowser] = useState('chrome');
  const [system, setSystem] = useState<System>('windows');
  const [site, setSite] = useState('');
  const [typed, setTyped] = useState('');
  const [allowUnsigned, setAllowUnsigned] = useState(false);
  const [policy, setPolicy] = useState<PolicyAnswer | null>(null);
  const { busy, error, run } = useAction();
  const key = typed === '' ? made : typed;
  const isFirefox = browser === 'firefox';
  // Nobody provides a template for Chromium.
  const systems = SYSTEMS.filter((one) => one !== 'intune' || browser !== 'chromium');
  const chosen = systems.includes(system) ? system : 'windows';
  async function write(): Promise<void> {
    const asked = { browser, format: FORMATS[chosen], key: key.trim(), site: site.trim() };
    setPolicy(await client.post<PolicyAnswer>('/policies', isFirefox ? { ...asked, allowUnsigned } : asked));
  }
  return (
    <>
      <form
        class="key-form"
        // It belongs to what was chosen.
        onInput={() => setPolicy(null)}
        onSubmit={(event) => {
          event.preventDefault();
          void run(write);
        }}
      >
        <div class="field">
          <label for="policy-browser">{words.browser}</label>
          <Select id="policy-browser" value={browser} options={BROWSERS} choose={setBrowser} />
        </div>
        <div class="field">
          <label for="policy-system">{words.system}</label>
          <Select
            id="policy-system"
            value={chosen}
            options={systems.map((one) => [one, words.systems[one]])}
            choose={(value) => setSystem(value as System)}
          />
        </div>
        <div class="field">
          <label for="policy-site">{words.site}</label>
          <input
            id="policy-site"
            value={site}
            maxlength={100}
            placeholder={words.siteExample}
            autocomplete="off"
            onInput={({ currentTarget }) => setSite(currentTarget.value)}
          />
        </div>
        {made === '' ? (
          <div class="field">
            <label for="policy-key">{words.key}</label>
            <input
              id="policy-key"
              required
              value={typed}
              placeholder="lb_ingest_…"
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </div>
        ) : null}
        {isFirefox ? (
          <label class="choice-label">
            <input
              type="checkbox"
              checked={allowUnsigned}
              onChange={({ currentTarget }) => setAllowUnsigned(currentTarget.checked)}
            />
            {words.allowUnsigned}
          </label>
        ) : null}
        <button type="submit" disabled={busy}>
          {words.showPolicy}
        </button>
        {isFirefox ? <p class="quiet small">{words.signature}</p> : null}
        <Problem error={error} />
      </form>
      {policy === null ? null : (
        <>
          <p>{words.place[chosen]}</p>
          {chosen === 'linux' ? (
            <ul class="small">
              {policy.places.map(({ system: name, place }) => (
                <li key={name}>
                  {name}: <code>{place}</code>
                </li>
              ))}
            </ul>
          ) : null}
          <textarea class="policy" readonly aria-label={words.policy} value={policy.text} rows={8} spellcheck={false} />
          <p class="actions">
            <CopyButton text={() => policy.text} />
            <button type="button" onClick={() => saveFile(policy.file, new Blob([policy.text]))}>
              {words.save({ file: policy.file })}
            </button>
          </p>
          <p class="quiet small">{words.holdsKey}</p>
        </>
      )}
    </>
  );
}
