/**
 * Letters around a number that form a word. A list, since a number plate (`bd51smr`) has the same shape: anything missing
 * becomes `{token}`, unless an admin's rule keeps it.
 */
export const NUMERONYMS: ReadonlySet<string> = new Set(
  (
    'a11y c14n d3js e2e g11n h264 h265 h2o i18n k8s l10n m17n n11n o11y p13n t9n v8n a2a b2b b2c b2e b2g c2c m2m n8n o2c p2p s2p s2s ' +
    'x3d x509 y2k s3 s4hana s3api g2o r2dbc h2db db2admin web3js u2f f2fs k3s x11vnc id3tag'
  ).split(' '),
);

/** Common words and abbreviations whose letters say too little or are unusual. Admins' rules can keep other words. */
export const KNOWN_WORDS: ReadonlySet<string> = new Set(
  (
    'about acl ads ai ajax am any api app apps as asp aspnet at aws be beta bin blob bug buy by cache cart cc cf cfg cgi chat ci ' +
    'clear client cms copy cp crm cron css csv cube data db deep del dev dig dim disk dist dll dns doc docs dot dry due dump ' +
    'dynpro easy ec edge edit eur else email err error esm export faq few file fiori fix foo form ftp full gbp gdpr get go gui guest help ' +
    'hub id ids if im image img in inc index info init ip is it its job jsp keep key last left lib like line list live lo log ' +
    'login mail main map mass max mce me menu meta mime min misc mm ms mu my nav next new no nto of off ok on or org os out ' +
    'pdf php pi pic pin pki po pop pp pub push put qr quick raw ref rest rm row rpc rs rss rtc run safe sap sdk search sec self ' +
    'seo set sh skip slo sms so sql src srv ssl sso start stop sub swap sync sys tab tag task tax tcp temp test text tip tls to ' +
    'top try ts tv two txt type typo udp ui uk up upload uri url urls us usd user ux vat vehicle vehicles via view vm vpc vpn vs vti ' +
    'we web widget wiki wp ws xml xsd you zip ' +
    'analyze dnssec disqus ebay episode github gitlab goodbye hashtag healthz helpdesk jdbcpool jwtauth jwt keydown mathjax mysqldb mysqldump ' +
    'nginx phpmyadmin plugins quickjs readyz sapbcgui sonarqube sqljdbc taxonomy tbproxy throughput viewvc webdynpro whoami wmtsproxy'
  ).split(' '),
);
