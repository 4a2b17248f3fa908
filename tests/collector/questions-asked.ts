import { QUESTIONS } from '../../collector/questions/registry.ts';
import { REPORT_VIEWS } from '../../shared/settings/report-choices.ts';

/**
 * Every question that has an address, and every view of reports, through which the others are asked.
 * @param asked addresses below `/api/v1/`, with parameters
 * @returns those that are not among them
 */
export function questionsNotAsked(asked: readonly string[]): string[] {
  const addresses = QUESTIONS.flatMap(({ address }) => (address === null ? [] : [address.replace('/api/v1/', '')]));
  const views = REPORT_VIEWS.map((view) => `view=${view}`);
  const words = new Set(asked.flatMap((question) => question.split(/[?&]/)));
  return [...addresses, ...views].filter((one) => !words.has(one));
}
