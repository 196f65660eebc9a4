import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { download } from '../../parts/download.ts';
import { useFieldLabel } from '../../parts/field-label.ts';
import { Problem, useAct } from '../../parts/problem.tsx';
import { type Bytes, pictureOf } from '../../platform/chosen-file.ts';
import type { OpenField } from '../../platform/fields.ts';
import { openFile, type PersonFileContent } from '../../platform/files.ts';
import { useText } from '../../text/index.tsx';
import classes from './fields.module.css';

/** What is in a file, opened here: pictures are shown, everything can be downloaded. */
export function FileView({ field }: { field: OpenField }) {
  const { t } = useText();
  const labelOf = useFieldLabel();
  const { error, run } = useAct();
  const [content, setContent] = useState<PersonFileContent>();
  const load = useCallback(() => run(async () => setContent(await openFile(field.id))), [field.id, run]);
  useEffect(() => {
    load();
  }, [load]);
  if (content === undefined)
    return error === undefined ? <Skeleton h={160} radius={8} /> : <Problem error={error} retry={load} />;
  // The thumbnail is the same picture again.
  const files = content.files.filter(({ label }) => label !== 'thumb');
  return (
    <Stack gap="md">
      {files.map(({ label, name, mimeType, bytes }) => {
        const place = label === 'front' || label === 'back' || label === 'additional' ? label : undefined;
        const shown = place === undefined ? field.label : t(`files.${place}`);
        const picture = pictureOf({ mimeType, bytes });
        const fileName = name ?? field.label;
        return (
          <Stack key={label} gap="xs">
            {place !== undefined && <Text fw={550}>{shown}</Text>}
            {picture && (
              <img src={picture} alt={t('files.preview', { label: shown })} className={classes.picture} />
            )}
            <Group>
              <Button
                variant="default"
                onClick={() => download(fileName, new Blob([bytes as Bytes], { type: mimeType }))}
              >
                {t('fields.download', { name: fileName })}
              </Button>
            </Group>
          </Stack>
        );
      })}
      {Object.entries(content.entries).map(([key, value]) => (
        <Text key={key} size="sm">
          {labelOf.member(key)}: {value}
        </Text>
      ))}
    </Stack>
  );
}
