import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../app/page-context.ts';
import { t } from '../text/t.ts';

/** What to do while nothing has been measured: for administrators the guide, which is loaded when it is needed. */
export function FirstSteps() {
  const { role } = usePage();
  const [loaded, setLoaded] = useState<{ readonly Guide?: FunctionComponent; readonly failed?: true }>({});
  useEffect(() => {
    if (role !== 'admin') return;
    import('../start/start-guide.tsx').then(
      ({ StartGuide }) => setLoaded({ Guide: StartGuide }),
      () => setLoaded({ failed: true }),
    );
  }, [role]);
  const { Guide, failed = false } = loaded;
  if (role !== 'admin') return <p>{t.components.settingUp}</p>;
  if (failed) return <p class="problem">{t.components.noGuide}</p>;
  return Guide === undefined ? null : <Guide />;
}
