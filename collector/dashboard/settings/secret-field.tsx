import type { Json } from '../model/settings-diff.ts';
import { texts } from '../text/settings.ts';
import { useSetting } from './editor.ts';
import { fieldText, SelectField, TextField } from './fields.tsx';

interface SecretFieldProps {
  /** Its property in the settings; none if it must never be stored there. */
  readonly plain?: string;
  /** Property with a reference to it. */
  readonly from: string;
  readonly placeholder?: string;
}

const { secret, secretSources } = texts;

/** Where a secret (or an address that may be one) is stored, and the field for it. */
export function SecretField({ plain, from, placeholder }: SecretFieldProps) {
  const { path, value: parent, set } = useSetting();
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
        text={{ label: secretSources.label({ of: fieldText([...path, plain ?? from]).label }) }}
        value={source}
        choose={choose}
        options={[
          ['', plain === undefined ? secretSources.none : secretSources.here],
          ['env', secretSources.env],
          ['file', secretSources.file],
        ]}
      />
      {source === 'env' ? (
        <TextField name={`${from}/env`} text={secret.env} placeholder="LASTBYTE_SECRET_CHAT" />
      ) : source === 'file' ? (
        <TextField name={`${from}/file`} text={secret.file} placeholder="chat" />
      ) : plain !== undefined ? (
        <TextField name={plain} {...(placeholder === undefined ? {} : { placeholder })} />
      ) : null}
    </>
  );
}
