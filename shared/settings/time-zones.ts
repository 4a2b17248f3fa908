/** Lower case → IANA spelling. Built when first needed, which is never in a browser. */
let names: ReadonlyMap<string, string> | null = null;

/**
 * A time zone in IANA spelling, found case-insensitively; null if it does not exist. A closed list, so that caches by zone
 * stay small whatever clients send: `Intl.DateTimeFormat` accepts every spelling, and one costs 20 kB.
 */
export function zoneNamed(text: string): string | null {
  names ??= new Map(allNames().map((name) => [name.toLowerCase(), name]));
  return names.get(text.toLowerCase()) ?? null;
}

function allNames(): string[] {
  const aliases = Object.entries(ZONE_ALIASES).flatMap(([area, list]) =>
    list.split(' ').map((name) => (area === 'none' ? name : `${area}/${name}`)),
  );
  return [...Intl.supportedValuesOf('timeZone'), ...aliases];
}

/**
 * IANA time zone names that `Intl.supportedValuesOf('timeZone')` may omit: older and newer names of its zones, and those in
 * Etc. By area (`none` has no area), separated by spaces. https://data.iana.org/time-zones/tzdb/backward (2025b)
 */
const ZONE_ALIASES: Readonly<Record<string, string>> = {
  Africa: 'Asmara Asmera Timbuktu',
  America:
    'Argentina/Buenos_Aires Argentina/Catamarca Argentina/ComodRivadavia Argentina/Cordoba ' +
    'Argentina/Jujuy Argentina/Mendoza Atikokan Atka Buenos_Aires Catamarca Coral_Harbour Cordoba ' +
    'Ensenada Fort_Wayne Godthab Indiana/Indianapolis Indianapolis Jujuy Kentucky/Louisville Knox_IN ' +
    'Kralendijk Louisville Lower_Princes Marigot Mendoza Montreal Nipigon Nuuk Pangnirtung Porto_Acre ' +
    'Rainy_River Rosario Santa_Isabel Shiprock St_Barthelemy Thunder_Bay Virgin Yellowknife',
  Antarctica: 'South_Pole',
  Arctic: 'Longyearbyen',
  Asia:
    'Ashkhabad Calcutta Choibalsan Chongqing Chungking Dacca Harbin Ho_Chi_Minh Istanbul Kashgar ' +
    'Kathmandu Katmandu Kolkata Macao Rangoon Saigon Tel_Aviv Thimbu Ujung_Pandang Ulan_Bator Yangon',
  Atlantic: 'Faeroe Faroe Jan_Mayen',
  Australia: 'ACT Canberra Currie LHI NSW North Queensland South Tasmania Victoria West Yancowinna',
  Brazil: 'Acre DeNoronha East West',
  none:
    'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong ' +
    'Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT ' +
    'Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu',
  Canada: 'Atlantic Central Eastern Mountain Newfoundland Pacific Saskatchewan Yukon',
  Chile: 'Continental EasterIsland',
  Etc:
    'GMT GMT+0 GMT+1 GMT+10 GMT+11 GMT+12 GMT+2 GMT+3 GMT+4 GMT+5 GMT+6 GMT+7 GMT+8 GMT+9 GMT-0 GMT-1 ' +
    'GMT-10 GMT-11 GMT-12 GMT-13 GMT-14 GMT-2 GMT-3 GMT-4 GMT-5 GMT-6 GMT-7 GMT-8 GMT-9 GMT0 Greenwich ' +
    'UCT UTC Universal Zulu',
  Europe:
    'Belfast Bratislava Busingen Kiev Kyiv Mariehamn Nicosia Podgorica San_Marino Tiraspol Uzhgorod ' +
    'Vatican Zaporozhye',
  Mexico: 'BajaNorte BajaSur General',
  Pacific: 'Chuuk Enderbury Johnston Kanton Pohnpei Ponape Samoa Truk Yap',
  US: 'Alaska Aleutian Arizona Central East-Indiana Eastern Hawaii Indiana-Starke Michigan Mountain Pacific ' + 'Samoa',
};
