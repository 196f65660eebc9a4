import { Button, Stack, Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isAway } from '../platform/away.ts';
import type { SecondStep } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { EmailField, PasswordField } from './fields.tsx';
import { SecondFactorForm } from './inner/second-factor-form.tsx';
import { Problem, useAct } from './problem.tsx';
import { NeedsSiteData } from './site-data.tsx';

/** Address, password and, where it is asked, the second factor. @param other a further way in, below the button */
export function PasswordSignIn({
  signIn,
  done,
  other,
}: {
  signIn: (email: string, password: string) => Promise<SecondStep | undefined>;
  done: () => void;
  other?: (act: ReturnType<typeof useAct>) => ReactNode;
}) {
  const { t } = useText();
  const act = useAct();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [second, setSecond] = useState<SecondStep>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.run(async () => {
      const step = await signIn(email.trim(), password);
      if (step === undefined) done();
      else setSecond(step);
    });
  };
  if (second) return <SecondFactorForm step={second} done={done} />;
  return (
    <form onSubmit={submit}>
      <Stack>
        <NeedsSiteData />
        <EmailField value={email} change={setEmail} withPasskeys={other !== undefined} />
        <PasswordField label={t('password')} value={password} change={setPassword} />
        <Problem error={act.error}>
          {act.error instanceof SymbolonError && isAway(act.error) && (
            <Text size="sm">{t('signIn.notChecked')}</Text>
          )}
        </Problem>
        <Button type="submit" loading={act.busy}>
          {t('signIn.submit')}
        </Button>
        {other?.(act)}
        <Text size="sm" c="dimmed">
          {t('signIn.private')}
        </Text>
      </Stack>
    </form>
  );
}

/** Signing in without an address, where the browser can. */
export function PasskeyButton({ busy, signIn }: { busy: boolean; signIn: () => void }) {
  const { t } = useText();
  if (!('PublicKeyCredential' in globalThis)) return null;
  return (
    <Button variant="default" disabled={busy} onClick={signIn}>
      {t('signIn.passkey')}
    </Button>
  );
}
