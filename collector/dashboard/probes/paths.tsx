import type { ProbePath } from '../../analysis/probes/probe-results.ts';
import { DataTable } from '../components/data-table.tsx';
import { PROBES } from '../text/probes.ts';
import { type PlaceName, ratioTable, sequenceTable } from './probe-tables.ts';

const text = PROBES.paths;

/** Paths with a result are open; those without one yet are collapsed below, with their reasons. */
export function Paths({ paths, place }: { readonly paths: readonly ProbePath[]; readonly place: PlaceName }) {
  const known = paths.filter(({ ratios }) => ratios.some(({ median }) => median !== null));
  const open = known.length > 0 ? known : paths;
  const folded = paths.filter((path) => !open.includes(path));
  const sections = (some: readonly ProbePath[]) => (
    <div class="paths">
      {some.map((path) => {
        const index = paths.indexOf(path);
        return <Path key={index} path={path} name={place(path)} index={index} only={paths.length === 1} />;
      })}
    </div>
  );
  return (
    <>
      {sections(open)}
      {folded.length === 0 ? null : (
        <details class="panel item">
          <summary>
            <strong>{text.withoutCost(folded.length)}</strong>
            {text.withoutCostOf(folded.map(place).join(', '))}
          </summary>
          <div class="item-body">{sections(folded)}</div>
        </details>
      )}
    </>
  );
}

interface PathProps {
  readonly path: ProbePath;
  readonly name: string;
  readonly index: number;
  /** It is the only path, so its sentence is already the headline. */
  readonly only: boolean;
}

function Path({ path, name, index, only }: PathProps) {
  const { host, users, sentence } = path;
  return (
    <section class="panel path" aria-label={name}>
      <div class="path-words">
        <h2>
          {name}
          <span class="quiet small"> {host}</span>
        </h2>
        {only ? null : <p class="path-sentence">{sentence}</p>}
        <p class="quiet small">{users.reuse === null ? text.noUsers : text.users(users.requests, users.reuse)}</p>
      </div>
      <details class="as-table" open={only}>
        <summary>{text.details}</summary>
        <DataTable
          name={`sequence-${index + 1}`}
          label={text.measurementsOf(name)}
          table={sequenceTable(path)}
          level={3}
          bare
        />
        <DataTable name={`ratios-${index + 1}`} label={text.costOf(name)} table={ratioTable(path)} level={3} bare />
      </details>
    </section>
  );
}
