import { Alert, Button, Stack, Text } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { Problem, useAct } from '../../parts/problem.tsx';
import { type OpenRun, takeParties } from '../../platform/flows/runs.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** Whether the run has other parties than when it was first opened, so that nothing was sealed. */
export const hasNewParties = (error: unknown): error is SymbolonError =>
  error instanceof SymbolonError && error.errorKey === 'sdk.owner_changed' && 'run_id' in error.details;

type Props = { open: OpenRun; error: SymbolonError; taken: () => void };

/** Who takes part now and did not before: the person decides whether they get what is sent. */
export function NewParties({ open, error, taken }: Props) {
  const { t } = useInsideText();
  const act = useAct();
  const { run, state } = open;
  const company = run.company.display_name;
  const added = error.details.added as readonly string[];
  const isNew = (id: string | undefined) => added.includes(`person ${id}`);
  const parties = state.definition.parties.filter(({ key }) => isNew(run.bindings[key]));
  const names = parties.map(({ label }) => label).join(', ') || company;
  const take = () =>
    act.run(async () => {
      await takeParties(open);
      taken();
    });
  return (
    <Alert color="red" variant="light" title={t('flows.parties.new')} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('flows.parties.new.text', { parties: names, company })}</Text>
        <Problem error={act.error} />
        <Button color="red" loading={act.busy} mih={44} onClick={take}>
          {t('flows.parties.take')}
        </Button>
      </Stack>
    </Alert>
  );
}
