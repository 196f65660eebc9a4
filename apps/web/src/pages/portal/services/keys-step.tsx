import { Button, Checkbox, Stack, Text } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { KeyFiles } from '../../../parts/portal/key-files.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import {
  knownRecoveryKey,
  recoveryKeyQuery,
  rememberRecoveryKey,
  wordsQuery,
} from '../../../platform/portal/recovery-key.ts';
import { createService, type ServiceKey } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';

interface Props {
  readonly name: string;
  readonly adminEmail: string;
  readonly serviceKey: ServiceKey;
  readonly made: (service: Service) => Promise<void>;
}

/** The two files that open a service's answers, saved before the service is created. */
export function KeysStep({ name, adminEmail, serviceKey: key, made }: Props) {
  const { t } = usePortalText();
  const { company } = usePortalLogin();
  const { busy, error, run } = useAct();
  const [isSaved, setIsSaved] = useState(false);
  const [service, setService] = useState<Service>();
  const recovery = useRead(recoveryKeyQuery);
  const known = knownRecoveryKey(company.company_user_id);
  const sha256 = recovery.found?.public_key_sha256;
  const isKnown = sha256 !== undefined && sha256 === known;
  const [withCopy, setWithCopy] = useState<boolean>();
  const seals = withCopy ?? isKnown;
  const create = () =>
    run(async () => {
      // What failed after the service was there is done again for the same service.
      const created =
        service ??
        (await createService({
          name,
          adminEmail,
          key,
          recoveryKey: seals ? recovery.found?.public_key : undefined,
        }));
      setService(created);
      if (seals && sha256) rememberRecoveryKey(company.company_user_id, sha256);
      await made(created);
    });
  return (
    <Stack>
      <Text fw={600}>{t('services.new.keys.lost')}</Text>
      <KeyFiles name={name} pair={key} saved={() => setIsSaved(true)} />
      <Loaded of={recovery} height={80}>
        {({ public_key_sha256: fingerprint }) => (
          <Checkbox
            label={t('services.new.copy')}
            description={
              isKnown ? (
                t('services.new.copy.known')
              ) : (
                <Words sha256={fingerprint} lead={t('services.new.copy.compare')} />
              )
            }
            checked={seals}
            onChange={(event) => setWithCopy(event.currentTarget.checked)}
          />
        )}
      </Loaded>
      <Problem error={error} />
      {!isSaved && (
        <Text size="sm" c="dimmed">
          {t('services.new.saveFirst')}
        </Text>
      )}
      <Button
        loading={busy}
        disabled={!isSaved || recovery.found === undefined}
        onClick={create}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('services.new.create')}
      </Button>
    </Stack>
  );
}

function Words({ sha256, lead }: { sha256: string; lead: string }) {
  const { found } = useRead(wordsQuery(sha256));
  return (
    <>
      {lead} <strong>{found ?? '…'}</strong>
    </>
  );
}
