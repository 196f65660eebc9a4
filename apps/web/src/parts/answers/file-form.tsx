import { Stack } from '@mantine/core';
import type { ResolvedFieldType } from '@symbolon/field-types';
import { type FormEvent, useEffect, useState } from 'react';
import { checkSize, placesOf, readChosen } from '../../platform/chosen-file.ts';
import type { NewContent } from '../../platform/files.ts';
import type { Report } from '../../platform/uploads.ts';
import { ActButtons } from '../act-buttons.tsx';
import { Problem, useAct } from '../problem.tsx';
import { type FilesContent, FilesInput, Sending } from './files-input.tsx';

type Props = {
  type: ResolvedFieldType;
  /** What the files are for, in the name of each button. */
  label: string;
  submit: string;
  /** That the person has chosen elsewhere. */
  chosen?: File | undefined;
  save: (content: NewContent, report: Report) => Promise<void>;
  cancel?: (() => void) | undefined;
};

/** Files of one field: chosen or taken with the camera, looked at, and sealed here. */
export function FileForm({ type, label, submit, chosen, save, cancel }: Props) {
  const { busy, error, run, clear } = useAct();
  const [content, setContent] = useState<FilesContent>({ chosen: {}, entries: {} });
  const [reading, setReading] = useState(0);
  const [sent, setSent] = useState<number>();
  const [first = 'file'] = placesOf(type);
  useEffect(() => {
    if (chosen === undefined) return;
    run(async () => {
      const file = await readChosen(chosen, type);
      setContent((now) => ({ ...now, chosen: { ...now.chosen, [first]: file } }));
    });
  }, [chosen, type, first, run]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a page that has another one: only these files are meant.
    event.stopPropagation();
    run(async () => {
      checkSize(content.chosen);
      await save({ type, ...content }, setSent).finally(() => setSent(undefined));
    });
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <FilesInput
          type={type}
          label={label}
          content={content}
          change={(update) => {
            clear();
            setContent(update);
          }}
          reading={(by) => setReading((files) => files + by)}
        />
        <Problem error={error} />
        <Sending sent={sent} />
        <ActButtons
          variant="light"
          label={submit}
          busy={busy}
          disabled={content.chosen[first] === undefined || reading > 0}
          cancel={cancel}
        />
      </Stack>
    </form>
  );
}
