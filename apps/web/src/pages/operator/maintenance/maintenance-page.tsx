import { TextInput } from '@mantine/core';
import type { MaintenanceView } from '@symbolon/protocol';
import { useState } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { Commands } from '../../../parts/operator/commands.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { useKeptInTab } from '../../../parts/use-kept-in-tab.ts';
import { When } from '../../../parts/when.tsx';
import { type MaintenanceState, maintenanceQuery, setMaintenance } from '../../../platform/operator/care.ts';
import { OPERATOR_FORMS } from '../../../platform/operator/session.ts';
import { readinessQuery } from '../../../platform/operator/watch.ts';
import { type Read, useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';

export function MaintenancePage() {
  return (
    <OperatorPage>
      <Maintenance />
    </OperatorPage>
  );
}

const STATES = ['writes_paused', 'out_of_order'] as const;

/** Switches that say what they do before they are used. */
function Maintenance() {
  const { t } = useOperatorText();
  const view = useRead(maintenanceQuery);
  return (
    <Page title={t('maintenance.title')} lead={t('maintenance.lead')}>
      <Loaded of={view} height={260}>
        {(found) => STATES.map((state) => <Switch key={state} state={state} view={found} of={view} />)}
      </Loaded>
      <Commands lines={['pause --reason REASON', 'resume', 'out-of-order on', 'out-of-order off']} />
    </Page>
  );
}

function Switch(props: { state: MaintenanceState; view: MaintenanceView; of: Read<MaintenanceView> }) {
  const { state, view, of } = props;
  const { t } = useOperatorText();
  const { found: process } = useRead(readinessQuery);
  const [isAsking, setIsAsking] = useState(false);
  const { value, change, drop } = useKeptInTab(`${OPERATOR_FORMS}${state}`, () => ({ reason: '' }));
  const { reason } = value;
  const since = view[state];
  const isOn = since !== null;
  const act = async () => {
    const next = await setMaintenance(state, !isOn, reason.trim());
    of.change(() => next);
    change({ reason: '' });
    drop();
  };
  return (
    <Group title={t(`maintenance.${state}`)}>
      <List label={t(`maintenance.${state}`)}>
        <Row
          title={t(isOn ? `maintenance.${state}.on` : 'maintenance.off')}
          detail={
            since === null ? (
              t(`maintenance.${state}.text`)
            ) : (
              <>
                <When at={since.since} />
                {since.reason !== null && ` · ${since.reason}`}
              </>
            )
          }
          trailing={
            <ActButton variant={isOn ? 'filled' : 'default'} size="sm" onClick={() => setIsAsking(true)}>
              {t(isOn ? `maintenance.${state}.end` : `maintenance.${state}.begin`)}
            </ActButton>
          }
        />
      </List>
      {isAsking && (
        <ActSheet
          title={t(isOn ? `maintenance.${state}.end` : `maintenance.${state}.begin`)}
          text={<Follows state={state} isOn={isOn} />}
          label={t(isOn ? `maintenance.${state}.end` : `maintenance.${state}.begin`)}
          danger={!isOn}
          // What stops everybody is not done by a slip.
          typed={!isOn && state === 'out_of_order' ? (process?.process.region ?? 'out of order') : undefined}
          close={() => setIsAsking(false)}
          act={act}
        >
          {!isOn && (
            <TextInput
              label={t('maintenance.reason')}
              description={t('maintenance.reason.hint')}
              autoComplete="off"
              maxLength={200}
              value={reason}
              onChange={(event) => change({ reason: event.currentTarget.value })}
            />
          )}
        </ActSheet>
      )}
    </Group>
  );
}

function Follows({ state, isOn }: { state: MaintenanceState; isOn: boolean }) {
  const { t } = useOperatorText();
  if (isOn) return t('maintenance.ends');
  return (
    <ul>
      {(['calls', 'reads', 'work', 'way'] as const).map((what) => (
        <li key={what}>{t(`maintenance.${state}.${what}`)}</li>
      ))}
    </ul>
  );
}
