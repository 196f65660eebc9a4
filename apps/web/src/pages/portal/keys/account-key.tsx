import { Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMemo } from 'react';
import { type KeyFilePair, KeyFiles } from '../../../parts/portal/key-files.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { useShownSecret } from '../../../parts/portal/use-shown-secret.ts';
import { ProofForm } from '../../../parts/proof-form.tsx';
import { ProverContext } from '../../../parts/prover.ts';
import { RowSheet } from '../../../parts/row-sheet.tsx';
import { ACCOUNT_KEY_ACT, accountKeyFiles } from '../../../platform/portal/kept-keys.ts';
import { proverOf } from '../../../platform/portal/presence.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List } from '../../../ui/list.tsx';

/** The key of the account, as the two files that a backend reads. For admins. */
export function AccountKey() {
  const { t } = usePortalText();
  return (
    <Group title={t('keys.account')} lead={t('keys.account.lead')}>
      <List>
        <RowSheet
          heading={t('keys.account.save')}
          leading={<IconTile icon={IconKey} />}
          title={t('keys.account.save')}
          detail={t('keys.account.save.text')}
        >
          {(close) => <Saving close={close} />}
        </RowSheet>
      </List>
    </Group>
  );
}

function Saving({ close }: { close: () => void }) {
  const { t } = usePortalText();
  const session = usePortalLogin();
  const prover = useMemo(() => proverOf(session), [session]);
  const [pair, setPair] = useShownSecret<KeyFilePair>();
  if (pair !== undefined)
    return (
      <Stack role="status">
        <Text size="sm">{t('keys.account.files')}</Text>
        <KeyFiles name={`${session.company.name} account`} pair={pair} saved={() => undefined} />
      </Stack>
    );
  return (
    <Stack>
      <Text size="sm">{t('keys.account.prove')}</Text>
      <ProverContext value={prover}>
        <ProofForm
          act={ACCOUNT_KEY_ACT}
          label={t('keys.account.make')}
          prove={async (proof) => setPair(await accountKeyFiles(proof))}
          cancel={close}
        />
      </ProverContext>
    </Stack>
  );
}
