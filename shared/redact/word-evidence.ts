import { KNOWN_WORDS } from './known-words.ts';

/**
 * How likely a letter follows two others in a word, against chance: two bits for each of 27³ triples, `WEIGHTS` by rising
 * likelihood. Letter 0 is the beginning or the end of a word. A row per first letter; in it, nine characters per second
 * letter, each of which holds three third letters. Counted over 217,000 different words: English, software, names of routes,
 * and 20,000 each of seven more European languages.
 */
const TRIPLES: readonly string[] = [
  'O6qmqpuqRG5pV7N65BNTQwgw1wINWTgk0lgEJXRwR0lhEJpllvZuY0NXQw101wEMXBgl01gFMHAwU0VxIFZUEvUqEAMXAgE1dxEMXBw2w1qENXQ0Q0VgENXAxV0F0ENXU0V0Z1EHplVrc6tRNXShg01gEFVEQVVlxAMXBwQ0FgEJ3WiqtX1INTG0U01lIGVUhrMuUANXQwU0lQANXXwE0lhEK61ltpuVpdXUla5W1ZNXRwUwEzF',
  'O6qmqpuqRlYYi7E7AAqXZ11wphFYzDzQhngE9bVkYwpoE5pUR6k-VVpL5xlkrlBtHNgmktgA4CQw6g6gB0bIB7QvURsDQgQwE0B5XV2VkrlE5rZx5pakF6HBwd8ZQAp-dmSlPVFyAVVlEphAsDSxhsqgAgAAQQAEwA-rYyalqUJ4iSiVVPQEojSwUgqgBiq4BqEvFhcHUxQwVYE-Lli3kdBE9XVwmoZVU-XVgpkdhAsDEwV0BhH',
  'O6qmqpuqRq4Zl3F_kFtTAwxgkQI9uSQ546Qk9bgwQgkwApaql3V_WV9ngwi0k0A4jAgRk4gAsHAgAwRgApqYJ3lrUB0nAQBkY0A8LMwiwlwAcDAxAwAgI8jAwAsEVAuXkwAwJgAqqVV7161l8Bgglm6hIwAAAQMQwAcDAxAwBwE13RhQkHhE9TRhhg5hIVp517Q_UF8DAwAgAAAsDCwBgkgA0SRgMoOUU5WJhmYrVRsDAwgQSyG',
  'O6qmqpuqRioUU7Y_YB-qgwoo4gIsjDwk0VwQ9rzhmkpEg5ZUkrY-EA6qow6kpQA4DCwossiA9HUxqkrhFtbkUr4qUBoHQzB8NkB6XVhmkelFsHAwAwU0U-rEhosMEk8GkwCwnoQlZVQ_Y5pA4VBiks6xMgBAABAAwAcTAwUwBgI1WRhQYaZA4DAwl0sgUaWQg-Y_EB-LgwYYrAA4-BwSgoQA4xAgwoCMw2wEhlZWAA8DAgAgBhB',
  'O6qmqpuqR1tZhrE_ZJ9XYhl0lgI92TQk0ilk5nRwxg1RE2pkVrY-YR9qk1x0lxAoTAxZkkgE8TAgE4FgUd2oFrluYBtDUUAgKwA8DA4yw5xAoTUxggEkcsTQwU1EQQ8HE0QgNhA1lERuo6mV9SRhm01hEwAAAAAIwAsDAwQ0E0E5mWhVoXVE9HXhkopkIa2Ui6Z6VCtXAwkwhQAcDBwA0oQE0hggwUJKw1SUi3QqRAsDC0AwAyB',
  'O6qmqpuqRisUSqI_oAvXChl05wEoXDyl0nkE5HEwRglhA1dlS7J-VR9X01k0qxEtHZwmg5gEtDQkqx2gE1qpFrUvEBcHAhQwIwA5XVmm0rpE9bVx2kaVJ_XAgZ8IQA5uZlVkfVBypoR7Y61BsTWw047hAgAAQQAEwA-bZxakuZF5iVhVpPUA9XW0Vk_lFlrYmqI_KSsDAwQ0VQA9XSwl0tkEo3CwAsHgA6nVgqodWA4CAgFgAhC',
  'O6qmqpuqRm5Gx7B-oV9nQwgwggA6qjhnwJEA-rVlUosGAp6VlrQ-hR5XxwlgpgEsDCggggQAsDAgAypiEZ7cVzRqQhsLASBwEgAsrAgywlgAcDEwAwBwI8DgwU4XgA8LMgZgWkE1lIR2k6hQ8iQSk46gg0MAQQAUwAcDAwEwAgE13VhlpXVF5XVwlktWEQlKR7Q-AC8LAgg4gQA8PAwFopQA4mRgUY-UU0RAwhEoAAsDAwAgAxB',
  'O6qmqpuqRmYYk7E_ZG9DAhg4lgI8pChu4mgA-TGiV4plB6ZVRrk_GB-DQwhoxwgZHBwxQ1QEqHAkhkLRAuroBn0uoBsHAhJwEwAtDBghw1lAdXEwAwFgctDAgRkWQE8TAwI0JgA6aYk7k7pB8GIww41hAwAAgSAQwAcDAwB0BgE6WpSpZbZF4TDhAgpQIdXA06U6AF8DAwiwqQA8DCwBwkQI42xwUoGUk6QAAqMhBRtrqwA4q2B',
  'O6qmqpuqRmplh7Y6pFcDAgiwwgAsRLhg4hQo6XQwkwxgEpqUhrU-VR8CQgy0pwA8TAgQglgA8LCwYwVgAqroF7puYBcGQRBwEwBsLBgiwpgAuHU1U0a1ItXUwYkagAtXV0lgawEmqlV7462A8CBig4xwAwAAAwAQyAtXVwU0KkF5nRhUYDVE6XW1pUelFampx_I_VE8jAwYwQAAdXCwF0RgE5mRgdcWUk2dYQpMuEQ4DAwAgCxB',
  'O6qmqpuqR2oIg_EvIAqXUw1klwU8TDyQwagI8LEwVkphEhZphnE-aDpXwwlgXgM8XLhnkqxAtDCwSwixA0XVwGlZEApOpTroOZC9HWmVkblBtbW11kaUJuDAwZ8VgAprtmWlbYBglEAnEpkA9TSg1svgAQAAAEAAwA9rUyp0qVE53WmZpfQA9TWwVgqlNhYYhfI_EBsDAwRwVQA8DJwBwkgI9XUwYoXhQ8WEQVUVgAcDAwEgAQD',
  'O6qmqpuqRq9airJ5pF9DAgwgkQE8SDywgWgI5HQyUYupB41RlWQuhB1XYqkUeVA4DFohYcQCsDAgVwWxE6puJ7ZrZC8H0TVkJnB5bXglUeFA-LIwQoKYE-LAQEsIgI6bZmYUuGB3mKxjU50I8HJQoUrhBwAAQwAUwA9XUxVkeUE1aVll0bVR6bS9EgqgAaeImrI-JQ4DAwYgAAAsDBzRgfQA5nRx5sbVk5WURaYbRBkDAwAQAQB',
  'O6qmqpuqR6YZV7Y7kFsHEhgwggIsTDxqwZQIuT04BwyQA1ORhnU7VMsSQ0ywgyA5bAkBg0gAsHAkFwphFlbZF7YqFAoHgUAgEwAYDB1hgUhAcDAwAwAgI8LAgEkIgAcDEwAwAgIlWVCvs6lBsClwwwywAQAAQQAUwAcDAwAwAwI5mWhlYXVB5DVxRkpkEiVah7M-RBsDAwUwAQAsLBwRkggE5mRgVcWUk5ZkY6UpRAsDAwAgAxJ',
  'O6qmqpuqRqoZhLI_pZsHQklwpxUsKDxl0kwE6XV1WktlB5qZlbU-ZV9bV1l4qlBtHBgR05lAcDAgAwVgAq6oJbVfEDsHRgBwJwA9XV1m0elI9XUxF0ZlM9HFxE0JkE8PFxAgJkEq1dVbpumJsXXwlkqlEgIAAAAAwA9TAwY4CgI5nVhVoHUE9XG4VkphFa7phfVvERtTQwZgUQAcTEwA4RQA0SgwIkBMw0VVQFEaRBtTVxZ0W2E',
  'O6qmqpuqRloZmnJ_UlsXAwxw5gE9-amt5mUg53Z1mkqlg1ZEVrU_RB8bUw14k1E4DggoQ0QAsHQgAwWgCorYFnVvUS4nQhBos0Buvggi4qlE9nRwR4ZkodXQwVwFgE9HIxRgOQExdVVnU-oBsHh0xw6gAwIAgwAQwAsjAwA0FgE1mZiVYXUE5XVxhoolZUqZU7UvQRsnJwkklHA8DBwFg0gA0xQg4YGQw5iYSiYvAAsDAyAQBxB',
  'O6qmqpuqR2pZh-I_oBsDAkww0wEsDDwg0mgI9XVxl0plE5qZlrV-VVsHAxwwlgB5DBggUtgAsDQgQwAgEp7oFbpfYScDAgBwIwA5DVlmkulEsTAwUwAgMsDQgA0BgAtDAwQwWgE2pUVqo7qEsCVh5w1wUQAAAAAAwAdDBwE0FkE5iRhVoHlA8DV0UksREaqkhvorFRsDQwQ0QgAsDCwAwogA8jgwA4CgQ6mViskaWQtDUxUgGxE',
  'O6qmqpuqRhsZSqI7kQuHQ8xh-kEsjHzUgqgEpbFwVkZxIhcpnrY-ZR5LxwUkqhE9Hawmg5gIsDBw7wphEp-YEnUuEBcDAhAgJQA5XF2VkulEtbVx10KoFuHVxdsJQE5qplWkfYFhdoj7I7EBpXmxlsrlJkAAQAAEwA9vZyekrVJ4jRxUpLQE9TS1V0bUFmpYgjJ_GAsDAwFgUYA6bVgnUdRB5jVwQQGEM9nRhdkYQAsTBwRxAQH',
  'O6qmqpuqRl4IlnJ_VJsHAmoy0wY6WWwq5qFEtSggAklQUoqEVnU6QBpHBw3grlU4jAwIo4QAsHAwR1pQMo7YF3p7URYHgRBgIgAsjMwikqCBcDAwAwAgI8nQpA0egg-XIwE4JgARVUh3o-lA9XVx105UEwAMAQAAwAYDAwAwAQA5nWiVUWlI5TGwR0ogIXqYV7E7AR8jAiSwhAAsbSwCg0gA02RgUY2UU1ppkpo7FQ8DAwAQBjB',
  'O6qmqpuqR1YkRnErUA9XA0kgpwM8SDiQwmwE5HEwTjUQA1ZURqGuUx5fkwl0qhE4DFgmg5gA9HUxm0qhE1d2AXWZEhtbUiW0J1B9XVlmkqlE0DAwSQKQE-XAg9sFgA8aYRBgK0w1l0VvculE4GRgio1QEwAAwQDUwA4nEgJQXQA0TBxk0GQA5TBwUkqhFMDAwAgAAA8DAwUkXUA9XXxSkpQA5nRxZsbVk5mVhqoqVR9DFwVgBhG',
  'O6qmqpuqR2op1rYvpFtDAwhwpgEsDDwl0VkE9TR0VktlAqqplrZuZBtbQ110q0EtXBwlkplEcDAgAwFwIeroJrpeYCsDABAwEwA9XlkmkulF8bQwQ0JgI9XVwQ0JlA9bUwUgZQA2qpZrpq6V8jWgkw6kAgQQAhAEwAsTBwBwFgI5jCxRoHVA9TW0VkplFW6p2vIeFRtDQ0QwUQAcDSwQwkgQ0SiwIomYQ1lUhZcKBAdHVxRwC2R',
  'O6qmqpuqR2ppl_Y_pUsXAwgwwwIcCDgQw1gA9Tg2Rw1hE5qZhrF_VVtHAwh01xEtTFgl05wA9XQxpwlhEqrsBr0aIScHARBwExA8HR0lwqlIsXAxA0W0M8TAwA0JgEsLAwA0FgE21lQ7Y61FsTBxgw0gEQRAQgAkwA8jVgQpFlA9TRwVkWhE9HRwVk4gEbmohuc5AA8nIwR0lQAtXEwA0QQA0ZgQLYGSQxkQRvEtQQ9DFwQgByE',
  'O6qmqpuqR2oYh7E_YRdXElww4gJoRXRgoZRE-rQwlxlgA1pERrU-VR8KBw15o0EcDElkg1QB5XQwp05hEpmoFr1qIBYDAQEgEgAsXgwy04SApXAxBgIUMsTQgw4ZgAtTUwAgJgE1mYSro6lU9WZg006yAwAAAgAAwAsTAwRwFwI1mVlVUWVEtDBwhkkgIeqUhrY6kAtDQwg0kQAsHFwAwgQA8RAQBqDEQwVEQlMlAA6XVxlkXyE',
  'O6qmqpuqRhoYl7E_JFqrVp5ouVEYiDzQkXQAtLZxRkpRE5aUkrQ-kBqH5hlkqSCtLfhmkqkBtDUk6g6hBpuUG7Y_ICcDA0AwUgA9bWnlkrlFtbZi1oLUA_XVhesZlBq-tyWVrVBxUEhnE_4E5fVgwsuREgAAAAAAwAu7YxmoqkF5nahlZfRF9XWwl0qlGRREgaA2AQtTAwRg0hA6fZmVpaaB4XQwRUSoQ-TFgm0JUAtTFwRgVlH',
  'O6qmqpuqR1oIh_E_UB9CA4gwowM6hChqo-og8DAopYmgA0ZEknA6AV8CQg24-aI4Lloio4gA8Lggl4ZwEp_YVnkvIB8HUSVkJ0B8DAxhw1gIsDQwA0AgE5ugoI0MDg8aEwBwFgA0mIi2h6hE4yAQrk2QA0AAQRAXwAtDQwE0FgA6jQXqoLFY8iAgA04UogKEg2gmkRoDAwQgAIIsqOwBoYIA4mRg0YGbU0iAwmUbCA9DBwUgBjG',
  'O6qmqpuqRZoai3I7UYtDAygw0gA8CDhgweiA5DhwhgoQIarNx2A6EB4NQwywpwA4LFwhgogAcDEwQwAAEQqYK3EvEBcHUiV0J1B6DCwhQtTE4HAwRgMQI9HAwE0IQA5XZg0UNVERSWBq01lA8KBgw06gAwDAQQAUwAsDQwQwBAE5nFhVYXVE4jDoEwpQAQgSgnI-AA8DAwwwQQA8DJwRwUTA4mdgU4P0Y8nIQm0ZgA8DAwQgBhO',
  'O6qmqpuqRmpYhuE_UQ__wwgwkwEpXXw00lkAvrowIk0gAl9URqB9QVqqwgow6wA4jNg1Q5QAsDAwAwiwEq6YhvleIg9LUiW0J1B_CBhxwZxEsTgwQwVcE-GAg4oEAA8XYQBgmwA1ZkAnI7YAsDEh1w1gAwAAQwAUwA8XEgNodQAoWCh0YbhA5HFklk5lEuqIQ6Y-AB4CQwIQAAA8rBwRwUQA4BBwQUFMw4tMg5EJAi8DAgQgDhG',
  'O6qmqpuqR2pJi7V6iBtLAggw0wIpCDTwwRQAtPBxSg4AApeVRmV-VRoCgwgg7xAtLNgq01SEoDAgWwVQIQKQEHUIEA8HQSRkJnB4DCkzwXUAsLQxx0KoErLVgq8aUAt6IlSkHVQyYoSnJ61EYDSgRknQEwAAQQAUwAtLFyFwakE4mRxVlbVEoDDwWknAIp6MSrI-EF8DAwi4oAAsTHgAw0AA8TQwmoGgQ5VEQdUVgO8DAwAQEQK',
  'O6qmqpuqR6oWhaE_YFtDAgggkwAsSDhzwRQI8HAwcgogA1dFhrU-UQsCQwww1SEsDFQRwkwA8DAwSwVgIsnYIn4mEAtLUyW0J1BtCBxhwpxIoDAwQwAAEuDAwk0EgAsXYwBwGAI0XYgrkpkA8Ghgwk1wAgAAQQAUwA9XExVwVkE0zDwAsHQA4DBQgQQBQWquiqU-WCcDAgQ4QQAcDAwAgQQA5mRgVsXUk2hIi-EVQAtDAwkwARF',
];
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** In bits: log2 of the likelihood in words × 27. */
const WEIGHTS: readonly number[] = [-6, -2.5, 0, 2];
const LETTERS = 27;
/** With two letters, three, or more. */
const EVIDENCE_OF_KNOWN_WORD: readonly number[] = [2, 5, 6];

/** A word of camelCase, or an abbreviation: `get`, `XML`, `Http`, `Request`. */
const CAMEL_WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;

function camelWords(letters: string): readonly string[] {
  return letters.match(CAMEL_WORD) ?? [];
}

/** Letters per camelCase word below which it is not camelCase. */
const MIN_MEAN_WORD = 3;
const MIN_MEAN_WORD_OF_MANY = 3.5;
const MANY_LETTERS = 16;

/** `kJtyBnxQw`: too many capitalised words for its length. */
export function changesCaseOften(letters: string): boolean {
  const words = camelWords(letters);
  const least = letters.length >= MANY_LETTERS ? MIN_MEAN_WORD_OF_MANY : MIN_MEAN_WORD;
  return words.length >= 3 && letters.length / words.length < least && /\p{Ll}/u.test(letters);
}

/**
 * Evidence in bits that letters are words and not drawn at random: positive for words, and more so the longer they are. Null
 * if a letter is not Latin, which no token contains.
 */
export function wordEvidence(letters: string): number | null {
  let sum = 0;
  for (const word of camelWords(letters)) {
    const plain = word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
    if (!/^[a-z]*$/.test(plain)) return null;
    if (plain.length < 2) continue;
    if (KNOWN_WORDS.has(plain)) {
      sum += EVIDENCE_OF_KNOWN_WORD[plain.length - 2] ?? 6;
      continue;
    }
    for (let at = 0; at < plain.length; at++) sum += weight(rank(plain, at - 1), rank(plain, at), rank(plain, at + 1));
  }
  return sum;
}

function weight(first: number, second: number, third: number): number {
  return WEIGHT_OF_TRIPLE[(first * LETTERS + second) * LETTERS + third] ?? 0;
}

const WEIGHT_OF_TRIPLE = Float32Array.from(
  [...TRIPLES.join('')].flatMap((character) => {
    const packed = DIGITS.indexOf(character);
    return [packed >> 4, packed >> 2, packed].map((bits) => WEIGHTS[bits & 3] ?? 0);
  }),
);

/** 1 for a to 26 for z; 0 outside the word. */
function rank(word: string, index: number): number {
  return index < 0 || index >= word.length ? 0 : word.charCodeAt(index) - 96;
}
