import { escapeXml } from '../package/escape-xml.ts';
import type { ManagedSettings } from './roll-out.ts';

export interface EnrolmentTemplate {
  /** An administrative template for exactly these settings. */
  readonly admx: string;
  /** Their values, as a policy of that template. */
  readonly data: string;
}

/** Limit for values; the default of an ADMX is 1,023. */
const MAX_TEXT_LENGTH = 4096;

/** https://learn.microsoft.com/previous-versions/windows/desktop/Policy/element-elements-policy */
export function enrolmentTemplate(wanted: {
  readonly policy: string;
  /** Under HKEY_LOCAL_MACHINE. */
  readonly key: string;
  readonly managed: ManagedSettings;
}): EnrolmentTemplate {
  const settings = Object.entries(wanted.managed);
  const elements = settings.map(([name, value], index) => {
    const attributes = `id="setting${index}" valueName="${escapeXml(name)}"`;
    if (typeof value === 'string') return `<text ${attributes} maxLength="${MAX_TEXT_LENGTH}"/>`;
    if (typeof value === 'number') return `<decimal ${attributes}/>`;
    const decimal = (number: number) => `<decimal value="${number}"/>`;
    return `<boolean ${attributes}><trueValue>${decimal(1)}</trueValue><falseValue>${decimal(0)}</falseValue></boolean>`;
  });
  const { policy, key } = wanted;
  return {
    admx: `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <policyNamespaces><target prefix="lastbyte" namespace="Lastbyte.Policies.${policy}"/></policyNamespaces>
  <resources minRequiredRevision="1.0"/>
  <categories><category name="Lastbyte" displayName="$(string.Lastbyte)"/></categories>
  <policies>
    <policy name="${policy}" class="Machine" displayName="$(string.${policy})" presentation="$(presentation.${policy})" key="${escapeXml(key)}">
      <parentCategory ref="Lastbyte"/>
      <elements>
        ${elements.join('\n        ')}
      </elements>
    </policy>
  </policies>
</policyDefinitions>
`,
    data: settings
      .map(([, value], index) => `<data id="setting${index}" value="${escapeXml(String(value))}"/>`)
      .join(''),
  };
}
