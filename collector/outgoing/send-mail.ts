import type { MailSettings } from '../../shared/settings/report-settings.ts';
import { DeliveryFailed } from './delivery-failed.ts';
import { openSocket } from './open-socket.ts';
import type { Outgoing } from './outgoing.ts';
import { OutgoingFailure } from './outgoing-failure.ts';

/** Per step of the conversation with the server, ms. */
const TIMEOUT_MS = 30_000;
/** Limit for a whole delivery, ms: a server that sends one byte at a time passes every other limit. */
const WHOLE_TIMEOUT_MS = 300_000;
const PORTS = { starttls: 587, implicit: 465, none: 25 } as const;

export interface Letter {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The same as HTML; only text if absent. */
  readonly html?: string;
  /** The same in every attempt, so that a server can recognize duplicates. */
  readonly messageId: string;
  /** Epoch ms. */
  readonly date: number;
  readonly files?: readonly { readonly name: string; readonly mediaType: string; readonly bytes: Buffer }[];
}

/** Sends one message over SMTP. Throws DeliveryFailed with the server's answer, or an OutgoingFailure. */
export async function sendMail(
  { outgoing, signal }: { readonly outgoing: Outgoing; readonly signal: AbortSignal },
  mail: MailSettings,
  letter: Letter,
): Promise<void> {
  const { host, tls = 'starttls', user, passwordFrom, from } = mail;
  const password = passwordFrom === undefined ? '' : await outgoing.secret(passwordFrom);
  const { createTransport } = await import('nodemailer');
  const port = mail.port ?? PORTS[tls];
  const ended = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_TIMEOUT_MS)]);
  const transport = createTransport({
    host,
    port,
    // nodemailer's own socket would connect to any address, and resolve the name again.
    getSocket: (_options, done) => {
      openSocket(outgoing.guard, { host, port, timeoutMs: TIMEOUT_MS, signal: ended }).then(
        (connection) => done(null, { connection }),
        (error) => done(error),
      );
    },
    secure: tls === 'implicit',
    // Without it a server that offers no TLS would get the password in the clear.
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user === undefined ? {} : { auth: { user, pass: password } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { rejected } = await transport.sendMail({
      from,
      to: [...letter.to],
      subject: letter.subject,
      text: letter.text,
      ...(letter.html === undefined ? {} : { html: letter.html }),
      messageId: letter.messageId,
      date: new Date(letter.date),
      attachments: (letter.files ?? []).map(({ name, mediaType, bytes }) => ({
        filename: name,
        contentType: mediaType,
        content: bytes,
      })),
    });
    if (rejected.length > 0) throw new DeliveryFailed(`the server refused ${rejected.length} of the addresses`);
  } catch (error) {
    if (error instanceof DeliveryFailed || error instanceof OutgoingFailure) throw error;
    throw new DeliveryFailed(ended.aborted ? 'the mail server did not accept it in time' : wordsOf(error));
  } finally {
    transport.close();
  }
}

/** The code of the failure and of the server's answer; neither contains the password. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const answered = typeof responseCode === 'number' ? `, answered ${responseCode}` : '';
  return `the mail server could not be used (${typeof code === 'string' ? code : 'failed'}${answered})`;
}
