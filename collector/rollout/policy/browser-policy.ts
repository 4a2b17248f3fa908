import type { RollOut } from './roll-out.ts';

/** A policy document as browsers read it, independent of the operating system. */
export type PolicyDocument = { readonly [name: string]: PolicyValue };
export type PolicyValue = string | boolean | number | readonly PolicyValue[] | PolicyDocument;

/**
 * Installs the extension, prevents its removal, and grants its permissions.
 * https://chromeenterprise.google/policies/#ExtensionInstallForcelist
 */
export function chromiumPolicy(rollOut: RollOut): PolicyDocument {
  return { ...forcelist(rollOut), '3rdparty': { extensions: { [rollOut.extensionId]: rollOut.managed } } };
}

/** Without the extension's own settings, for systems that store these elsewhere. */
export function forcelist({ extensionId, installFrom }: RollOut): PolicyDocument {
  return { ExtensionInstallForcelist: [`${extensionId};${installFrom}`] };
}

/** https://mozilla.github.io/policy-templates/#extensionsettings */
export function firefoxPolicy(rollOut: RollOut): PolicyDocument {
  return {
    ExtensionSettings: extensionSettings(rollOut),
    '3rdparty': { Extensions: { [rollOut.extensionId]: rollOut.managed } },
    ...(rollOut.allowUnsigned ? { Preferences: UNSIGNED_PREFERENCES } : {}),
  };
}

export function extensionSettings({ extensionId, installFrom }: RollOut): PolicyDocument {
  return {
    [extensionId]: { installation_mode: 'force_installed', install_url: installFrom, updates_disabled: false },
  };
}

export const UNSIGNED_PREFERENCES: PolicyDocument = {
  'xpinstall.signatures.required': { Value: false, Status: 'locked' },
};
