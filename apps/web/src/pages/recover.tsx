import { Button, Stack, Textarea, VisuallyHidden } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { type FormEvent, useState } from 'react';
import { useCodeWhenAsked } from '../parts/code-when-asked.tsx';
import { EmailField, PasswordField } from '../parts/fields.tsx';
import { Frame, Sheet } from '../parts/frame.tsx';
import { Problem, useAct, useErrorText } from '../parts/problem.tsx';
import { RecoveryCodeSheet } from '../parts/recovery-code.tsx';
import { NeedsSiteData } from '../parts/site-data.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { secondMember } from '../platform/presence.ts';
import { enterWith } from '../platform/recovery.ts';
import { recover } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { useNext } from './next.ts';

export function RecoverPage() {
  const { t } = useText();
  const next = useNext();
  const textOf = useErrorText();
  const { busy, error, run } = useAct();
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const { attempt, codeField } = useCodeWhenAsked();
  const [made, setMade] = useState<Awaited<ReturnType<typeof recover>>>();
  if (made) {
    return (
      <Frame>
        <RecoveryCodeSheet
          email={email}
          code={made.recoveryCode}
          finish={(typed) => enterWith(made, typed).then(next.go)}
        />
      </Frame>
    );
  }
  const keyOf = error instanceof SymbolonError ? error.errorKey : '';
  const beside = (key: string) => (keyOf === key ? textOf(error) : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { email: email.trim(), recoveryCode: code, password };
    run(async () => {
      await attempt(async (text) => {
        const second = text === undefined ? {} : { second: secondMember(text) };
        setMade(await recover({ ...input, ...second }));
      });
    });
  };
  return (
    <Frame>
      <Sheet title={t('recover.title')} lead={t('recover.text')}>
        <form onSubmit={submit}>
          <Stack>
            <NeedsSiteData />
            <EmailField value={email} change={setEmail} />
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
        <TextLink to="/sign-in" search={{ next: next.path }} size="sm">
          {t('app.back')}
        </TextLink>
      </Sheet>
    </Frame>
  );
}
