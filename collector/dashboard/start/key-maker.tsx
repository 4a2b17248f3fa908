import { usePage } from '../app/page-context.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { START as words } from '../text/start.ts';
import { Problem, useAction } from './use-action.tsx';

interface KeyMakerProps {
  /** The key that was just made; empty if none was, or if the page has been loaded since. */
  readonly made: string;
  readonly isFirst: boolean;
  readonly isNext: boolean;
  setMade(token: string): void;
}

/** Makes a key for browsers and shows it for as long as the page is open: nobody can read it later. */
export function KeyMaker({ made, isFirst, isNext, setMade }: KeyMakerProps) {
  const { client, cache } = usePage();
  const { busy, error, run } = useAction();
  if (made !== '') {
    return (
      <>
        <div class="token-line">
          <input
            id="start-key"
            class="token"
            readonly
            aria-label={words.key}
            value={made}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={() => made} />
        </div>
        <p class="quiet small">{words.shownOnce}</p>
      </>
    );
  }
  async function make(): Promise<void> {
    const { token } = await client.post<{ readonly token: string }>('/tokens', {
      role: 'ingest',
      label: words.keyLabel,
    });
    setMade(token);
    cache.reread('/tokens');
  }
  return (
    <>
      <button type="button" class={isNext ? 'primary' : ''} disabled={busy} onClick={() => void run(make)}>
        {isFirst ? words.makeKey : words.makeAnother}
      </button>
      <Problem error={error} />
    </>
  );
}
