import { Stack, Text } from '@mantine/core';
import { IconKey, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { RecoveryCheck } from '../../parts/recovery-check.tsx';
import { RowSheet } from '../../parts/row-sheet.tsx';
import { NewRecoveryCode } from '../../parts/sign-in-means/new-recovery-code.tsx';
import { useNow, When } from '../../parts/when.tsx';
import { useRead } from '../../platform/read.ts';
import { confirmRecoveryCode, isRecoveryDue, recoveryState } from '../../platform/recovery.ts';
import type { SignedIn } from '../../platform/session.ts';
import type { SignInMeans } from '../../platform/sign-in-means.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';

/** The recovery code: whether it is still at hand, and a new one. */
export function RecoverySection({ session, means }: { session: SignedIn; means: SignInMeans }) {
  const { t } = useInsideText();
  const { found: state, load } = useRead(recoveryState);
  const now = useNow(60_000);
  const isDue = state !== undefined && isRecoveryDue(state, now);
  return (
    <Group id="recovery" title={t('recovery.label')} lead={t('recovery.lead')}>
      <List>
        <RowSheet
          heading={t('recovery.try')}
          hash="recovery-check"
          leading={<IconTile icon={IconKey} tone={isDue ? 'warn' : 'accent'} />}
          title={t('recovery.try')}
          detail={state && <Found at={state.confirmed_at} />}
          trailing={isDue ? <Status tone="warn">{t('recovery.due')}</Status> : undefined}
        >
          {(close) => <Trying session={session} done={load} close={close} />}
        </RowSheet>
        <RowSheet
          heading={t('recovery.make')}
          leading={<IconTile icon={IconRefresh} />}
          title={t('recovery.make')}
          detail={t('recovery.make.text')}
        >
          {(close) => <NewRecoveryCode means={means} done={load} close={close} />}
        </RowSheet>
      </List>
    </Group>
  );
}

function Found({ at }: { at: string | null }) {
  const { t } = useInsideText();
  return at === null ? (
    t('recovery.never')
  ) : (
    <>
      {t('recovery.found')} <When at={at} />
    </>
  );
}

type Props = { session: SignedIn; done: () => Promise<void>; close: () => void };

function Trying({ session, done, close }: Props) {
  const { t } = useInsideText();
  const [isRight, setRight] = useState(false);
  if (isRight)
    return (
      <Text role="status" size="sm">
        {t('recovery.works')}
      </Text>
    );
  return (
    <Stack>
      <Text size="sm">{t('recovery.try.text')}</Text>
      <RecoveryCheck
        label={t('recovery.check')}
        check={async (typed) => {
          await confirmRecoveryCode(session.person, typed);
          setRight(true);
          await done();
        }}
        cancel={close}
      />
    </Stack>
  );
}
