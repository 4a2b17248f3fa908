/**
 * Letters around a number that form a word. A list, since a number plate (`bd51smr`) has the same shape: anything missing
 * becomes `{token}`, unless an admin's rule keeps it.
 */
export const NUMERONYMS: ReadonlySet<string> = new Set([
  ...[
    'a11y',
    'c14n',
    'd3js',
    'e2e',
    'g11n',
    'h2o',
    'i18n',
    'k8s',
    'l10n',
    'm17n',
    'n11n',
    'o11y',
    'p13n',
    't9n',
    'v8n',
  ],
  ...['b2b', 'b2c', 'b2e', 'b2g', 'c2c', 'm2m', 'n8n', 'o2c', 'p2p', 's2p', 's2s', 'x3d', 'y2k'],
  ...['s4hana', 's3api', 'g2o', 'r2dbc', 'h2db', 'db2admin', 'web3js', 'u2f', 'f2fs', 'k3s', 'x11vnc', 'id3tag'],
]);

/**
 * Words of seven letters or more with unusual letter pairs, and names of software. An admin's rule can keep words that
 * are missing here.
 */
export const ABBREVIATIONS: ReadonlySet<string> = new Set([
  ...['ajaxproxy', 'gcpauth', 'graphql', 'htmlcss', 'httpsproxy', 'jdbcpool', 'jsonrpc', 'jwtauth', 'keyboard'],
  ...['keydown', 'mathjax', 'mysqldb', 'mysqldump', 'phpmyadmin', 'quickjs', 'restxml', 'rhythms', 'sapbcgui'],
  ...[
    'soapxml',
    'sqljdbc',
    'throughput',
    'webdynpro',
    'webhook',
    'webhooks',
    'wmtsproxy',
    'workflow',
    'workflows',
    'xlsxexport',
  ],
  ...['xmlhttp', 'xmlproxy'],
]);
