/** The options of a report: on the command line, over HTTP and on a schedule. Separate from the schema, for the form. */
export const REPORT_VIEWS = [
  'monthly',
  'summary',
  'scenarios',
  'phases',
  'pages',
  'ratios',
  'probes',
  'compare',
] as const;
export const REPORT_PERIODS = ['month', 'week', 'day'] as const;
export const FORMATS = ['html', 'pdf', 'csv', 'json', 'md', 'text'] as const;
export const MAIL_SECURITY = ['starttls', 'implicit', 'none'] as const;
