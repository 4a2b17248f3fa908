import { escapeXml } from './escape-xml.ts';
import { PACKAGE_FILES, type PackagesRecord } from './packages-record.ts';

/** The visitor's browser and system, as far as installation depends on them. */
export interface Visitor {
  readonly browser: 'chrome' | 'edge' | 'firefox' | 'other';
  readonly system: 'windows' | 'macos' | 'linux' | 'other';
}

/** From a User-Agent header, which is neither stored nor logged. Every browser built on Chromium also names Chrome. */
export function visitorOf(userAgent: string): Visitor {
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
  /** The xpi has Mozilla's signature. */
  readonly signed: boolean;
  /** Address at which browsers reach the collector. */
  readonly collector: string;
}

/** Instructions for the visitor's browser; those for the others are collapsed. Works without scripts. */
export function installPage(facts: InstallPageFacts): string {
  const { packaged, visitor, collector } = facts;
  const browsers: [Visitor['browser'], string, string][] = [
    ['chrome', 'Chrome and Chromium', chromium('Chrome', 'chrome', facts)],
    ['edge', 'Edge', chromium('Edge', 'edge', facts)],
    ['firefox', 'Firefox', firefox(facts)],
  ];
  const own = browsers.find(([browser]) => browser === visitor.browser);
  const others = browsers.filter((one) => one !== own);
  return page(`<h1>Lastbyte for this browser</h1>
<p class="lead">Measures how long you wait for the apps your organisation chose, and why.</p>
${own ? `<section class="card"><h2>${own[1]}</h2>\n${own[2]}</section>` : OTHER_BROWSER}
<h2>What it may measure</h2>
<p>Only these hosts, which include the collector's, unless you permit others:</p>
<ul>${packaged.hostPermissions.map((host) => `<li><code>${escapeXml(host)}</code></li>`).join('')}</ul>
<p>It sends times, host names and path templates to this collector. It never sends contents, headers, cookies, titles, or
anything after a <code>?</code>. Its toolbar button shows what was sent, and pauses it.</p>
${packaged.holdsKey ? '' : enrolment(collector)}
<h2>Other browsers</h2>
${others.map(([, name, text]) => `<details><summary>${name}</summary>\n${text}</details>`).join('\n')}
<footer>Version ${escapeXml(packaged.version)} · Chromium id <code>${packaged.chromiumId}</code></footer>`);
}

export function nothingPackagedPage(): string {
  return page(`<h1>Nothing to install yet</h1>
<p class="lead">The extension has not been packaged on this collector.</p>
<p>If you run it: choose the apps to measure, and package the extension for them. No restart is needed.</p>
<pre><code>lastbyte package --targets settings.json --collector https://this-collector.example.com</code></pre>`);
}

const OTHER_BROWSER = `<p class="note">This browser cannot be measured. Open this page in Chrome, Edge, Chromium or Firefox on a computer.</p>`;

function chromium(name: string, scheme: string, { visitor, collector }: InstallPageFacts): string {
  const managed =
    visitor.system === 'linux'
      ? `by policy`
      : `by policy, on managed machines: joined to a domain or enrolled in device management`;
  return `<p>${name} installs an organisation's own extension ${managed}. It does so automatically, at the next start at the
latest; <code>${scheme}://policy</code> shows whether yours has the policy. There is nothing to click.</p>
<p>Administrators: <code>lastbyte policy ${scheme} --collector ${escapeXml(collector)} --key KEY</code> prints the policy.</p>
<h2>To try it on one machine</h2>
<ol>
<li><a href="install/${PACKAGE_FILES.zip}" download>Download the package</a> and unpack it into a folder that stays.</li>
<li>Open <code>${scheme}://extensions</code> and switch on <b>Developer mode</b>.</li>
<li>Choose <b>Load unpacked</b>, and that folder.</li>
</ol>`;
}

function firefox({ signed, collector }: InstallPageFacts): string {
  const policy = `<p>Administrators: <code>lastbyte policy firefox --collector ${escapeXml(collector)} --key KEY</code> prints the policy.</p>`;
  if (signed) {
    return `<p><a class="button" href="install/${PACKAGE_FILES.xpi}">Add to Firefox</a></p>
<p>Firefox asks whether this site may install an add-on, and what the add-on may do. If your organisation manages Firefox, it
is installed automatically.</p>${policy}`;
  }
  return `<p class="note">This package is not signed by Mozilla. Only Firefox ESR accepts it, if an administrator's policy
allows that.</p>
${policy}
<h2>To try it until the next start</h2>
<ol>
<li><a href="install/${PACKAGE_FILES.xpi}" download>Download the package</a> by the link's menu, <b>Save Link As</b>.</li>
<li>Open <code>about:debugging#/runtime/this-firefox</code>.</li>
<li>Choose <b>Load Temporary Add-on</b>, and the file.</li>
</ol>`;
}

function enrolment(collector: string): string {
  return `<h2>Afterwards</h2>
<p>Without a policy the options page of the extension asks for two things: the collector,
<code>${escapeXml(collector)}</code>, and the key, which your administrator has.</p>`;
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Install Lastbyte</title>
<link rel="stylesheet" href="install/install.css">
<link rel="icon" href="data:,">
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}
