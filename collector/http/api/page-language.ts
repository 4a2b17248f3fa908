import { LANGUAGES, type Language } from '../../analysis/text/language.ts';

const COOKIE = 'lastbyte-language';
const YEAR_S = 365 * 24 * 3600;

interface LanguageRequest {
  /** `?lang=` of the address. */
  readonly asked?: string | undefined;
  readonly cookie?: string | undefined;
  readonly acceptLanguage?: string | undefined;
}

/** The language of the page: the address decides, then what was chosen before, then what the browser prefers. */
export function pageLanguage({ asked, cookie = '', acceptLanguage = '' }: LanguageRequest): Language {
  const chosen = cookie.split(/; */).find((part) => part.startsWith(`${COOKIE}=`));
  return knownLanguage(asked) ?? knownLanguage(chosen?.slice(COOKIE.length + 1)) ?? preferred(acceptLanguage) ?? 'en';
}

/** Remembers the choice that `?lang=` names; null if it names no language. */
export function languageCookie(asked: string | undefined): string | null {
  const language = knownLanguage(asked);
  return language === null ? null : `${COOKIE}=${language}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax; HttpOnly`;
}

/** The language of an answer's tables and rules; English if the header prefers no known one. */
export function answerLanguage(acceptLanguage = ''): Language {
  return preferred(acceptLanguage) ?? 'en';
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-accept-language */
function preferred(header: string): Language | null {
  const ranges = header.split(',').map((range) => {
    const [tag = '', ...parameters] = range.trim().split(/\s*;\s*/);
    const weight = parameters.find((parameter) => /^q=/i.test(parameter));
    return { language: knownLanguage(tag.split('-')[0]?.toLowerCase()), weight: weight ? Number(weight.slice(2)) : 1 };
  });
  const known = ranges.filter(({ language, weight }) => language !== null && weight > 0);
  return known.sort((one, other) => other.weight - one.weight)[0]?.language ?? null;
}

function knownLanguage(tag: string | undefined): Language | null {
  return LANGUAGES.find((language) => language === tag) ?? null;
}
