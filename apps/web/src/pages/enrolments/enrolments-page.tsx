import { Button, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { CompanyAvatar } from '../../parts/company-avatar.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import { ProofForm } from '../../parts/proof-form.tsx';
import { useChosen } from '../../parts/use-chosen.ts';
import { When } from '../../parts/when.tsx';
import { type Enrolment, enrolments, mute, revoke } from '../../platform/approvals.ts';
import { useRead } from '../../platform/read.ts';
import { forgetUndo, offerUndo } from '../../platform/undo.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { List, RowButton } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Status } from '../../ui/status.tsx';

/** The services that may ask for approvals. */
export function EnrolmentsPage() {
  return (
    <MeFrame>
      <Enrolments />
    </MeFrame>
  );
}

function Enrolments() {
  const { t } = useInsideText();
  const list = useRead(enrolments);
  const [open, setOpen] = useState<string>();
  const shown = list.found?.find(({ enrollment_id: id }) => id === open);
  const changed = (id: string, muted: boolean) =>
    list.change((before) => before?.map((each) => (each.enrollment_id === id ? { ...each, muted } : each)));
  return (
    <Page title={t('enrolments.title')} lead={t('enrolments.lead')}>
      <LoadedList of={list} none={t('enrolments.none')} noneText={t('enrolments.none.text')}>
        {(found) => (
          <List>
            {found.map(({ enrollment_id: id, company, service, created_at: at, muted }) => (
              <RowButton
                key={id}
                onClick={() => setOpen(id)}
                leading={<CompanyAvatar company={company} />}
                title={service.name}
                detail={
                  <>
                    {company.display_name} · {t('enrolments.since')} <When at={at} />
                  </>
                }
                trailing={muted ? <Status>{t('companies.muted')}</Status> : undefined}
              />
            ))}
          </List>
        )}
      </LoadedList>
      {shown && (
        <EnrolmentSheet
          key={shown.enrollment_id}
          enrolment={shown}
          muted={(is) => changed(shown.enrollment_id, is)}
          revoked={list.load}
          close={() => setOpen(undefined)}
        />
      )}
    </Page>
  );
}

/** What one service may do: ask in silence, or no more. */
function EnrolmentSheet(props: {
  enrolment: Enrolment;
  muted: (is: boolean) => void;
  revoked: () => Promise<void>;
  close: () => void;
}) {
  const { enrolment, muted, revoked, close } = props;
  const { t } = useInsideText();
  const { value: isMuted, busy, error, choose } = useChosen(enrolment, enrolment.muted);
  const [revoking, setRevoking] = useState(false);
  const id = enrolment.enrollment_id;
  const service = enrolment.service.name;
  const store = async (is: boolean) => {
    await mute(id, is);
    muted(is);
  };
  return (
    <Sheet
      opened
      close={close}
      closeLabel={t('app.close')}
      picture={<CompanyAvatar company={enrolment.company} />}
      title={service}
    >
      <Stack gap="md">
        <Switch
          checked={isMuted}
          disabled={busy}
          label={t('enrolments.mute')}
          description={t('enrolments.mute.text')}
          aria-label={t('enrolments.mute.of', { service })}
          onChange={({ currentTarget: { checked } }) =>
            choose(checked, async () => {
              await store(checked);
              offerUndo({
                text: t(checked ? 'enrolments.muted' : 'enrolments.unmuted', { service }),
                undo: () => store(!checked),
              });
            })
          }
        />
        <Problem error={error} />
        {revoking ? (
          <>
            <Text size="sm">{t('enrolments.revoke.text', { service })}</Text>
            <ProofForm
              act={`revoke enrolment ${id}`}
              label={t('enrolments.revoke', { service })}
              color="red"
              prove={async (proof) => {
                await revoke(id, proof);
                forgetUndo();
                await revoked();
              }}
              cancel={() => setRevoking(false)}
            />
          </>
        ) : (
          <Button variant="default" onClick={() => setRevoking(true)}>
            {t('enrolments.revoke', { service })}
          </Button>
        )}
      </Stack>
    </Sheet>
  );
}
