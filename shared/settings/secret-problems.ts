import type { DocumentProblem } from '../vocabulary/document-problem.ts';
import type { SecretReference } from './secret-reference.ts';
import type { Settings } from './settings-schema.ts';

/** Only variables with this prefix may be named; all others belong to the process and its parent. */
const SECRET_PREFIX = 'LASTBYTE_SECRET_';
/** A file name in the secrets folder: no path, and none of the hidden entries of a Kubernetes mount. */
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/;

type Fault = Omit<DocumentProblem, 'path'>;

/** Why a reference must not be resolved, whatever it points to; null if it may. */
export function secretFault({ env, file }: SecretReference): Fault | null {
  if (env !== undefined) {
    if (env.length > SECRET_PREFIX.length && env.startsWith(SECRET_PREFIX)) return null;
    const name = SECRET_PREFIX + (env.replace(/^LASTBYTE_(SECRET_?)?/, '') || 'NAME');
    return {
      message: `the environment variable ${env} does not begin with ${SECRET_PREFIX}`,
      hint: `Rename it to ${name}, where lastbyte serve is started and in the settings.`,
      code: 'secret_variable',
      values: { name },
    };
  }
  if (file === undefined || FILE_NAME.test(file)) return null;
  const name = file.split(/[/\\]/).at(-1) ?? '';
  return {
    message: `${file} is not the name of a file in the secrets folder`,
    hint:
      'Move the file to the folder of lastbyte serve --secrets-dir (by default secrets in the data folder) and write ' +
      `only its name, such as {"file": "${FILE_NAME.test(name) ? name : 'smtp-password'}"}.`,
    code: 'secret_file',
    values: { file },
  };
}

/** The references of a document that must not be resolved, with their paths. */
export function secretProblems({ alerts, reports }: Settings): DocumentProblem[] {
  const webhooks = [
    ...(alerts?.webhooks ?? []).map((webhook, index) => [`/alerts/webhooks/${index}`, webhook] as const),
    ...(reports?.schedule ?? []).map(
      ({ webhook }, index) => [`/reports/schedule/${index}/webhook`, webhook ?? {}] as const,
    ),
  ];
  const references: (readonly [string, SecretReference | undefined])[] = [
    ...webhooks.flatMap(
      ([path, { urlFrom, bearerFrom }]) =>
        [
          [`${path}/urlFrom`, urlFrom],
          [`${path}/bearerFrom`, bearerFrom],
        ] as const,
    ),
    ['/reports/mail/passwordFrom', reports?.mail?.passwordFrom],
  ];
  return references.flatMap(([path, reference]) => {
    const fault = reference === undefined ? null : secretFault(reference);
    return fault === null ? [] : [{ path: `${path}/${reference?.env === undefined ? 'file' : 'env'}`, ...fault }];
  });
}
