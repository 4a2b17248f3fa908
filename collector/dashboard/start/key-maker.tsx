import { usePage } from '../app/page-context.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { START as words } from '../text/start.ts';
import { ActionForm } from './action-form.tsx';

interface KeyMakerProps {
  /** The key that was just made; empty if none was, or if the page has been loaded since. */
  readonly made: string;
  readonly isFirst: boolean;
  readonly isNext: boolean;
  setMade(token: string): void;
}

/** For a field that replaces the button that had the focus. */
const focus = (field: HTMLInputElement | null) => field?.focus();

/** Makes a key for browsers and shows it for as long as the page is open: nobody can read it later. */
export function KeyMaker({ made, isFirst, isNext, setMade }: KeyMakerProps) {
  const { client, cache } = usePage();
  async function make(): Promise<void> {
    const wanted = { role: 'ingest', label: words.keyLabel };
    setMade((await client.post<{ readonly token: string }>('/tokens', wanted)).token);
    cache.reread('/tokens');
  }
  if (made === '')
    return <ActionForm button={isFirst ? words.makeKey : words.makeAnother} isNext={isNext} act={make} />;
  return (
    <>
      <div class="token-line">
        <input ref={focus} id="start-key" class="token" readonly aria-label={words.key} value={made} />
        <CopyButton text={() => made} />
      </div>
      <p class="quiet small">{words.shownOnce}</p>
    </>
  );
}
