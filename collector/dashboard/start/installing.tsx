import { START as words } from '../text/start.ts';
import { PolicyForm } from './policy-form.tsx';

/** How the packages get into one browser, and into all. @param made the key that was just made, or empty */
export function Installing({ made }: { readonly made: string }) {
  return (
    <>
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
