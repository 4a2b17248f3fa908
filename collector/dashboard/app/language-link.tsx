import { formatViewState } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { usePage } from './page-context.ts';

/** The same view in the other language; the collector remembers the choice. */
export function LanguageLink() {
  const { state } = usePage();
  const query = new URLSearchParams(formatViewState(state));
  query.set('lang', t.app.otherLanguage.tag);
  return (
    <a class="plain small" href={`/?${query}`} lang={t.app.otherLanguage.tag} hreflang={t.app.otherLanguage.tag}>
      {t.app.otherLanguage.name}
    </a>
  );
}
