import type { EvidenceDocument } from '../../questions/evidence.ts';
import { usePage } from '../app/page-context.ts';
import type { View } from '../app/view.ts';
import { Panel } from '../components/panel.tsx';
import { Empty } from '../components/states.tsx';
import { viewQuestion } from '../model/summary-queries.ts';
import { EVIDENCE } from '../text/evidence.ts';
import { Browsers } from './browsers.tsx';
import { Classes } from './classes.tsx';

/** The basis of the numbers: usable samples, excluded samples with their reasons, and the browsers they came from. */
export const evidence: View = {
  title: () => EVIDENCE.title,
  View() {
    const query = viewQuestion<EvidenceDocument>(usePage(), 'evidence', { by: ['host', 'type'] });
    return (
      <Panel name={EVIDENCE.title} query={query}>
        {(document) =>
          document.cells.length > 0 ? (
            <Classes document={document} />
          ) : (
            <>
              <h1 class="spoken">{EVIDENCE.title}</h1>
              <Empty method={document.method} />
              <Browsers />
            </>
          )
        }
      </Panel>
    );
  },
};
