import { Button, FileButton, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ResolvedFieldType } from '@symbolon/field-types';
import { useId } from 'react';
import {
  acceptOf,
  type Chosen,
  type ChosenFile,
  FILES_MOST_MIB,
  isPicture,
  type Place,
  placesOf,
  readChosen,
} from '../../platform/chosen-file.ts';
import { useText } from '../../text/index.tsx';
import { useDataUri } from '../data-uri.ts';
import { useFieldLabel } from '../field-label.ts';
import { Problem, useAct } from '../problem.tsx';
import { useSize } from '../size.ts';
import { ValueInput } from './field-input.tsx';
import classes from './file-form.module.css';

/** The files of one field, and what the type has beside them. */
export interface FilesContent {
  readonly chosen: Chosen;
  readonly entries: Readonly<Record<string, string>>;
}

/** The files of one field and what the type has beside them: chosen or taken with the camera, and looked at. */
export function FilesInput(props: {
  type: ResolvedFieldType;
  label: string;
  content: FilesContent;
  /** Reading a file takes a while: what was typed and chosen meanwhile is in what `update` is given. */
  change: (update: (now: FilesContent) => FilesContent) => void;
  /** One more file is being read, or one less. */
  reading: (by: 1 | -1) => void;
}) {
  const { type, label, content, change, reading } = props;
  const { chosen, entries } = content;
  const { t } = useText();
  const labelOf = useFieldLabel();
  const places = placesOf(type);
  const choose = (place: Place, file: ChosenFile | undefined) =>
    change((now) => {
      const { [place]: _, ...others } = now.chosen;
      return { ...now, chosen: file === undefined ? others : { ...others, [place]: file } };
    });
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('files.most', { most: FILES_MOST_MIB })} {type.lane === 'photo' && t('files.photo')}
      </Text>
      {places.map((place, index) => (
        <PlaceOfFile
          key={place}
          type={type}
          label={place === 'file' ? label : t(`files.${place}`)}
          only={places.length === 1}
          optional={index > 0}
          file={chosen[place]}
          choose={(file) => choose(place, file)}
          reading={reading}
        />
      ))}
      {(type.fields ?? []).map(({ key, input, options, required }) => (
        <ValueInput
          key={key}
          label={labelOf.member(key)}
          input={input}
          options={options}
          required={required}
          value={entries[key] ?? ''}
          change={(value) => change((now) => ({ ...now, entries: { ...now.entries, [key]: value } }))}
        />
      ))}
    </>
  );
}

/** How much of files was sent. */
export function Sending({ sent }: { sent: number | undefined }) {
  const { t } = useText();
  if (sent === undefined) return null;
  return (
    <div role="status">
      <Text size="sm">{t('files.sending')}</Text>
      <Progress value={sent * 100} aria-label={t('files.sending')} />
    </div>
  );
}

function PlaceOfFile(props: {
  type: ResolvedFieldType;
  label: string;
  /** The form is named after it already. */
  only: boolean;
  optional: boolean;
  file: ChosenFile | undefined;
  choose: (file: ChosenFile | undefined) => void;
  reading: (by: 1 | -1) => void;
}) {
  const { type, label, only, optional, file, choose, reading } = props;
  const { t } = useText();
  const size = useSize();
  const heading = useId();
  const { busy, error, run } = useAct();
  const picture = useDataUri(file && isPicture(file) ? file.bytes : undefined, file?.mimeType);
  const accept = acceptOf(type);
  const read = (given: File | null) =>
    given !== null &&
    run(async () => {
      reading(1);
      await readChosen(given, type)
        .then(choose)
        .finally(() => reading(-1));
    });
  const mayTake = accept?.startsWith('image/*') && matchMedia('(pointer: coarse)').matches;
  return (
    <Stack gap="xs" role="group" aria-labelledby={heading}>
      {only ? (
        <VisuallyHidden id={heading}>{label}</VisuallyHidden>
      ) : (
        <Group gap="xs" id={heading}>
          <Text fw={550}>{label}</Text>
          {optional && <Text c="dimmed">{t('consent.optional')}</Text>}
        </Group>
      )}
      {file && (
        <Group gap="sm" wrap="nowrap" role="status">
          {picture && <img src={picture} alt={t('files.preview', { label })} className={classes.preview} />}
          <Text size="sm" className={classes.name}>
            {file.name} · {size(file.bytes.length)}
          </Text>
        </Group>
      )}
      <Problem error={error} />
      <Group gap="xs">
        {mayTake && (
          <FileButton accept="image/*" capture="environment" onChange={read}>
            {(button) => (
              <Button {...button} variant="default" loading={busy}>
                {t('files.camera')}
              </Button>
            )}
          </FileButton>
        )}
        <FileButton {...(accept !== undefined && { accept })} onChange={read}>
          {(button) => (
            <Button {...button} variant="default" loading={busy}>
              {t(file ? 'files.another' : 'files.choose')}
            </Button>
          )}
        </FileButton>
        {file && optional && (
          <Button variant="subtle" color="gray" onClick={() => choose(undefined)}>
            {t('files.leaveOut')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
