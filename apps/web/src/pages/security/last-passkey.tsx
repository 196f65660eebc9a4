import type { Person } from '@symbolon/protocol';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RecoveryCheck } from '../../parts/recovery-check.tsx';
import { useRead } from '../../platform/read.ts';
import { confirmRecoveryCode, recoveryState } from '../../platform/recovery.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Note } from '../../ui/note.tsx';

/** The last passkey goes when password and recovery code are both there. */
export function LastPasskey({
  person,
  cancel,
  children,
}: {
  person: Person;
  cancel: () => void;
  children: ReactNode;
}) {
  const { t } = useInsideText();
  const recovery = useRead(recoveryState);
  const isMissing = recovery.found?.confirmed_at === null;
  return (
    <>
      <Note icon={IconAlertTriangle} tone="warn">
        {t(isMissing ? 'passkeys.last.unproven' : 'passkeys.last')}
      </Note>
      {isMissing ? (
        <RecoveryCheck
          label={t('recovery.check')}
          check={async (typed) => {
            await confirmRecoveryCode(person, typed);
            await recovery.load();
          }}
          cancel={cancel}
        />
      ) : (
        children
      )}
    </>
  );
}
