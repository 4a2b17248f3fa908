import type { Json } from '../model/settings-diff.ts';
import type { SettingsPath } from '../model/settings-path.ts';
import type { SectionContext } from './section.ts';

export interface SecretField {
  /** Of the object that has the secret. */
  readonly path: SettingsPath;
  readonly label: string;
  /** Its property in the settings; null if it must never be stored there. */
  readonly plain: string | null;
  /** Property with a reference to it. */
  readonly from: string;
  readonly placeholder?: string;
}

type Kind = 'plain' | 'env' | 'file' | 'none';

const KINDS: Readonly<Record<Kind, string>> = {
  plain: 'entered here',
  env: 'in an environment variable of the server',
  file: 'in a file in the server’s secrets folder',
  none: 'none',
};

/** Where a secret (or an address that may be one) is stored, and the field for it. */
export function secretFields(
  { editor, fields }: Pick<SectionContext, 'editor' | 'fields'>,
  { path, label, plain, from, placeholder }: SecretField,
): HTMLElement[] {
  const reference = editor.value([...path, from]);
  const kind: Kind =
    reference === undefined ? (plain === null ? 'none' : 'plain') : hasName(reference, 'file') ? 'file' : 'env';
  const choose = (next: string) => {
    const item = { ...(editor.value(path) as Readonly<Record<string, Json>> | undefined) };
    delete item[from];
    if (plain !== null) delete item[plain];
    if (next === 'plain' && plain !== null) item[plain] = '';
    if (next === 'env' || next === 'file') item[from] = { [next]: '' };
    editor.set(path, item, true);
  };
  const kinds: readonly Kind[] = plain === null ? ['none', 'env', 'file'] : ['plain', 'env', 'file'];
  const where = fields.pick(plain === null ? [...path, from] : path, {
    label: `${label} source`,
    value: kind,
    options: kinds.map((one) => [one, KINDS[one]] as const),
    choose,
  });
  if (kind === 'none') return [where];
  const value =
    kind === 'plain'
      ? fields.text([...path, plain ?? ''], { label, placeholder: placeholder ?? '' })
      : fields.text([...path, from, kind], {
          label: kind === 'env' ? 'Variable name' : 'File name',
          placeholder: kind === 'env' ? 'LASTBYTE_SECRET_CHAT' : 'chat',
          hint:
            kind === 'env'
              ? 'Starts with LASTBYTE_SECRET_. Read at each use and never stored in the settings.'
              : 'In the folder of lastbyte serve --secrets-dir. Read at each use and never stored in the settings.',
        });
  return [where, value];
}

function hasName(value: Json, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}
