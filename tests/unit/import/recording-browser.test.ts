import { expect, test } from 'vitest';
import { recordingBrowser } from '../../../collector/exchange/import/recording-browser.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';
const NOTHING = ['other', ''];

test.each([
  [CHROME, ['chromium', '128.0.0.0']],
  [`${CHROME} Edg/128.0.2739.42`, ['chromium', '128.0.0.0']],
  [CHROME.replace('Chrome/', 'HeadlessChrome/'), ['chromium', '128.0.0.0']],
  [`${CHROME} Edge/18.17763`, ['other', '18.17763']],
  ['Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0', ['firefox', '128.0']],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko', ['ie', '11.0']],
  ['Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.0; Trident/4.0)', ['ie', '8.0']],
  ['Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; WOW64; Trident/5.0; SLCC2)', ['ie', '9.0']],
  ['Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; Trident/4.0)', ['ie', '8.0']],
  ['Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Trident/7.0; .NET4.0E)', ['ie', '11.0']],
  ['Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)', ['ie', '10.0']],
  ['Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; SV1)', ['ie', '6.0']],
  ['Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.14', ['other', '12.14']],
  ['Opera/9.25 (Windows NT 6.0; U; en)', ['other', '9.25']],
  ['Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; en) Opera 8.50', ['other', '8.50']],
  ['Mozilla/5.0 (Windows NT 5.1; U; en; rv:1.8.1) Gecko/20061208 Firefox/2.0.0 Opera 9.50', ['other', '9.50']],
  [`${CHROME} OPR/114.0.0.0`, ['chromium', '128.0.0.0']],
  [IPHONE, ['safari', '17.4']],
  [IPHONE.replace('Version/17.4', 'CriOS/128.0'), ['safari', '']],
  [CHROME.replace('Chrome/128.0.0.0 Safari/537.36', 'Version/17.1 Safari/605.1.15'), ['safari', '17.1']],
  ['k6/0.49.0 (https://k6.io/)', NOTHING],
  ['', NOTHING],
])('a proxy’s file tells the browser by the user agent %j', (userAgent, expected) => {
  const { browser, version } = recordingBrowser({}, { name: 'Charles Proxy', version: '4.6' }, userAgent);
  expect([browser, version]).toEqual(expected);
});

test.each([
  // What the file names.
  [
    { name: 'Internet Explorer', version: '11.0.9600.18315' },
    'Internet Explorer Network Inspector',
    '',
    'ie 11.0.9600.18315',
  ],
  [{ name: 'Microsoft Edge', version: '44.17763.1.0' }, 'F12 Developer Tools', '', 'other 44.17763.1.0'],
  [{ name: 'Microsoft Edge', version: '128.0' }, 'WebPagetest', '', 'chromium 128.0'],
  [{ name: 'Opera', version: '12.14' }, 'Opera Dragonfly', '', 'other 12.14'],
  [{ name: 'Opera', version: '12.18.1873' }, 'BrowserMob Proxy', '', 'other 12.18.1873'],
  [{ name: 'Opera', version: '15.0' }, 'BrowserMob Proxy', '', 'chromium 15.0'],
  [{ name: 'Opera', version: '114.0' }, 'BrowserMob Proxy', '', 'chromium 114.0'],
  [{ name: 'Opera' }, 'BrowserMob Proxy', 'Opera/9.80 (X11) Presto/2.12.388 Version/12.16', 'other 12.16'],
  [{ name: 'Edge' }, 'BrowserMob Proxy', `${CHROME} Edge/18.17763`, 'other 18.17763'],
  [{ name: 'Google Chrome', version: '47.0.2526.106' }, 'WebPagetest', '', 'chromium 47.0.2526.106'],
  [{ name: 'Nightly', version: '49.0.0.5992' }, 'WebPagetest', '', 'firefox 49.0.0.5992'],
  [{ name: 'webkit', version: '17.4' }, 'Playwright', CHROME, 'safari 17.4'],
  [{ name: 'Chrome' }, 'Browsertime', CHROME, 'chromium 128.0.0.0'],
  [{ name: 'Firefox', version: '3.6.6pre' }, 'Firebug', '', 'firefox 3.6.6'],
  // The developer tools that wrote it, which a user agent that they imitate does not outweigh.
  [{}, 'WebInspector', CHROME, 'chromium 128.0.0.0'],
  [{}, 'WebInspector', IPHONE, 'chromium '],
  [{}, 'WebInspector', '', 'chromium '],
  [{}, 'WebKit Web Inspector', IPHONE, 'safari 17.4'],
  [{ name: 'constructor', version: '1' }, '__proto__', '', 'other '],
])('%j, written by %s', (named, name, userAgent, expected) => {
  const { browser, version } = recordingBrowser(named, { name, version: '537.36' }, userAgent);
  expect(`${browser} ${version}`).toBe(expected);
});
