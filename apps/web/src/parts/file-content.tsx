import { Button, Group, Stack, Text } from '@mantine/core';
import { type Bytes, isPicture } from '../platform/chosen-file.ts';
import type { PersonFileContent } from '../platform/files.ts';
import { useText } from '../text/index.tsx';
import { useDataUri } from './data-uri.ts';
import { download } from './download.ts';
import { useFieldLabel } from './field-label.ts';
import classes from './file-content.module.css';

/** What is in a file that was opened here: pictures are shown, everything can be downloaded. */
export function FileContent({
  content,
  label,
  downloadLabel,
}: {
  content: PersonFileContent;
  /** What it answers. */
  label: string;
  /** @param name of the file */
  downloadLabel: (name: string) => string;
}) {
  const { t } = useText();
  const labelOf = useFieldLabel();
  // The thumbnail is the same picture again.
  const files = content.files.filter((file) => file.label !== 'thumb');
  return (
    <Stack gap="md">
      {files.map(({ label: part, name, mimeType, bytes }) => {
        const place = part === 'front' || part === 'back' || part === 'additional' ? part : undefined;
        const shown = place === undefined ? label : t(`files.${place}`);
        const fileName = name ?? label;
        return (
          <Stack key={part} gap="xs">
            {place !== undefined && <Text fw={550}>{shown}</Text>}
            {isPicture({ mimeType }) && (
              <Picture bytes={bytes} mimeType={mimeType} alt={t('files.preview', { label: shown })} />
            )}
            <Group>
              <Button
                variant="default"
                onClick={() => download(fileName, new Blob([bytes as Bytes], { type: mimeType }))}
              >
                {downloadLabel(fileName)}
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
