import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { SymbolonError } from '@symbolon/sdk/device';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { useKeptInTab } from '../../../parts/use-kept-in-tab.ts';
import { addFieldType } from '../../../platform/operator/care.ts';
import { OPERATOR_FORMS } from '../../../platform/operator/session.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Note } from '../../../ui/note.tsx';
import { Sheet } from '../../../ui/sheet.tsx';

const EXAMPLE = JSON.stringify(
  { type: 'member_number', parent: 'text', label: 'Member number', validation: '[0-9]{6}' },
  null,
  2,
);

/** A row of the registry as JSON: it is checked, without being added, before it can be. */
export function AddTypeSheet({ close, added }: { close: () => void; added: () => Promise<void> }) {
  const { t } = useOperatorText();
  const { busy, error, run, clear } = useAct();
  const { value, change, drop } = useKeptInTab(`${OPERATOR_FORMS}type`, () => ({ text: EXAMPLE }));
  const { text } = value;
  const [checked, setChecked] = useState<string>();
  const row = rowIn(text);
  const check = () =>
    run(async () => {
      await addFieldType(row, { dryRun: true });
      setChecked(text);
    });
  const add = () =>
    run(async () => {
      await addFieldType(row, { dryRun: false });
      drop();
      await added();
      close();
    });
  const isGood = checked === text;
  return (
    <Sheet title={t('types.add')} opened close={close} closeLabel={t('app.close')}>
      <Stack>
        <Text size="sm">{t('types.add.text')}</Text>
        <Textarea
          label={t('types.row')}
          autoComplete="off"
          spellCheck={false}
          autosize
          minRows={6}
          maxRows={16}
          ff="monospace"
          value={text}
          error={row === undefined && t('types.noJson')}
          onChange={(event) => {
            change({ text: event.currentTarget.value });
            clear();
          }}
        />
        <Problem error={error}>
          <Issues error={error} />
        </Problem>
        {isGood && (
          <Note icon={IconCircleCheck} tone="good">
            <span role="status">{t('types.good')}</span>
          </Note>
        )}
        <Group>
          {isGood ? (
            <Button loading={busy} onClick={add}>
              {t('types.add.do')}
            </Button>
          ) : (
            <Button loading={busy} disabled={row === undefined} onClick={check}>
              {t('types.check')}
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            disabled={busy}
            onClick={() => {
              drop();
              close();
            }}
          >
            {t('app.cancel')}
          </Button>
        </Group>
      </Stack>
    </Sheet>
  );
}

/** What the platform says of each part of the row. */
function Issues({ error }: { error: unknown }) {
  const issues = error instanceof SymbolonError ? error.details.issues : undefined;
  if (!Array.isArray(issues)) return null;
  return (
    <ul>
      {issues.map(({ path, message }: { path: string; message: string }) => (
        <li key={`${path} ${message}`}>
          {path} {message}
        </li>
      ))}
    </ul>
  );
}

function rowIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
