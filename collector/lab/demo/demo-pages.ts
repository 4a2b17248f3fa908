/** The pages of the demo's target apps: the HTML, and the scripts and styles it loads. */

/** Images per page view, never cached, so that every view measures the network. */
const PHOTOS_PER_PAGE = 2;
/** Successful calls per page view to the app's own API. */
const CALLS_PER_PAGE = 3;

/**
 * An order, with a cacheable style sheet, script, font and logo, with photos and calls that are not cacheable, and with
 * third-party resources: some expose their timing, one hides it.
 */
export function orderPage(title: string, order: string, thirdParty: string): string {
  const photos = Array.from({ length: PHOTOS_PER_PAGE }, (_, index) => {
    return `<img src="/photos/${order}-${index}.png" alt="Photo ${index + 1}" width="120" height="80">`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Order ${order}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/app.css">
<script src="/assets/app.js" defer></script>
<script src="${thirdParty}/open/widget.js" defer></script>
</head>
<body data-third-party="${thirdParty}" data-order="${order}">
<img src="/assets/logo.png" alt="" width="64" height="64">
<h1>${title}</h1>
<p class="mark">A</p>
<p>Order ${order}</p>
<p>${photos.join('\n')}</p>
<p><img src="${thirdParty}/open/map.png" alt="Map" width="120" height="80">
<img src="${thirdParty}/hidden/advert.png" alt="Advertisement" width="120" height="80"></p>
<button id="refresh">Refresh</button>
</body>
</html>
`;
}

export const STYLE = `@font-face { font-family: LastbyteDemo; src: url(/assets/demo.ttf); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b2733; }
h1 { font-size: 1.25rem; }
.mark { font: 2rem LastbyteDemo; color: #0b6e99; }
`;

/** \`window.demo\`, which the demo awaits, settles when the page is done. Failing calls show what statistics omit. */
export const SCRIPT = `'use strict';
const { order, thirdParty } = document.body.dataset;
const call = (url) => fetch(url, { cache: 'no-store' }).then((answer) => answer.text());
const calls = () => Promise.all([...Array(${CALLS_PER_PAGE}).keys()].map((part) => call('/api/orders/' + order + '/lines/' + part)));
const refresh = document.getElementById('refresh');
window.demo = (async () => {
  await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  await calls();
  await Promise.all([call('/api/orders/' + order + '/missing'), call('/api/admin')]);
  for (const name of ['rates', 'news']) await call(thirdParty + '/open/' + name + '.json');
  await document.fonts.ready;
})();
refresh.addEventListener('click', () => {
  window.demo = calls().then(() => { refresh.textContent = 'Refreshed'; });
});
`;

export const WIDGET = `document.body.insertAdjacentHTML('beforeend', '<p>Rates by the third party</p>');
`;
