/** What today's answers may have different from those of the release that recorded them; everything else is the same. */
export interface KnownDifference {
  /** The release, its question, the place in the answer: `2fe9807 summary.cells[].gap.tail`. */
  readonly where: RegExp;
  readonly why: string;
}

export const KNOWN: readonly KnownDifference[] = [
  {
    where: /\.(rules|text|sentence|title|label|notes|missing)(\[\]|\.\w+)*$/,
    why: 'sentences, which become clearer',
  },
  { where: / (alerts\.(rules\[\]\.at|deliveries.*)|clock\.now)$/, why: 'when it was asked' },
  {
    where: / (probes\.off|extension-settings\.probes\.schedule)$/,
    why: 'the probe signed-in sends cookies and looks for a text, so it no longer runs',
  },
  {
    where: / site-hosts\.(cells|leftOut\.tooFew)$/,
    why: 'nothing is compared under 30 requests or 5 browsers',
  },
  { where: / compare\.cells\[\]\.notCompared$/, why: 'new: why nothing is compared' },
  { where: / fleet\.ignored$/, why: 'new: browsers whose status is ignored' },
  {
    where: /^(2fe9807|296f731) .*\.(keepMeasuring|variesWidely)(\[\])?$/,
    why: 'values that vary widely no longer ask for more samples; fewer than 5 browsers do',
  },
  {
    where: /^(2fe9807|296f731) .*\.gap\.(tail|tailSamples|tailPhase|tailFrom|tailBy|spread)$/,
    why: 'the slow group is a population, not the slowest 1 %',
  },
  { where: /^(2fe9807|296f731) .*\.verdict\.typical$/, why: 'new: the verdict on typical requests' },
  {
    where: /^(2fe9807|296f731) .*\.(browsers|browsersMonth)$/,
    why: 'browsers of the month with most, because ids change with the month',
  },
  { where: /^(2fe9807|296f731) histogram\.cells\[\]\.peaks\[\]\.at$/, why: 'peaks are significant modes' },
  {
    where: /^2fe9807 probes\.paths\[\]\.ratios\[\]\.medianInterval\[\]$/,
    why: 'an end of the interval, −17.3 instead of −17.7; the ratio is the same',
  },
  {
    where: /^2fe9807 (probes|report)\.view\.tables(\[\]\.(columns|rows(\[\]\.address)?))?$/,
    why: 'steps have an address',
  },
  {
    where:
      / .*\.(verdict(\.typical)?(\.shares(\.\w+)?|\.verdict|\.reason)?|serverShares\.onReusedConnections(\.\w+)*(\[\])?)$/,
    why: 'each site has the round trip of its own instead of one median for all',
  },
  {
    where: / findings\.findings\[\]\..*$/,
    why: 'one search for places instead of a list of causes: other places, and more told of each',
  },
  {
    where: / changes\.(method\.dataHash|changes\[\]\..*)$/,
    why: 'all kept days are compared, without the first and the last one; the day is now the one on which it began',
  },
  {
    where: / what-if\.savings\[\]\.(affectedRequests|perRequestMs|saved\w+(\[\])?)$/,
    why: 'paths with fewer than ten requests are compared together; they were compared with nothing',
  },
  {
    where:
      / (probes\.(journeys|view\.tables\[\]\.(columns|rows\[\]\.step))|(export|samples\.samples)\[\]\.(journey|step|run))$/,
    why: 'new: the journey, the step and the run of a sample',
  },
  {
    where: / probes\.view\.tables\[\]\.rows\[\]\.(users|reason|time)$/,
    why: 'new: the time of a step by its runs, and of users beside it',
  },
  { where: / tls\.rows\[\]\.roundTrips$/, why: 'new: round trips of the handshakes of each TLS fact' },
  { where: /^2fe9807 fleet\.notKept$/, why: 'new: days whose browsers were not kept' },
];
