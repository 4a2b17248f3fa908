import { useRef, useState } from 'preact/hooks';
import type { TokensAnswer } from '../../http/schemas/control-answers.ts';
import { describeError } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { Box } from '../components/box.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Panel } from '../components/panel.tsx';
import { ScrollBox } from '../components/scroll-box.tsx';
import { Select } from '../components/select.tsx';
import { Installing } from '../start/installing.tsx';
import { formatMoment } from '../text/moment.ts';
import { texts } from '../text/settings.ts';

type Token = TokensAnswer['tokens'][number];
type Role = Token['role'];
const words = texts.keys;

/** Keys of browsers and users. A new key is shown once; a revoked one is invalid at once. */
export function Keys() {
  const { client } = usePage();
  return (
    <Box {...texts.sections.keys}>
      <CreateKey />
      <Panel<TokensAnswer> name={texts.sections.keys.title} shape="chart" query={client.query('/tokens')}>
        {({ tokens }) => <TokenTable tokens={tokens} />}
      </Panel>
      <div class="start-how">
        <Installing made="" />
      </div>
    </Box>
  );
}

function CreateKey() {
  const { client, cache } = usePage();
  const label = useRef<HTMLInputElement>(null);
  const [role, setRole] = useState<Role>('ingest');
  const [problem, setProblem] = useState('');
  const [created, setCreated] = useState<CreatedKey | null>(null);
  async function create(event: Event): Promise<void> {
    event.preventDefault();
    setProblem('');
    try {
      const key = { role, label: label.current?.value.trim() ?? '' };
      const { token } = await client.post<{ readonly token: string }>('/tokens', key);
      setCreated({ ...key, token });
      if (label.current !== null) label.current.value = '';
      cache.reread('/tokens');
    } catch (error) {
      setProblem(describeError(error));
    }
  }
  return (
    <>
      <form class="key-form" onSubmit={create}>
        <div class="field">
          <label for="key-role">{words.for}</label>
          <Select
            id="key-role"
            value={role}
            options={Object.entries(words.roles)}
            choose={(value) => setRole(value as Role)}
          />
        </div>
        <div class="field">
          <label for="key-label">{words.label}</label>
          <input id="key-label" ref={label} maxlength={100} placeholder={words.labelPlaceholder} autocomplete="off" />
        </div>
        <button type="submit">{words.create}</button>
        <p class="problem" role="alert">
          {problem}
        </p>
      </form>
      {created === null ? null : (
        <Dialog title={words.copyNow} cancel={words.copied} onClose={() => setCreated(null)}>
          <NewKey {...created} />
        </Dialog>
      )}
    </>
  );
}

interface CreatedKey extends Pick<Token, 'role' | 'label'> {
  readonly token: string;
}

function NewKey({ role, label, token }: CreatedKey) {
  return (
    <>
      <p>{words.shownOnce({ label })}</p>
      <div class="token-line">
        <label for="new-token" class="spoken">
          {words.key}
        </label>
        <input id="new-token" class="token" readonly value={token} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton aria-label={words.copy} text={() => token} />
      </div>
      <p class="quiet small">{role === 'ingest' ? words.useForBrowsers : words.useForPeople}</p>
    </>
  );
}

function TokenTable({ tokens }: TokensAnswer) {
  const { client, cache, announce } = usePage();
  const [revoking, setRevoking] = useState<Token | null>(null);
  const isLastAdmin = ({ role }: Token) => role === 'admin' && tokens.filter((one) => one.role === role).length === 1;
  async function revoke(token: Token): Promise<boolean> {
    await client.send(`/tokens/${encodeURIComponent(token.id)}`, { method: 'DELETE' }).catch((error: unknown) => {
      throw new Error(describeError(error));
    });
    announce(words.revoked({ key: nameOf(token) }));
    if (token.current) location.reload();
    else cache.reread('/tokens');
    return true;
  }
  return (
    <>
      <ScrollBox class="table-box" tabindex={0} role="region" aria-label={words.list}>
        <table class="numbers keys">
          <caption class="spoken">{texts.sections.keys.title}</caption>
          <thead>
            <tr>
              {Object.entries(words.columns).map(([name, heading]) => (
                <th key={name} scope="col" class="text">
                  {heading}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <tr key={token.id}>
                <th scope="row" class="text">
                  {token.label || words.noLabel}
                  {token.current ? <span class="badge">{words.yours}</span> : null}
                </th>
                <td class="text">{words.shortRoles[token.role]}</td>
                <td class="text">{formatMoment(Date.parse(token.createdAt))}</td>
                <td>
                  <button
                    type="button"
                    class="plain danger"
                    aria-label={words.revokeOne({ key: nameOf(token) })}
                    onClick={() => setRevoking(token)}
                  >
                    {words.revoke}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {revoking === null ? null : (
        <Dialog
          title={words.revokeQuestion({ key: nameOf(revoking) })}
          actions={[{ label: words.revoke, kind: 'danger', act: () => revoke(revoking) }]}
          cancel={texts.saving.cancel}
          onClose={() => setRevoking(null)}
        >
          <p>{consequence(revoking)}</p>
          {isLastAdmin(revoking) ? <p class="notice">{words.lastAdmin}</p> : null}
        </Dialog>
      )}
    </>
  );
}

function nameOf({ label, role }: Token): string {
  return label === '' ? words.unnamed[role] : words.named({ label });
}

function consequence({ role, current }: Token): string {
  if (current) return words.signsYouOut;
  return role === 'ingest' ? words.stopsBrowsers : words.stopsPeople;
}
