import { useState } from 'preact/hooks';
import type { PolicyAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { saveFile } from '../components/save.ts';
import { TableChoice } from '../components/select.tsx';
import { START as words } from '../text/start.ts';
import { ActionForm, Field } from './action-form.tsx';

type Format = keyof typeof words.formats;
const FORMATS = Object.entries(words.formats) as [Format, string][];
const BROWSERS = ['Chrome', 'Edge', 'Firefox', 'Chromium'].map((name) => [name.toLowerCase(), name] as const);

/** The policy that installs and enrols the extension in all browsers, as text and as a file. */
export function PolicyForm({ made }: { readonly made: string }) {
  const { client } = usePage();
  const [browser, setBrowser] = useState('chrome');
  const [chosen, setFormat] = useState<Format>('reg');
  const [site, setSite] = useState('');
  const [share, setShare] = useState('');
  const [key, setKey] = useState('');
  const [allowUnsigned, setAllowUnsigned] = useState(false);
  const [policy, setPolicy] = useState<PolicyAnswer | null>(null);
  const isFirefox = browser === 'firefox';
  // Intune has no template for Chromium.
  const formats = FORMATS.filter(([name]) => browser !== 'chromium' || name !== 'intune');
  const format = formats.some(([name]) => name === chosen) ? chosen : 'reg';
  async function write(): Promise<void> {
    const asked = {
      browser,
      format,
      key: made || key.trim(),
      site: site.trim(),
      ...(share === '' ? {} : { share: Number(share) }),
      allowUnsigned: isFirefox && allowUnsigned,
    };
    setPolicy(await client.post<PolicyAnswer>('/policies', asked));
  }
  return (
    <>
      {/* What is shown belongs to what was chosen. */}
      <ActionForm button={words.showPolicy} act={write} onInput={() => setPolicy(null)}>
        <TableChoice id="policy-browser" label={words.browser} value={browser} options={BROWSERS} choose={setBrowser} />
        <TableChoice
          id="policy-format"
          label={words.system}
          value={format}
          options={formats}
          choose={(value) => setFormat(value as Format)}
        />
        <Field id="policy-site" label={words.site} maxlength={100} placeholder="Berlin" value={site} set={setSite} />
        <Field
          id="policy-share"
          label={words.share}
          type="number"
          min={1}
          max={100}
          placeholder="100"
          value={share}
          set={setShare}
        />
        {made === '' ? (
          <Field id="policy-key" label={words.key} required placeholder="lb_ingest_…" value={key} set={setKey} />
        ) : null}
        {isFirefox ? (
          <label class="quiet small">
            <input type="checkbox" checked={allowUnsigned} onChange={() => setAllowUnsigned(!allowUnsigned)} />{' '}
            {words.allowUnsigned}
          </label>
        ) : null}
      </ActionForm>
      {policy === null ? null : (
        <>
          <p>{words.places[format]}</p>
          {format === 'json' ? (
            <p class="small">
              <code>{policy.places.map(({ system, place }) => `${system}: ${place}`).join(' · ')}</code>
            </p>
          ) : null}
          <textarea class="policy" readonly aria-label={words.policy} value={policy.text} rows={8} />
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
