import { escapeXml } from './escape-xml.ts';
import { INSTALL_TEXTS, type InstallLanguage } from './install-texts.ts';
import { PACKAGE_FILES, type PackagesRecord } from './packages-record.ts';

/** The visitor's browser and system, as far as installation depends on them. */
export interface Visitor {
  readonly browser: 'chrome' | 'edge' | 'firefox' | 'other';
  readonly system: 'windows' | 'macos' | 'linux' | 'other';
}

/** From a User-Agent header, which is neither stored nor logged. Every browser built on Chromium also names Chrome. */
export function toVisitor(userAgent: string): Visitor {
  const is = (pattern: RegExp) => pattern.test(userAgent);
  const system = is(/Windows NT/) ? 'windows' : is(/Macintosh/) ? 'macos' : is(/Linux|X11/) ? 'linux' : 'other';
  if (is(/Android|iPhone|iPad|Mobile/)) return { browser: 'other', system: 'other' };
  if (is(/Firefox\//)) return { browser: 'firefox', system };
  if (is(/Edg\//)) return { browser: 'edge', system };
  return { browser: is(/Chrom(?:e|ium)\//) ? 'chrome' : 'other', system };
}

export interface InstallPageFacts {
  readonly packaged: PackagesRecord;
  readonly visitor: Visitor;
  readonly language: InstallLanguage;
  /** The xpi has Mozilla's signature. */
  readonly signed: boolean;
  /** Address at which browsers reach the collector. */
  readonly collector: string;
}

/** Instructions for the visitor's browser; those for the others are collapsed. Works without scripts. */
export function installPage(facts: InstallPageFacts): string {
  const { packaged, visitor, language } = facts;
  const texts = INSTALL_TEXTS[language];
  const browsers: [Visitor['browser'], string, string][] = [
    ['chrome', texts.chromeName, chromium('Chrome', 'chrome', facts)],
    ['edge', 'Edge', chromium('Edge', 'edge', facts)],
    ['firefox', 'Firefox', firefox(facts)],
  ];
  const own = browsers.find(([browser]) => browser === visitor.browser);
  const others = browsers.filter((one) => one !== own);
  return page(
    language,
    `<h1>${texts.heading}</h1>
<p class="lead">${texts.lead}</p>
${own ? `<section class="card"><h2>${own[1]}</h2>\n${own[2]}</section>` : `<p class="note">${texts.otherBrowser}</p>`}
<h2>${texts.mayMeasure}</h2>
<p>${texts.onlyTheseHosts}</p>
<ul>${packaged.hostPermissions.map((host) => `<li><code>${escapeXml(host)}</code></li>`).join('')}</ul>
<p>${texts.sends}</p>
<h2>${texts.otherBrowsers}</h2>
${others.map(([, name, text]) => `<details><summary>${name}</summary>\n${text}</details>`).join('\n')}`,
    texts.version({ version: escapeXml(packaged.version), id: packaged.chromiumId }),
  );
}

export function nothingPackagedPage(language: InstallLanguage): string {
  const { heading, lead, how } = INSTALL_TEXTS[language].nothing;
  return page(language, `<h1>${heading}</h1>\n<p class="lead">${lead}</p>\n<p>${how}</p>`);
}

function chromium(name: string, scheme: string, facts: InstallPageFacts): string {
  const { visitor, language } = facts;
  const texts = INSTALL_TEXTS[language];
  return `<p>${texts.chromium.byPolicy({ name, scheme, needsManagement: visitor.system !== 'linux' })}</p>
<p>${texts.administrators}</p>
<h2>${texts.tryIt}</h2>
${steps(texts.chromium.steps({ file: `install/${PACKAGE_FILES.zip}`, scheme }), facts, facts.packaged.collector !== null)}`;
}

function firefox(facts: InstallPageFacts): string {
  const texts = INSTALL_TEXTS[facts.language];
  const file = `install/${PACKAGE_FILES.xpi}`;
  // The package knows it as the address of its updates, for which Firefox demands https.
  const isFilledIn = facts.packaged.collector?.startsWith('https:') ?? false;
  if (facts.signed) {
    const { add, asks } = texts.firefox;
    return `<p>${add(file)}</p>
<p>${asks}</p>
${facts.packaged.holdsKey ? '' : steps([], facts, isFilledIn)}
<p>${texts.administrators}</p>`;
  }
  return `<p class="note">${texts.firefox.unsigned}</p>
<p>${texts.administrators}</p>
<h2>${texts.firefox.tryUntilRestart}</h2>
${steps(texts.firefox.steps(file), facts, isFilledIn)}`;
}

/** How to install it, and how to enrol it unless the package does that. `isFilledIn`: the collector's address is. */
function steps(
  install: readonly string[],
  { packaged, language, collector }: InstallPageFacts,
  isFilledIn: boolean,
): string {
  const enrol = INSTALL_TEXTS[language].enrol({ collector: escapeXml(collector), isFilledIn });
  const all = packaged.holdsKey ? install : [...install, ...enrol];
  return `<ol>\n${all.map((step) => `<li>${step}</li>`).join('\n')}\n</ol>`;
}

function page(language: InstallLanguage, content: string, version = ''): string {
  const { title, toDashboard, otherLanguage } = INSTALL_TEXTS[language];
  const { lang, name } = otherLanguage;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="install/install.css">
<link rel="icon" href="data:,">
</head>
<body>
<main>
${content}
<footer>
${version === '' ? '' : `<p>${version}</p>`}
<p><a href="./">${toDashboard}</a> · <a href="install?lang=${lang}" lang="${lang}">${name}</a></p>
</footer>
</main>
</body>
</html>
`;
}
