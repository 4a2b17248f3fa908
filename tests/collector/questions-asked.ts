import { QUESTIONS } from '../../collector/questions/registry.ts';
import { REPORT_VIEWS } from '../../shared/settings/report-choices.ts';

/** Every question, in the ways that read differently. @param host one of the hosts, @param id of a sample */
export function everyQuestion(host: string, id: string): readonly string[] {
  return [
    'summary?by=target&source=page',
    'summary?by=host,type',
    'summary?by=host&exact=true',
    'summary?by=site,connection&exact=true',
    'summary?by=host&include=gapCuts,overheads,serverShares,slowGroup,abandoned,httpsCost',
    'summary?by=scheme,scenario&not.type=image',
    'summary?by=template&top=5',
    `histogram?by=connection&host=${host}`,
    'histogram?time=idle&by=type',
    'timeline?step=1d&by=target',
    'timeline?step=1d&by=site&exact=true&zone=Europe/Berlin',
    `timeline?step=1h&host=${host}`,
    'timeline?step=1d&time=idle',
    'timeline?step=30d&by=type',
    'changes?',
    'compare?by=host',
    'findings?',
    'what-if?',
    'pages?',
    'site-hosts?',
    'evidence?by=host',
    'tls?',
    'probes?',
    'fleet?',
    'samples?limit=20',
    `page-view?id=${id}`,
    'report?format=json&view=summary&by=host',
    'report?format=json&view=pages',
    'report?format=json&view=scenarios',
    'report?format=json&view=phases',
    'report?format=json&view=ratios',
    'report?format=json&view=compare',
    'report?format=json&view=probes',
    'report?format=json&view=monthly',
    'report?format=json&view=monthly&zone=Europe/Berlin&hours=Mon-Fri%2008:00-18:00',
  ];
}

/** With a range, except the question that has none. @param from epoch ms, @param to too */
export function askedIn(question: string, from: number, to: number): string {
  if (question.startsWith('page-view')) return question;
  return `${question}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
}

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
