import { Button, Group, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { PageHead } from '../../parts/frame.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { ProofForm } from '../../parts/proof-form.tsx';
import { When } from '../../parts/when.tsx';
import { type Enrolment, enrolments, mute, revoke } from '../../platform/approvals.ts';
import { useRead } from '../../platform/read.ts';
import { useText } from '../../text/index.tsx';

/** The services that may ask for approvals. */
export function EnrolmentsPage() {
  return (
    <MeFrame>
      <Enrolments />
    </MeFrame>
  );
}

function Enrolments() {
  const { t } = useText();
  const list = useRead(enrolments);
  return (
    <Stack gap="lg">
      <PageHead title={t('enrolments.title')} lead={t('enrolments.lead')} />
      <LoadedList of={list} none={t('enrolments.none')} noneText={t('enrolments.none.text')} />
      {list.found?.map((each) => (
        <Row key={each.enrollment_id} enrolment={each} revoked={list.load} />
      ))}
    </Stack>
  );
}

function Row({ enrolment, revoked }: { enrolment: Enrolment; revoked: () => Promise<void> }) {
  const { t } = useText();
  const heading = useId();
  const { busy, error, run } = useAct();
  const [revoking, setRevoking] = useState(false);
  const [muted, setMuted] = useState(enrolment.muted);
  const id = enrolment.enrollment_id;
  const service = enrolment.service.name;
  return (
    <Paper component="article" withBorder p="lg" aria-labelledby={heading}>
      <Stack gap="sm">
        <Stack gap={2}>
          <Title order={2} id={heading}>
            {service}
          </Title>
          <Text size="sm" c="dimmed">
            {enrolment.company.display_name} · {t('enrolments.since')} <When at={enrolment.created_at} />
          </Text>
        </Stack>
        <Switch
          checked={muted}
          disabled={busy}
          label={t('enrolments.mute')}
          description={t('enrolments.mute.text')}
          aria-label={t('enrolments.mute.of', { service })}
          onChange={({ currentTarget: { checked } }) => {
            // It moves under the finger, and back where the platform refused.
            setMuted(checked);
            run(async () => {
              try {
                await mute(id, checked);
              } catch (refused) {
                setMuted(!checked);
                throw refused;
              }
            });
          }}
        />
        <Problem error={error} />
        {revoking ? (
          <Stack gap="sm">
            <Text size="sm">{t('enrolments.revoke.text', { service })}</Text>
            <ProofForm
              act={`revoke enrolment ${id}`}
              label={t('enrolments.revoke', { service })}
              color="red"
              prove={async (proof) => {
                await revoke(id, proof);
                await revoked();
              }}
              cancel={() => setRevoking(false)}
            />
          </Stack>
        ) : (
          <Group>
            <Button variant="default" onClick={() => setRevoking(true)}>
              {t('enrolments.revoke', { service })}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
