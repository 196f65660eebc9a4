import { Stack, TextInput } from '@mantine/core';
import type { MailTestResult } from '@symbolon/protocol';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { Commands } from '../../../parts/operator/commands.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { testMail } from '../../../platform/operator/watch.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { CodeBlock } from '../../../ui/code.tsx';
import { Group } from '../../../ui/group.tsx';
import { Note } from '../../../ui/note.tsx';
import { Page } from '../../../ui/page.tsx';

export function MailPage() {
  return (
    <OperatorPage>
      <Mail />
    </OperatorPage>
  );
}

/** Sends one mail, and shows what was said. */
function Mail() {
  const { t } = useOperatorText();
  const { busy, error, run } = useAct();
  const [to, setTo] = useState('');
  const [result, setResult] = useState<MailTestResult>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setResult(undefined);
    run(async () => setResult(await testMail(to.trim())));
  };
  return (
    <Page title={t('mail.title')} lead={t('mail.lead')}>
      <form onSubmit={submit}>
        <Stack align="flex-start" maw={420}>
          <TextInput
            w="100%"
            label={t('mail.to')}
            description={t('mail.to.hint')}
            type="email"
            autoComplete="email"
            required
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Problem error={error} />
          <ActButton type="submit" loading={busy}>
            {t('mail.send')}
          </ActButton>
        </Stack>
      </form>
      {result !== undefined && <Result result={result} />}
      <Commands lines={['mail-test ADDRESS']} />
    </Page>
  );
}

function Result({ result: { sent, through, reason, talk } }: { result: MailTestResult }) {
  const { t } = useOperatorText();
  return (
    <>
      <Note icon={sent ? IconCircleCheck : IconAlertTriangle} tone={sent ? 'good' : 'bad'}>
        <span role="status">
          {sent ? t(`mail.sent.${through}`) : t('mail.failed', { reason: reason ?? '' })}
        </span>
      </Note>
      {talk.length > 0 && (
        <Group title={t('mail.talk')} lead={t('mail.talk.lead')}>
          <CodeBlock label={t('mail.lines')}>{talk.join('\n')}</CodeBlock>
        </Group>
      )}
    </>
  );
}
