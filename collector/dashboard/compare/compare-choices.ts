import { type AskedDimension, isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import type { Fleet } from '../../questions/evidence.ts';
import { COMPARE } from '../text/compare.ts';
import type { Comparable } from './compare-question.ts';

type Key = { readonly [Name in AskedDimension]?: string | null };
type Version = Pick<Fleet['versions'][number], 'browser' | 'version' | 'extension'>;

/** Dimensions that only the fleet's versions have. */
type VersionDimension = Extract<Comparable, 'browserVersion' | 'extension'>;

/** Values of a dimension to choose from. */
export function cellChoices(cells: readonly Key[], dimension: AskedDimension): string[] {
  return cells.flatMap((cell) => {
    const value = isFewBrowsers(cell) ? null : cell[dimension];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

export function versionChoices(versions: readonly Version[], dimension: VersionDimension): string[] {
  return versions
    .filter((one) => !isFewBrowsers(one))
    .map(({ browser, version, extension }) => (dimension === 'extension' ? extension : `${browser} ${version}`));
}

/** Options of one side: the values in the range, and always the chosen one. */
export function sideOptions(
  choices: readonly string[],
  chosen: string | null,
  labelOf: (value: string) => string = (value) => value,
): (readonly [value: string, label: string])[] {
  const values = [...new Set([...(chosen === null ? [] : [chosen]), ...choices])];
  const options = values.map((value) => [value, labelOf(value)] as const);
  return [
    ['', values.length === 0 ? COMPARE.form.noValues : COMPARE.form.chooseOne],
    ...options.sort(([, one], [, other]) => (one < other ? -1 : 1)),
  ];
}
