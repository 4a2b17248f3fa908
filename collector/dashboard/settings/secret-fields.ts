import type { Json } from '../model/settings-diff.ts';
import type { SettingsPath } from '../model/settings-path.ts';
import type { SectionContext } from './section.ts';

export interface SecretField {
  /** Of the thing that holds it. */
  readonly path: SettingsPath;
  readonly label: string;
  /** The name it has where it is written into the settings; null where it never may be. */
  readonly plain: string | null;
  /** The name of the reference to it. */
  readonly from: string;
  readonly placeholder?: string;
}

type Kind = 'plain' | 'env' | 'file' | 'none';

const KINDS: Readonly<Record<Kind, string>> = {
  plain: 'written here',
  env: 'in an environment variable of the server',
  file: 'in a file of the server’s folder of secrets',
  none: 'none',
};

/** Where a secret, or an address that may be one, is found; and that place. */
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
    label: `${label} is`,
    value: kind,
    options: kinds.map((one) => [one, KINDS[one]] as const),
    choose,
  });
  if (kind === 'none') return [where];
  const place =
    kind === 'plain'
      ? fields.text([...path, plain ?? ''], { label, placeholder: placeholder ?? '' })
      : fields.text([...path, from, kind], {
          label: kind === 'env' ? 'Name of the variable' : 'Name of the file',
          placeholder: kind === 'env' ? 'LASTBYTE_SECRET_CHAT' : 'chat',
          hint:
            kind === 'env'
              ? 'Begins with LASTBYTE_SECRET_. Read each time it is used; the settings never hold it.'
              : 'In the folder of lastbyte serve --secrets-dir. Read each time it is used; the settings never hold it.',
        });
  return [where, place];
}

function hasName(value: Json, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}
