import { Option } from 'commander';
import { BROWSER_ENGINES } from '../../shared/vocabulary/vocabulary.ts';

export function browserOption(): Option {
  const about = 'the browser to drive (default: the first one installed)';
  return new Option('--browser <name>', about).choices(BROWSER_ENGINES);
}
