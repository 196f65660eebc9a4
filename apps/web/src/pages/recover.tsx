import { useState } from 'react';
import { Frame } from '../parts/frame.tsx';
import { RecoverForm } from '../parts/recover-form.tsx';
import { RecoveryCodeSheet } from '../parts/recovery-code.tsx';
import { TextLink } from '../parts/text-link.tsx';
import { FORMS } from '../platform/forms.ts';
import { enterWith } from '../platform/recovery.ts';
import { recover } from '../platform/registration.ts';
import { useText } from '../text/index.tsx';
import { useNext } from './next.ts';

export function RecoverPage() {
  const { t } = useText();
  const next = useNext();
  const [made, setMade] = useState<Awaited<ReturnType<typeof recover>>>();
  return (
    <Frame>
      {made ? (
        <RecoveryCodeSheet
          email={made.person.email}
          code={made.recoveryCode}
          finish={(typed) => enterWith(made, typed).then(next.go)}
        />
      ) : (
        <RecoverForm
          forms={FORMS}
          recover={async (input) => setMade(await recover(input))}
          back={
            <TextLink to="/sign-in" search={{ next: next.path }} size="sm">
              {t('app.back')}
            </TextLink>
          }
        />
      )}
    </Frame>
  );
}
