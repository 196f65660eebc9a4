import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { secondMember } from '../../platform/presence.ts';
import type { SecondStep } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';
import { CodeField } from '../fields.tsx';
import { Problem, useAct } from '../problem.tsx';

/** The second step of signing in. */
export function SecondFactorForm({ step, done }: { step: SecondStep; done: () => void }) {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(async () => {
      await step.confirm(secondMember(code));
      done();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <CodeField autoFocus value={code} change={setCode} />
        <Problem error={error} />
        <Button type="submit" loading={busy}>
          {t('app.continue')}
        </Button>
      </Stack>
    </form>
  );
}
