import { createHash } from 'node:crypto';

/** The style sheet of a report file: for screens and, with the same sizes, for A4 and Letter. */
export const HTML_STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.5rem 4rem; color: #161b22; background: #fff;
  overflow-wrap: anywhere; font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
header { border-bottom: 3px solid #1d7d91; padding-bottom: .75rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .35rem; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .5rem; padding-top: .25rem; }
h3, caption { font-size: 1rem; font-weight: 600; text-align: left; margin: 1.25rem 0 .35rem; }
caption { caption-side: top; padding: 0 0 .35rem; }
p { margin: .4rem 0; max-width: 46rem; }
.subtitle, .note, .nothing, figcaption { color: #505a66; }
.note, figcaption { font-size: .85rem; }
ol { padding-left: 1.4rem; max-width: 46rem; }
li { margin: .3rem 0; }
li strong { display: block; }
ol.small { font-size: .85rem; }
ol.small li { margin: .15rem 0; }
dl.facts { display: grid; grid-template-columns: minmax(9rem, 13rem) 1fr; gap: .3rem 1rem; margin: .75rem 0; font-size: .9rem; }
dl.facts dt { color: #505a66; }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.table { overflow-x: auto; margin: 1rem 0 .25rem; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .28rem .55rem; text-align: left; vertical-align: top; border-bottom: 1px solid #dfe3e8;
  overflow-wrap: break-word; max-width: 22rem; }
td.number, th.number { white-space: nowrap; }
thead th { border-bottom: 2px solid #505a66; vertical-align: bottom; }
thead th.number { white-space: normal; }
tbody th { font-weight: 400; min-width: 6rem; }
.number { text-align: right; }
tbody tr:nth-child(even) { background: #f5f7f9; }
.bar { width: 40%; min-width: 8rem; }
.bar svg { display: inline-block; width: 60%; min-width: 4.5rem; height: .7rem; margin-right: .5rem; background: #dfe3e8; }
.key { float: right; display: flex; flex-wrap: wrap; gap: 0 .8rem; font-size: .8rem; font-weight: 400; color: #505a66; }
.key svg { width: .7rem; height: .7rem; }
figure { margin: 1.25rem 0; break-inside: avoid; }
figure svg { max-width: 100%; height: auto; display: block; }
figure h3 { margin-top: 0; }
@media (max-width: 34rem) {
  figure { overflow-x: auto; }
  figure svg { min-width: 36rem; }
  .bars :is(table, caption, thead, tbody) { display: block; }
  .bars tr { display: grid; grid-template-columns: 1fr 4.25rem 6rem 4.75rem; border-bottom: 1px solid #dfe3e8; }
  .bars :is(th, td) { border: 0; min-width: 0; padding: .2rem .3rem; }
  .bars tr > :last-child { grid-column: 1 / -1; }
  .bars thead tr > :last-child, .bars caption .key { float: none; }
  .bars td.bar { width: auto; display: flex; align-items: center; }
  .bars td.bar svg { flex: 1; }
}
@page { size: A4; margin: 16mm 14mm 18mm; }
@page wide { size: A4 landscape; }
@media print {
  html { font-size: 11.5px; }
  body { max-width: none; padding: 0; }
  .table { overflow: visible; }
  .table table { font-size: 7.6pt; }
  .table.wide table { font-size: 6.8pt; }
  .wide th, .wide td { padding: .12rem .22rem; }
  .wide tbody th { min-width: 0; }
  .table.widest { page: wide; }
  .new-page { break-before: page; }
  h2, h3, caption { break-after: avoid; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  tbody tr:nth-child(even), .bar svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

/** A report file may do nothing but apply its own styles. The same policy is in the file and in the HTTP header. */
export const HTML_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(HTML_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;
