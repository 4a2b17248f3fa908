import type { Json } from '../model/settings-diff.ts';
import { useSetting } from './editor.ts';
import { SelectField, TextField } from './fields.tsx';

interface SecretFieldProps {
  readonly label: string;
  /** Its property in the settings; none if it must never be stored there. */
  readonly plain?: string;
  /** Property with a reference to it. */
  readonly from: string;
  readonly placeholder?: string;
}

const SOURCES = [
  ['env', 'in an environment variable of the server'],
  ['file', 'in a file in the server’s secrets folder'],
] as const;

/** Where a secret (or an address that may be one) is stored, and the field for it. */
export function SecretField({ label, plain, from, placeholder }: SecretFieldProps) {
  const { value: parent, set } = useSetting();
  const { value: reference } = useSetting(from);
  const isFile = typeof reference === 'object' && reference !== null && Object.hasOwn(reference, 'file');
  const source = reference === undefined ? '' : isFile ? 'file' : 'env';
  const choose = (next: string) => {
    const item = { ...(parent as Readonly<Record<string, Json>>) };
    delete item[from];
    if (plain !== undefined) delete item[plain];
    if (next !== '') item[from] = { [next]: '' };
    else if (plain !== undefined) item[plain] = '';
    set(item);
  };
  return (
    <>
      <SelectField
        name={plain === undefined ? from : ''}
        idSuffix="-source"
        label={`${label} source`}
        value={source}
        choose={choose}
        options={[['', plain === undefined ? 'none' : 'entered here'], ...SOURCES]}
      />
      {source === 'env' ? (
        <TextField name={`${from}/env`} label="Variable name" placeholder="LASTBYTE_SECRET_CHAT">
          Starts with LASTBYTE_SECRET_. Read at each use and never stored in the settings.
        </TextField>
      ) : source === 'file' ? (
        <TextField name={`${from}/file`} label="File name" placeholder="chat">
          In the folder of lastbyte serve --secrets-dir. Read at each use and never stored in the settings.
        </TextField>
      ) : plain !== undefined ? (
        <TextField name={plain} label={label} {...(placeholder === undefined ? {} : { placeholder })} />
      ) : null}
    </>
  );
}
