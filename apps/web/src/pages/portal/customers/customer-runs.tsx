import type { ListedFlowRun } from '@symbolon/protocol';
import { LoadedList } from '../../../parts/loaded.tsx';
import { runName } from '../../../parts/run-name.ts';
import { customerRunsQuery } from '../../../platform/portal/customers.ts';
import { columnOf, stateOf } from '../../../platform/portal/run-column.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, RowLink } from '../../../ui/list.tsx';
import { Status } from '../../../ui/status.tsx';
import { StartLink } from '../runs/start-link.tsx';
import { RUN_TONES } from '../runs/state.ts';

/** The flows in which the customer takes part, the latest first, and whom each waits for. */
export function CustomerRuns({ serviceId, connectionId }: { serviceId: string; connectionId: string }) {
  const { t, language } = usePortalText();
  const read = useRead(customerRunsQuery(serviceId, connectionId));
  return (
    <Group
      title={t('customer.runs')}
      aside={<StartLink serviceId={serviceId} search={{ customer: connectionId }} />}
    >
      <LoadedList
        of={{ ...read, found: read.found?.runs }}
        none={t('customer.runs.none')}
        noneText={t('customer.runs.none.text')}
      >
        {(runs) => (
          <List label={t('customer.runs')}>
            {runs.map((run) => (
              <RowLink
                key={run.id}
                to="/portal/services/$serviceId/flows/$flowId/runs/$runId"
                params={{ serviceId, flowId: run.flow_id, runId: run.id }}
                parts={{
                  title: runName(run.flow_name || t('flow.unnamed'), run, language),
                  trailing: <RunStatus run={run} />,
                }}
              />
            ))}
          </List>
        )}
      </LoadedList>
    </Group>
  );
}

function RunStatus({ run }: { run: ListedFlowRun }) {
  const { t } = usePortalText();
  const state = stateOf(run);
  if (state !== 'waiting') return <Status tone={RUN_TONES[state]}>{t(`run.state.${state}`)}</Status>;
  return (
    <Status tone="warn">
      {t(columnOf(run) === 'company' ? 'customer.run.ours' : 'customer.run.theirs')}
    </Status>
  );
}
