import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useDataUri } from '../../parts/data-uri.ts';
import { download } from '../../parts/download.ts';
import { useFieldLabel } from '../../parts/field-label.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Opening } from '../../parts/opening.tsx';
import { type Bytes, isPicture } from '../../platform/chosen-file.ts';
import type { OpenField } from '../../platform/fields.ts';
import { fileQuery } from '../../platform/files.ts';
import { useRead } from '../../platform/read.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import classes from './fields.module.css';

/** What is in a file, opened here: pictures are shown, everything can be downloaded. */
export function FileView({ field }: { field: OpenField }) {
  const { t } = useInsideText();
  const labelOf = useFieldLabel();
  const [come, setCome] = useState(0);
  const read = useRead(fileQuery(field.id, setCome));
  const { found: content } = read;
  if (content === undefined) return <Loaded of={read} waiting={<Opening come={come} height={160} />} />;
  // The thumbnail is the same picture again.
  const files = content.files.filter(({ label }) => label !== 'thumb');
  return (
    <Stack gap="md">
      {files.map(({ label, name, mimeType, bytes }) => {
        const place = label === 'front' || label === 'back' || label === 'additional' ? label : undefined;
        const shown = place === undefined ? field.label : t(`files.${place}`);
        const fileName = name ?? field.label;
        return (
          <Stack key={label} gap="xs">
            {place !== undefined && <Text fw={550}>{shown}</Text>}
            {isPicture({ mimeType }) && (
              <Picture bytes={bytes} mimeType={mimeType} alt={t('files.preview', { label: shown })} />
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

function Picture({ bytes, mimeType, alt }: { bytes: Uint8Array; mimeType: string; alt: string }) {
  const source = useDataUri(bytes, mimeType);
  return source === undefined ? null : <img src={source} alt={alt} className={classes.picture} />;
}
