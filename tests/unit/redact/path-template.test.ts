import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SEGMENTS, MAX_TEMPLATE_LENGTH, toTemplate } from '../../../shared/redact/path-template.ts';
import { validateTemplateRule } from '../../../shared/redact/template-rules.ts';
import { rounds } from '../../rounds.ts';

describe('toTemplate', () => {
  it.each([
    ['/', '/'],
    ['', '/'],
    ['/orders', '/orders'],
    ['/orders/', '/orders/'],
    ['//orders///items', '/orders/items'],
    ['/orders/4711/items/2', '/orders/{n}/items/{n}'],
    ['/report/2024-01-31', '/report/{n}-{n}-{n}'],
    ['/page12', '/page{n}'],
    ['/thumbs/100px', '/thumbs/{n}px'],
    ['/api/v1/i18n/a11y', '/api/v1/i18n/a11y'],
    ['/u/550e8400-e29b-41d4-a716-446655440000', '/u/{uuid}'],
    ['/u/{550e8400-e29b-41d4-a716-446655440000}.html', '/u/{uuid}.html'],
    ['/static/app.3f2a1b9c.js', '/static/app.{hash}.js'],
    ['/static/myApp.3f2a1b9c.css', '/static/myApp.{hash}.css'],
    ['/assets/index-B7xK2pQz.js', '/assets/index-{token}.js'],
    ['/song.mp3', '/song.mp3'],
    ['/fonts/inter.woff2', '/fonts/inter.woff2'],
    ['/sap(bD1kZSZjPTAwMQ==)/bc/bsp/shop/main.htm', '/sap({key})/bc/bsp/shop/main.htm'],
    ['/sap(bD1k/ZSZj)/bc', '/sap({key})/bc'],
    ['/sap(a(b)c)/bc', '/sap({key})/bc'],
    ['/sap(never/closed', '/sap({key})'],
    ["/odata/Products(ID=5,Name='x')/$count", '/odata/Products({key})/$count'],
    ['/sap/bc/ui5/~A1B2C3~/core.js', '/sap/bc/ui5/~{hash}~/core.js'],
    ['/shop;jsessionid=8A7F00B2/cart', '/shop/cart'],
    ['/webdynpro;sap-ext-sid=abc;sap-client=001/app', '/webdynpro/app'],
    ['/a;jsessionid=abc%2Fdef/x', '/a/x'],
    ['/sap;sap-ext-sid=AB%2Fsecretpart/x', '/sap/x'],
    ['/a%3Bjsessionid=abc%2Fdef/x', '/a/x'],
    ['/a;x=(abc/def)/b', '/a/b'],
    ['/sap(a;b=c)/bc', '/sap({key})/bc'],
    ['/sap(a%3Bb)/bc', '/sap({key})/bc'],
    ['/sap%28a;b%2Fc%29/bc', '/sap({key})/bc'],
    ['/u/jane.doe@example.com', '/u/{email}'],
    ['/u/jane%40example.com', '/u/{email}'],
    ['/u/jane%2540example.com', '/u/{text}'],
    ['/x/name=value', '/x/{text}'],
    ['/x/name%3Dvalue', '/x/{text}'],
    ['/search/John%20Smith', '/search/{text}'],
    ['/a%2Fb', '/a/b'],
    ['/broken%', '/{text}'],
    ['/größe/r%C3%A9sum%C3%A9', '/größe/résumé'],
    ['/re%CC%81sume%CC%81', '/r\u00e9sum\u00e9'],
    ['/orders?customer=4711#x', '/orders'],
    ['/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P', '/t/{token}'],
    ['/v/dQw4w9WgXcQ', '/v/{token}'],
    ['/v/kJ-tyBn_xQw', '/v/{token}'],
    ['/vehicle/bd51smr', '/vehicle/{token}'],
    ['/t/ab3xyzw', '/t/{token}'],
    ['/t/x7k', '/t/{token}'],
    ['/api/e2e/b2b/k8s/s4hana', '/api/e2e/b2b/k8s/s4hana'],
    ['/abc-mnop-xyz', '/{token}'],
    ['/reset/WXQK-ZPTV', '/reset/{token}'],
    ['/otp/ROEZ-SMBM-GYQJ', '/otp/{token}'],
    ['/join/mpjb-uvoa-qfhc', '/join/{token}'],
    ['/slack/xoxb-123-abc', '/slack/{token}'],
    ['/gallery/summer/NIDo3SoXf9OvQGggY_Tmpg', '/gallery/summer/{token}'],
    ['/people/zebedee-quintavalle', '/people/zebedee-quintavalle'],
    ['/api/v1beta2/s3Buckets', '/api/v1beta2/s{n}Buckets'],
    ['/browse/PAY-123', '/browse/PAY-{n}'],
    ['/locale/en-us/pt_BR', '/locale/en-us/pt_BR'],
    ['/README.md', '/README.md'],
    ['/get-page-url/add-user-tag', '/get-page-url/add-user-tag'],
    ['/t/abcdefabcdefabcdef', '/t/{hash}'],
    ['/t/DEADBEEF', '/t/{hash}'],
    ['/effaced', '/effaced'],
    ['/t/qxkvjwz', '/t/{token}'],
    ['/u/jane.doe(at)example.com', '/u/{email}'],
    ['/u/jane.doe%28AT%29example.com/x', '/u/{email}/x'],
    ['/u/jane_doe_at_example_com', '/u/{email}'],
    ['/u/jane.doe-at-example.org', '/u/{email}'],
    ['/icon_at_top.js', '/icon_at_top.js'],
    ['/getXmlHttpRequest', '/getXmlHttpRequest'],
    ['/getCustomerOrderList', '/getCustomerOrderList'],
    ['/PurchaseOrderConfirmationItems', '/PurchaseOrderConfirmationItems'],
    ['/blog/how-to-make-your-app-fast-in-ten-days', '/blog/{text}'],
    ['/.well-known/security.txt', '/.well-known/security.txt'],
    ['/healthz', '/healthz'],
    ['/readyz', '/readyz'],
    ['/jsp-bin/tcp-udp', '/jsp-bin/tcp-udp'],
    ['/rates/eur-usd', '/rates/eur-usd'],
    ['/video/h264/x509', '/video/h264/x509'],
    ['/gitlab/nginx_status', '/gitlab/nginx_status'],
    ['/favicon.ico', '/favicon.ico'],
  ])('%s → %s', (path, template) => {
    expect(toTemplate(path)).toBe(template);
  });

  it('is bounded in length and segments', () => {
    const deep = toTemplate('/a'.repeat(50));
    expect(MAX_SEGMENTS).toBe(12);
    expect(toTemplate('/a'.repeat(12))).toBe('/a'.repeat(12));
    expect(deep).toBe(`${'/a'.repeat(MAX_SEGMENTS)}/{rest}`);
    const long = toTemplate('/customers-of-northern-europe'.repeat(11));
    expect(long.length).toBeLessThanOrEqual(MAX_TEMPLATE_LENGTH);
    expect(long.endsWith('/{rest}')).toBe(true);
    expect(toTemplate(`/${'x'.repeat(1_000_000)}`)).toBe('/{token}/{rest}');
    // Quadratic once: every position began a search for "(at)" to the end of the segment.
    expect(toTemplate(`/${'(a'.repeat(2000)}`)).toBe('/({key})');
  });
});

describe('SAP’s service tree', () => {
  const mangled = '/sap(bD1lbiZjPTAwMA==)/bc/bsp/sap';

  it('keeps applications and pages apart', () => {
    const pages = [
      'it03/text1KB.htm',
      'it03/text2KB.htm',
      'it03/text4KB.htm',
      'it05/image1kb.gif',
      'it05/image2kb.gif',
    ];
    const templates = pages.map((page) => toTemplate(`${mangled}/${page}`));
    expect(templates).toEqual(pages.map((page) => `/sap({key})/bc/bsp/sap/${page}`));
    for (const template of templates) expect(toTemplate(template)).toBe(template);
  });

  it.each([
    '/sap/bc/bsp/it03/page.htm',
    '/sap/bc/bsp/sap/text1kb.htm',
    '/sap/bc/bsp/sap/it03/mimes/image4kb.gif',
    '/sap/bc/webdynpro/sap/zhr_time02',
    '/sap/bc/ui5_ui5/ui2/ushell',
    '/sap/bc/ui5_ui5/sap/zfiori01/index.html',
    '/sap/opu/odata/sap/ZSALES02_SRV',
    '/sap/opu/odata/sap/ZMM_PO_SRV',
  ])('%s stays', (path) => {
    expect(toTemplate(path)).toBe(path);
  });

  it.each([
    ['/sap/opu/odata/sap/ZSALES02_SRV;v=2/Orders(4711)', '/sap/opu/odata/sap/ZSALES02_SRV/Orders({key})'],
    ['/sap/bc/bsp/sap/it03/page.htm/order12.pdf', '/sap/bc/bsp/sap/it03/page.htm/order{n}.pdf'],
    ['/sap/bc/bsp/sap/it03/mueller01', '/sap/bc/bsp/sap/it03/mueller{n}'],
    ['/sap/bc/bsp/sap/it03/order4711.htm', '/sap/bc/bsp/sap/it03/order{n}.htm'],
    ['/sap/bc/bsp/sap/it03/4711.htm', '/sap/bc/bsp/sap/it03/{n}.htm'],
    ['/sap/bc/zrest/user/mueller01', '/sap/bc/zrest/user/mueller{n}'],
    ['/sap/bc/bsp/sap/abc123/x7k.htm', '/sap/bc/bsp/sap/{hash}/{token}.htm'],
    ['/sap/bc/bsp/sap/it03/qxkvjwz12.htm', '/sap/bc/bsp/sap/it03/{token}.htm'],
    ['/it03/text1kb.htm', '/it{n}/{token}.htm'],
    ['/shop/sap/bc/bsp/sap/it03', '/shop/sap/bc/bsp/sap/it{n}'],
  ])('%s → %s', (path, template) => {
    expect(toTemplate(path)).toBe(template);
    expect(toTemplate(template)).toBe(template);
  });

  it('folds ids wherever they stand in it', () => {
    const digits = fc.integer({ min: 1000, max: 2 ** 48 }).map(String);
    const hex = fc.uint8Array({ minLength: 4, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    const base64url = fc
      .uint8Array({ minLength: 12, maxLength: 48 })
      .map((bytes) => Buffer.from(bytes).toString('base64url'));
    const id = fc.oneof(
      digits,
      hex.filter((text) => /\d/.test(text)),
      base64url,
      fc.uuid(),
    );
    fc.assert(
      fc.property(
        id,
        fc.constantFrom('', 'it03/', 'it03/mimes/', 'it03/page.htm/'),
        fc.constantFrom('', 'order_', 'it_'),
        fc.constantFrom('', '.htm', '.gif'),
        (text, folder, lead, end) => {
          const template = toTemplate(`${mangled}/${folder}${lead}${text}${end}`);
          expect(template).not.toContain(text);
          expect(toTemplate(template)).toBe(template);
        },
      ),
      { seed: 3, numRuns: rounds(500, 5000) },
    );
  });
});

describe("the admin's own rules", () => {
  const rules = [
    '/users/{user}/orders/*',
    '/tenants/{tenant}/**',
    '/2024/report',
    '/people/{person}/',
    '/cafe\u0301/{guest}',
  ];

  it.each([
    ['/users/jane/orders/17', '/users/{user}/orders/{n}'],
    ['/users/jane', '/users/jane'],
    ['/users/jane/orders/17/', '/users/{user}/orders/{n}/'],
    ['/Users/jane/ORDERS/17', '/users/{user}/orders/{n}'],
    ['/people/jane', '/people/{person}'],
    ['/people/jane/', '/people/{person}/'],
    ['/people/', '/people/'],
    ['/TENANTS/acme/', '/tenants/{tenant}/'],
    ['/cafe\u0301/jane', '/caf\u00e9/{guest}'],
    ['/tenants/acme/files/17', '/tenants/{tenant}/files/{n}'],
    ['/tenants/acme', '/tenants/{tenant}'],
    ['/2024/report', '/2024/report'],
    ['/2023/report', '/{n}/report'],
    ['/users/a%40b.example/orders/x;s=1', '/users/{user}/orders/x'],
  ])('%s → %s', (path, template) => {
    expect(toTemplate(path, rules)).toBe(template);
    expect(toTemplate(template, rules)).toBe(template);
  });

  it('are checked', () => {
    expect(rules.map(validateTemplateRule)).toEqual(rules.map(() => null));
    expect(validateTemplateRule('users')).toContain('start with /');
    expect(validateTemplateRule('/a/**/b')).toContain('final **');
    expect(validateTemplateRule('/a/b=c')).toContain('neither a word');
    expect(validateTemplateRule(`/${'a'.repeat(300)}`)).toContain('longer');
  });
});

const RULES = ['/users/{user}/**', '/{a}/*/{n}', '/x/{text}'];
const word = fc.constantFrom(
  'orders',
  'app',
  'sap',
  'bc',
  'bsp',
  'it03',
  'v2',
  'getList',
  'index.html',
  '{n}',
  '{token}',
  '{rest}',
  '(',
  ')',
);
const piece = fc.oneof(
  word,
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.stringMatching(/^[A-Za-z0-9_.~-]{1,40}$/),
  fc.uuid(),
  fc.nat().map(String),
  fc.emailAddress(),
  fc.base64String({ maxLength: 60 }),
);
const path = fc
  .array(piece, { maxLength: 20 })
  .chain((pieces) => fc.constantFrom('/', '/', '', '-', '%2F', '.', ';').map((joint) => `/${pieces.join(joint)}`));

/** What programmers call things, in two languages. */
const NAMES = (
  'webdynpro customers confirmation invoices shipments dashboard stylesheet javascript thumbnails jquery bootstrap ' +
  'graphql websocket websockets purchaseOrders attachments settlement lieferschein rechnungen vertragspartner ' +
  'kundenstammdaten auftragsbestaetigung zwischenrechnung rechtsschutz materialstamm werkzeuge einstellungen ' +
  'authentication oauth authorize workflow workflows throughput background download downloads subscription ' +
  'checkbox highlight copyright keyboard polygon layouts webhooks webpack sandbox metadata batchImport'
).split(' ');

describe('properties', () => {
  it('redact(redact(x)) = redact(x), with and without rules, and within bounds', () => {
    fc.assert(
      fc.property(fc.oneof(path, fc.webPath()), fc.boolean(), (input, ruled) => {
        const rules = ruled ? RULES : [];
        const once = toTemplate(input, rules);
        expect(toTemplate(once, rules)).toBe(once);
        expect(once.length).toBeLessThanOrEqual(MAX_TEMPLATE_LENGTH);
        expect(once).toMatch(/^\/[^?#=&;@%:,+\s]*$/u);
      }),
      { seed: 3, numRuns: rounds(1000, 20_000) },
    );
  });

  const encoded = (secret: string, way: number) =>
    [secret, encodeURIComponent(secret), encodeURIComponent(encodeURIComponent(secret))][way] ?? secret;

  it('no e-mail address and no name=value survives, however escaped and wherever it stands', () => {
    const pair = fc
      .tuple(fc.stringMatching(/^[a-z]{2,8}$/), fc.stringMatching(/^[a-z]{4,12}$/))
      .map((p) => p.join('='));
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), pair), fc.nat({ max: 2 }), word, (secret, way, beside) => {
        const inputs = [
          `/${beside}/${encoded(secret, way)}/x`,
          `/${encoded(secret, way)}`,
          `/a;${secret}/b`,
          `/a(${secret})`,
        ];
        for (const input of inputs) {
          const [left = '', right = ''] = secret.split(/[@=]/);
          const template = toTemplate(input);
          expect(template).not.toMatch(/[@=]/);
          expect(template.split('/')).not.toContain(secret);
          // Neither half may come through as a segment of its own.
          for (const half of [left, right]) {
            if (half.length >= 4 && !beside.includes(half)) expect(template.split('/')).not.toContain(half);
          }
        }
      }),
      { seed: 3, numRuns: rounds(300, 3000) },
    );
  });

  it('nothing of a matrix parameter survives, however it is escaped', () => {
    const base64 = fc.uint8Array({ minLength: 1, maxLength: 48 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    const letters = fc.stringMatching(/^[a-z]{2,8}(\/[a-z]{2,8}){0,3}$/);
    fc.assert(
      fc.property(
        fc.oneof(base64, letters),
        fc.constantFrom(';', '%3B', '%3b', '%253B'),
        fc.constantFrom(1, 2),
        (secret, mark, way) => {
          const template = toTemplate(`/a${mark}x=${encoded(secret, way)}/b`);
          expect(template).toBe('/a/b');
        },
      ),
      { seed: 3, numRuns: rounds(300, 3000) },
    );
  });

  it('words stay', () => {
    for (const name of NAMES) expect(toTemplate(`/${name}`)).toBe(`/${name}`);
  });

  it('no token survives: hexadecimal, base64url, digits, JWT', () => {
    const base64url = fc
      .uint8Array({ minLength: 16, maxLength: 48 })
      .map((bytes) => Buffer.from(bytes).toString('base64url'));
    const hex = fc.uint8Array({ minLength: 4, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    const jwt = fc.tuple(base64url, base64url, base64url).map((parts) => parts.join('.'));
    const token = fc.oneof(base64url, hex, jwt, fc.uuid());
    fc.assert(
      fc.property(
        token,
        fc.constantFrom('', 'app-', 'session_'),
        fc.constantFrom('', '.js', '.html'),
        (text, lead, end) => {
          const template = toTemplate(`/a/${lead}${text}${end}/b`);
          expect(template).not.toContain(text);
          // No stretch of it either, longer than a word's beginning. One expect: thousands of them take seconds.
          const stretches = Array.from({ length: Math.max(0, text.length - 11) }, (_, from) =>
            text.slice(from, from + 12),
          );
          expect(stretches.filter((stretch) => template.includes(stretch))).toEqual([]);
        },
      ),
      { seed: 3, numRuns: rounds(500, 5000) },
    );
  });
});
