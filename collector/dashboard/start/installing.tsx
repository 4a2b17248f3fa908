import { START as words } from '../text/start.ts';
import { PolicyForm } from './policy-form.tsx';

interface InstallingProps {
  /** The key that was just made, or empty. */
  readonly made: string;
  /** Whether the packages lack hosts of the settings. */
  readonly isLacking?: boolean;
}

/** How the packages get into one browser, and into all. */
export function Installing({ made, isLacking = false }: InstallingProps) {
  return (
    <>
      {isLacking ? <p class="notice">{words.stillLacking}</p> : null}
      <h3>{words.oneBrowser}</h3>
      <p>
        {words.oneBrowserHow}{' '}
        <a href="install" target="_blank" rel="noopener">
          {words.toInstall}
        </a>
      </p>
      <h3>{words.allBrowsers}</h3>
      <p>{words.allBrowsersHow}</p>
      <PolicyForm made={made} />
    </>
  );
}
