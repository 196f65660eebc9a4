import { Stack } from '@mantine/core';
import type { ResolvedFieldType } from '@symbolon/field-types';
import { type FormEvent, useState } from 'react';
import { type Chosen, checkSize, placesOf } from '../../platform/chosen-file.ts';
import type { NewContent } from '../../platform/files.ts';
import type { Report } from '../../platform/uploads.ts';
import { ActButtons } from '../act-buttons.tsx';
import { Problem, useAct } from '../problem.tsx';
import { FilesInput, Sending } from './files-input.tsx';

type Props = {
  type: ResolvedFieldType;
  /** What the files are for, in the name of each button. */
  label: string;
  submit: string;
  save: (content: NewContent, report: Report) => Promise<void>;
  cancel?: (() => void) | undefined;
};

/** Files of one field: chosen or taken with the camera, looked at, and sealed here. */
export function FileForm({ type, label, submit, save, cancel }: Props) {
  const { busy, error, run, clear } = useAct();
  const [chosen, setChosen] = useState<Chosen>({});
  const [entries, setEntries] = useState<Readonly<Record<string, string>>>({});
  const [sent, setSent] = useState<number>();
  const [first = 'file'] = placesOf(type);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a page that has another one: only these files are meant.
    event.stopPropagation();
    run(async () => {
      checkSize(chosen);
      await save({ type, chosen, entries }, setSent).finally(() => setSent(undefined));
    });
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <FilesInput
          type={type}
          label={label}
          chosen={chosen}
          entries={entries}
          change={(files, texts) => {
            clear();
            setChosen(files);
            setEntries(texts);
          }}
        />
        <Problem error={error} />
        <Sending sent={sent} />
        <ActButtons
          variant="light"
          label={submit}
          busy={busy}
          disabled={chosen[first] === undefined}
          cancel={cancel}
        />
      </Stack>
    </form>
  );
}
