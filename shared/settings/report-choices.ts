/** What a scheduled report can be: the same words as on the command line. Apart from the schema, for the form. */
export const SCHEDULED_VIEWS = [
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
export const SCHEDULED_FORMATS = ['html', 'pdf', 'csv', 'json', 'md', 'text'] as const;
export const MAIL_SECURITY = ['starttls', 'implicit', 'none'] as const;
