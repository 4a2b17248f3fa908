import { useRef, useState } from 'preact/hooks';
import { describeError } from '../api/describe-error.ts';
import { usePage } from '../app/page-context.ts';
import { Box } from '../components/box.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Panel } from '../components/panel.tsx';
import { ScrollBox } from '../components/scroll-box.tsx';
import { formatMoment } from '../text/moment.ts';

type Role = 'ingest' | 'read' | 'admin';
interface Token {
  readonly id: string;
  readonly role: Role;
  readonly label: string;
  readonly createdAt: string;
  readonly current: boolean;
}

const LAST_ADMIN =
  'It is the last administrator key. A new one can then be created only on the server: lastbyte token create --role admin';

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  ingest: 'browsers: send samples only',
  read: 'viewer: read reports',
  admin: 'administrator: change settings and keys',
};

/** Keys of browsers and users. A new key is shown once; a revoked one is invalid at once. */
export function Keys() {
  const { client } = usePage();
  return (
    <Box title="Keys" intro="Tokens for browsers and users. Only their hashes are stored.">
      <CreateKey />
      <Panel<{ readonly tokens: readonly Token[] }> name="Keys" shape="chart" query={client.query('/tokens')}>
        {({ tokens }) => <TokenTable tokens={tokens} />}
      </Panel>
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
          <label for="key-role">Key for</label>
          <select id="key-role" value={role} onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}>
            {Object.entries(ROLE_WORDS).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="key-label">Label</label>
          <input id="key-label" ref={label} maxlength={100} placeholder="sales laptops" autocomplete="off" />
        </div>
        <button type="submit">Create key</button>
        <p class="problem" role="alert">
          {problem}
        </p>
      </form>
      {created === null ? null : (
        <Dialog title="Copy this key now" cancel="I have copied it" onClose={() => setCreated(null)}>
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
      <p>{`The key${label === '' ? '' : ` “${label}”`} is shown only once. If you lose it, create a new one.`}</p>
      <div class="token-line">
        <label for="new-token" class="spoken">
          Key
        </label>
        <input id="new-token" class="token" readonly value={token} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton aria-label="Copy the key" text={() => token} />
      </div>
      <p class="quiet small">
        {role === 'ingest'
          ? 'Enter it with this collector’s address in the policy that rolls out the extension, or in the extension’s options.'
          : 'Use it to sign in, or send it in the header authorization: Bearer.'}
      </p>
    </>
  );
}

function TokenTable({ tokens }: { readonly tokens: readonly Token[] }) {
  const { client, cache, announce } = usePage();
  const [revoking, setRevoking] = useState<Token | null>(null);
  const isLastAdmin = ({ role }: Token) => role === 'admin' && tokens.filter((one) => one.role === role).length === 1;
  async function revoke(token: Token): Promise<boolean> {
    await client.send(`/tokens/${encodeURIComponent(token.id)}`, { method: 'DELETE' }).catch((error: unknown) => {
      throw new Error(describeError(error));
    });
    announce(`${nameOf(token)} was revoked`);
    if (token.current) location.reload();
    else cache.reread('/tokens');
    return true;
  }
  return (
    <>
      <ScrollBox class="table-box" tabindex={0} role="region" aria-label="List of keys">
        <table class="numbers keys">
          <caption class="spoken">Keys</caption>
          <thead>
            <tr>
              {['Label', 'Role', 'Created'].map((words) => (
                <th key={words} scope="col" class="text">
                  {words}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <tr key={token.id}>
                <th scope="row" class="text">
                  {token.label || '(no label)'}
                  {token.current ? <span class="badge">yours</span> : null}
                </th>
                <td class="text">{token.role}</td>
                <td class="text">{formatMoment(Date.parse(token.createdAt))}</td>
                <td>
                  <button
                    type="button"
                    class="plain danger"
                    aria-label={`Revoke ${nameOf(token)}`}
                    onClick={() => setRevoking(token)}
                  >
                    Revoke
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {revoking === null ? null : (
        <Dialog
          title={`Revoke ${nameOf(revoking)}?`}
          actions={[{ label: 'Revoke', kind: 'danger', act: () => revoke(revoking) }]}
          onClose={() => setRevoking(null)}
        >
          <p>{consequence(revoking)}</p>
          {isLastAdmin(revoking) ? <p class="notice">{LAST_ADMIN}</p> : null}
        </Dialog>
      )}
    </>
  );
}

function nameOf({ label, role }: Token): string {
  return label === '' ? `the ${role} key` : `“${label}”`;
}

function consequence({ role, current }: Token): string {
  if (current) return 'You are signed in with this key and will be signed out at once.';
  return role === 'ingest'
    ? 'Browsers that use it can no longer send. They keep their samples for up to 7 days, until they get another key.'
    : 'Users of this key are signed out at once, and scripts that use it stop working.';
}
