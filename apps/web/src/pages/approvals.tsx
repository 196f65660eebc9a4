import { Button } from '@mantine/core';
import { Frame, Sheet } from '../parts/frame.tsx';
import { signOut, useSession } from '../platform/session.ts';
import { useText } from '../text/index.tsx';
import { SignedInOnly } from './signed-in-only.tsx';

export function ApprovalsPage() {
  return (
    <SignedInOnly>
      <Me />
    </SignedInOnly>
  );
}

function Me() {
  const { t } = useText();
  const session = useSession();
  return (
    <Frame>
      <Sheet title={t('me.title', { name: session.state === 'in' ? session.person.display_name : '' })}>
        <Button variant="default" onClick={signOut}>
          {t('app.signOut')}
        </Button>
      </Sheet>
    </Frame>
  );
}
