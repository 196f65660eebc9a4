import { Button, Stack, Textarea, VisuallyHidden } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { type FormEvent, type ReactNode, useState } from 'react';
import { secondMember } from '../platform/presence.ts';
import { useText } from '../text/index.tsx';
import { useCodeWhenAsked } from './code-when-asked.tsx';
import { EmailField, PasswordField } from './fields.tsx';
import { Sheet } from './frame.tsx';
import { Problem, useAct, useErrorText } from './problem.tsx';
import { NeedsSiteData } from './site-data.tsx';
import { useKeptInTab } from './use-kept-in-tab.ts';

export interface Recovering {
  readonly email: string;
  readonly recoveryCode: string;
  readonly password: string;
  /** Once the platform has asked for one. */
  readonly second?: { code: string } | { recovery_code: string };
}

/** Asks for a recovery code and a new password. */
export function RecoverForm({
  forms,
  recover,
  back,
}: {
  /** How the names of forms begin that are kept. */
  forms: string;
  recover: (input: Recovering) => Promise<void>;
  /** The way to the sign-in. */
  back: ReactNode;
}) {
  const { t } = useText();
  const textOf = useErrorText();
  const { busy, error, run } = useAct();
  const { value, change, drop } = useKeptInTab(`${forms}recover`, () => ({ email: '' }));
  const { email } = value;
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const { attempt, codeField } = useCodeWhenAsked();
  const keyOf = error instanceof SymbolonError ? error.errorKey : '';
  const beside = (key: string) => (keyOf === key ? textOf(error) : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { email: email.trim(), recoveryCode: code, password };
    run(() =>
      attempt((text) =>
        recover({ ...input, ...(text !== undefined && { second: secondMember(text) }) }).then(drop),
      ),
    );
  };
  return (
    <Sheet title={t('recover.title')} lead={t('recover.text')}>
      <form onSubmit={submit}>
        <Stack>
          <NeedsSiteData />
          <EmailField value={email} change={(typed) => change({ email: typed })} />
          <Textarea
            label={t('recover.code')}
            description={t('recover.code.hint')}
            name="recovery-code"
            autoComplete="off"
            spellCheck={false}
            autosize
            minRows={2}
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={beside('crypto.key_invalid')}
          />
          <PasswordField
            label={t('recover.password')}
            name="new-password"
            isNew
            value={password}
            change={setPassword}
            error={beside('sdk.password_weak')}
          />
          {codeField}
          {!['crypto.key_invalid', 'sdk.password_weak'].includes(keyOf) && <Problem error={error} />}
          <Button type="submit" loading={busy}>
            {t('recover.submit')}
          </Button>
          <VisuallyHidden role="status">{busy ? t('recover.working') : ''}</VisuallyHidden>
        </Stack>
      </form>
      {back}
    </Sheet>
  );
}
