/** One path segment with a secret between a lead and an end that are none. */
export interface Kind {
  readonly lead?: string;
  readonly secret: (random: () => number) => string;
  readonly end?: string;
}

type Draw = Kind['secret'];

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const BASE32 = `${UPPER}234567`;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE62 = DIGITS + UPPER + LOWER;
const BASE64URL = `${UPPER}${LOWER}${DIGITS}-_`;
const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aiou';

const drawFrom =
  (alphabet: string, length: number): Draw =>
  (random) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');

const grouped =
  (alphabet: string, lengths: readonly number[], joint: string): Draw =>
  (random) =>
    lengths.map((length) => drawFrom(alphabet, length)(random)).join(joint);

const shaped =
  (shape: string): Draw =>
  (random) =>
    shape.replace(/[A9ahm]/g, (mark) => {
      const alphabets: Record<string, string> = { A: UPPER, 9: DIGITS, a: LOWER, h: HEX, m: BASE62 };
      const alphabet = alphabets[mark] ?? '';
      return alphabet[Math.floor(random() * alphabet.length)] ?? '';
    });

const inside = (lead: string, secret: Draw, end = ''): Kind => ({ lead, secret, end });

const syllables: Draw = (random) =>
  [CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS].map((letters) => drawFrom(letters, 1)(random)).join('');

/** By name: what a secret is and where it is seen. */
const DRAWN: Readonly<Record<string, Draw | Kind>> = {
  'one-time code 4-4': grouped(UPPER, [4, 4], '-'),
  'one-time code 4-4, lower case': grouped(LOWER, [4, 4], '-'),
  'one-time code 4.4': grouped(UPPER, [4, 4], '.'),
  'one-time code 4_4': grouped(UPPER, [4, 4], '_'),
  'one-time code 3-3': grouped(UPPER, [3, 3], '-'),
  'one-time code 3-3, lower case': grouped(LOWER, [3, 3], '-'),
  'one-time code 4-4-4': grouped(UPPER, [4, 4, 4], '-'),
  'one-time code 4-4-4, lower case': grouped(LOWER, [4, 4, 4], '-'),
  'one-time code 5-5': grouped(UPPER, [5, 5], '-'),
  'one-time code 5_5_5, lower case': grouped(LOWER, [5, 5, 5], '_'),
  'one-time code 2-2-2-2': grouped(UPPER, [2, 2, 2, 2], '-'),
  'one-time code of letters and digits 4-4': grouped(UPPER + DIGITS, [4, 4], '-'),
  'recovery code 5-5': grouped(LOWER + DIGITS, [5, 5], '-'),
  'code of letters after a word': inside('invite-', grouped(UPPER, [4, 4], '-')),
  'code of letters before an ending': inside('', grouped(LOWER, [4, 4], '-'), '.json'),
  'code of letters in a long name': inside('download-attachments-', grouped(UPPER, [4, 4], '-'), '-preview'),
  'capitals 6': drawFrom(UPPER, 6),
  'capitals 8': drawFrom(UPPER, 8),
  'letters 8': drawFrom(LOWER, 8),
  'letters 9': drawFrom(LOWER, 9),
  'letters 12': drawFrom(LOWER, 12),
  'letters 10 after a word': inside('order-', drawFrom(LOWER, 10)),
  'meeting 3-4-3': grouped(LOWER, [3, 4, 3], '-'),
  'meeting after a word': inside('meet-', grouped(LOWER, [3, 4, 3], '-')),
  'meeting 10 digits': drawFrom(DIGITS, 10),
  'Slack bot token': inside('xoxb-', shaped('999999999999-9999999999999-mmmmmmmmmmmmmmmmmmmmmmmm')),
  'Slack token of short groups': inside('xoxp-', shaped('999-aaa')),
  'GitHub token': inside('ghp_', drawFrom(BASE62, 36)),
  'GitLab token': inside('glpat-', drawFrom(BASE64URL, 20)),
  'Stripe id': inside('cus_', drawFrom(BASE62, 14)),
  'Stripe secret': inside('sk_live_', drawFrom(BASE62, 24)),
  'AWS key': inside('AKIA', drawFrom(BASE32, 16)),
  'SendGrid key': inside('SG.', shaped('mmmmmmmmmmmmmmmmmmmmmm.mmmmmmmmmmmmmmmmmmmm')),
  'Telegram bot': shaped('9999999999-mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm'),
  'base32 16': drawFrom(BASE32, 16),
  'base32 4-4-4-4': grouped(BASE32, [4, 4, 4, 4], '-'),
  'base32 in groups of 8': grouped(BASE32, [8, 8], '_'),
  'base58 22': drawFrom(BASE58, 22),
  'base58 in groups': grouped(BASE58, [6, 6], '-'),
  'base62 8': drawFrom(BASE62, 8),
  'base62 12': drawFrom(BASE62, 12),
  'base64url 11 (YouTube)': drawFrom(BASE64URL, 11),
  'base64url 16': drawFrom(BASE64URL, 16),
  'base64url 22': drawFrom(BASE64URL, 22),
  'base64url 32 after a word': inside('session_', drawFrom(BASE64URL, 32)),
  'base64url 24 before an ending': inside('', drawFrom(BASE64URL, 24), '.html'),
  'Google Drive id': inside('1', drawFrom(BASE64URL, 32)),
  'hex 8': drawFrom(HEX, 8),
  'hex 32': drawFrom(HEX, 32),
  'hex 4-4-4-4': grouped(HEX, [4, 4, 4, 4], '-'),
  'hex 2-2-2-2-2-2 (MAC)': grouped(HEX, [2, 2, 2, 2, 2, 2], '-'),
  UUID: shaped('hhhhhhhh-hhhh-4hhh-9hhh-hhhhhhhhhhhh'),
  'UUID in capitals': (random) => shaped('hhhhhhhh-hhhh-4hhh-9hhh-hhhhhhhhhhhh')(random).toUpperCase(),
  'UUID with _': shaped('hhhhhhhh_hhhh_4hhh_9hhh_hhhhhhhhhhhh'),
  'UUID without hyphens': drawFrom(HEX, 32),
  'nanoid 21': drawFrom(BASE64URL, 21),
  'nanoid 10, lower case and digits': drawFrom(LOWER + DIGITS, 10),
  ULID: drawFrom(CROCKFORD, 26),
  KSUID: drawFrom(BASE62, 27),
  xid: drawFrom('0123456789abcdefghijklmnopqrstuv', 20),
  CUID: inside('c', drawFrom(LOWER + DIGITS, 24)),
  TypeID: inside('user_', drawFrom(CROCKFORD.toLowerCase(), 26)),
  JWT: (random) => ['eyJhbGciOiJIUzI1NiJ9', drawFrom(BASE64URL, 60)(random), drawFrom(BASE64URL, 43)(random)].join('.'),
  'short JWT': (random) => ['eyJ0', drawFrom(BASE64URL, 12)(random), drawFrom(BASE64URL, 12)(random)].join('.'),
  'order number': inside('ORD-', shaped('99999-AAA')),
  'order number, mixed': shaped('AA-9999-AAAA'),
  'Amazon order': shaped('999-9999999-9999999'),
  'licence key 5×5': grouped(CROCKFORD, [5, 5, 5, 5, 5], '-'),
  'licence key 4×4, letters': grouped(UPPER, [4, 4, 4, 4], '-'),
  'capitals and a number': shaped('AAAA-9999'),
  'a number and letters': shaped('9999-aaaaaa'),
  'phone number': shaped('+49-30-99999999'),
  'phone number with dots': shaped('999.999.9999'),
  IBAN: inside('DE', drawFrom(DIGITS, 20)),
  'IBAN in groups': inside('GB', shaped('99-AAAA-9999-9999-9999-99')),
  BIC: shaped('AAAADE99AAA'),
  'e-mail': (random) =>
    `${drawFrom(LOWER, 6)(random)}.${drawFrom(LOWER, 7)(random)}@${drawFrom(LOWER, 8)(random)}.example`,
  'number plate': shaped('aa99aaa'),
  'tracking number': shaped('1Z999AA99999999999'),
  'booking reference': drawFrom(UPPER + DIGITS, 6),
  'pronounceable (proquint)': (random) => [0, 1, 2, 3].map(() => syllables(random)).join('-'),
  'Firebase push id': inside('-', drawFrom(BASE64URL, 19)),
  'MongoDB id': drawFrom(HEX, 24),
  'webpack hash': inside('main.', drawFrom(HEX, 8), '.js'),
  'Vite hash': inside('index-', drawFrom(BASE64URL, 8), '.js'),
  Ethereum: inside('0x', drawFrom(HEX, 40)),
};

export const KINDS: readonly (readonly [name: string, Kind])[] = Object.entries(DRAWN).map(([name, kind]) => [
  name,
  typeof kind === 'function' ? { secret: kind } : kind,
]);
