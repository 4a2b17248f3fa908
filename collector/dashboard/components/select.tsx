import type { SelectHTMLAttributes } from 'preact';

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'role' | 'size'> {
  readonly options: readonly (readonly [value: string, label: string])[];
  choose(value: string): void;
}

export function Select({ options, choose, ...rest }: SelectProps) {
  return (
    <select {...rest} onChange={({ currentTarget: { value } }) => choose(value)}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** A choice and its label beside the heading of a table. */
export function TableChoice({ label, id, ...rest }: SelectProps & Readonly<Record<'id' | 'label', string>>) {
  return (
    <span class="table-choice">
      <label for={id}>{label}</label>
      <Select id={id} {...rest} />
    </span>
  );
}
