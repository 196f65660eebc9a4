import { useState } from 'react';
import { Frame } from '../../../parts/frame.tsx';
import { RecoverForm } from '../../../parts/recover-form.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { PORTAL_FORMS } from '../../../platform/forms.ts';
import { type MadeLogin, recoverLogin } from '../../../platform/portal/ways-in.ts';
import { useText } from '../../../text/index.tsx';
import { PortalTextProvider } from '../../../text/portal/index.tsx';
import { NewLogin } from './made-login.tsx';

/** For staff who lost their password. */
export function PortalRecoverPage() {
  return (
    <PortalTextProvider>
      <Recover />
    </PortalTextProvider>
  );
}

function Recover() {
  const { t } = useText();
  const [made, setMade] = useState<MadeLogin & { readonly email: string }>();
  return (
    <Frame>
      {made ? (
        <NewLogin email={made.email} made={made} />
      ) : (
        <RecoverForm
          forms={PORTAL_FORMS}
          recover={async (input) => setMade({ ...(await recoverLogin(input)), email: input.email })}
          back={
            <TextLink to="/portal/sign-in" size="sm">
              {t('app.back')}
            </TextLink>
          }
        />
      )}
    </Frame>
  );
}
