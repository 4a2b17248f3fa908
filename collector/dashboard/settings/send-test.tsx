import type { TestAnswer } from '../../http/schemas/control-answers.ts';
import { usePage } from '../app/page-context.ts';
import { texts } from '../text/settings.ts';
import { ActionLine, type ActionResult } from './action-line.tsx';

const words = texts.alerts;

interface SendTestProps {
  readonly to: { readonly webhook: string } | { readonly rule: string };
  readonly title: string;
}

/** Sends a test notification to a webhook, or by mail to the recipients of a rule. */
export function SendTest({ to, title }: SendTestProps) {
  const { client } = usePage();
  async function test(): Promise<ActionResult> {
    const { delivered, status, error } = await client.post<TestAnswer>('/alerts/test', to);
    return { good: delivered, text: delivered ? words.delivered({ status }) : words.notDelivered({ status, error }) };
  }
  return (
    <ActionLine
      label={'rule' in to ? words.sendTestMail : words.sendTest}
      name={words.sendTestTo({ title })}
      doing={words.sending}
      act={test}
    />
  );
}
