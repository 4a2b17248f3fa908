/**
 * How common each pair of letters is in words, from 0 (never) through 6 (as common as chance) to 9 (at least eight times
 * that): round(log2(share × 676)) + 6. One row per first letter, one column per second. Counted over about 60,000 different
 * words: a sixth from English software, the rest from program messages in seven European languages.
 */
const COMMONNESS: readonly string[] = [
  '67892574636989173989763455',
  '74228130741722620654600041',
  '80618008707611821637600031',
  '83259232822434830654632031',
  '76887775847889464998665745',
  '62137630801511710544501031',
  '72138264601536520755610010',
  '72018100600534610536502021',
  '76878772265879864788470406',
  '50035210104102410030410002',
  '63127222513514720556431021',
  '84469544924844840367642062',
  '86138231702365770254611010',
  '84798695836546742489653055',
  '46776562535789672987765333',
  '82238434602722770856611021',
  '00000000000000000000700000',
  '96679563906676852678754054',
  '74838446816645773489734053',
  '93449446913544840877744065',
  '66657551624778460777243324',
  '72018110701222700332430010',
  '60016003500103400330100000',
  '41314000401010250015100010',
  '31424130302354260354101000',
  '61107000600000400003503014',
];

/** Mean commonness of the pairs inside words; null if there is no pair of ASCII letters. */
export function meanCommonness(words: readonly string[]): number | null {
  let sum = 0;
  let pairs = 0;
  for (const word of words.map((text) => text.toLowerCase())) {
    for (let index = 1; index < word.length; index++) {
      const value = COMMONNESS[rank(word, index - 1)]?.[rank(word, index)];
      if (value === undefined) continue;
      sum += Number(value);
      pairs++;
    }
  }
  return pairs === 0 ? null : sum / pairs;
}

function rank(word: string, index: number): number {
  return word.charCodeAt(index) - 'a'.charCodeAt(0);
}
