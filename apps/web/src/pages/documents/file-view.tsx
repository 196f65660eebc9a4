import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { OpenDocumentFile } from '@symbolon/sdk/device';
import { lazy, Suspense, useEffect } from 'react';
import { useDataUri } from '../../parts/data-uri.ts';
import { download } from '../../parts/download.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { isPdf, pictureType } from './file-kind.ts';
import classes from './file-view.module.css';
import type { End } from './pdf-bar.tsx';
import type { Shows } from './pdf-view.tsx';
import { Unviewable } from './unviewable.tsx';

const PdfView = lazy(() =>
  import('./pdf-view.tsx').then(({ PdfView: component }) => ({ default: component })),
);

type Props = { file: OpenDocumentFile; shown?: Shows; end?: End | undefined };

/** A file of a document: shown where the page can, and to keep. */
export function FileView({ file, shown, end }: Props) {
  const { t, language } = useInsideText();
  const { name, bytes, mimeType } = file;
  const size = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: bytes.length < 1e6 ? 'kilobyte' : 'megabyte',
    maximumFractionDigits: 1,
  }).format(bytes.length / (bytes.length < 1e6 ? 1e3 : 1e6));
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed" className={classes.name}>
          {name} · {size}
        </Text>
        <Button variant="default" onClick={() => download(name, new Blob([bytes], { type: mimeType }))}>
          {t('app.download')}
        </Button>
      </Group>
      <Shown file={file} {...(shown && { shown })} end={end} />
    </Stack>
  );
}

function Shown({ file: { bytes, name }, shown, end }: Props) {
  const { t } = useInsideText();
  const picture = pictureType(bytes);
  const isDrawn = isPdf(bytes);
  useEffect(() => {
    // Of a PDF its view says it.
    if (!isDrawn) shown?.(picture !== undefined);
  }, [isDrawn, picture, shown]);
  if (isDrawn)
    return (
      <Suspense fallback={<Skeleton h={480} radius={8} />}>
        <PdfView bytes={bytes} name={name} {...(shown && { shown })} end={end} />
      </Suspense>
    );
  if (picture !== undefined) return <Picture bytes={bytes} type={picture} name={name} />;
  return <Unviewable text={t('documents.noView')} />;
}

/** The policy of the pages lets pictures stand in the page itself, and takes none from other addresses. */
function Picture({ bytes, type, name }: { bytes: Uint8Array; type: string; name: string }) {
  const source = useDataUri(bytes, type);
  return source === undefined ? (
    <Skeleton h={320} radius={8} />
  ) : (
    <img src={source} alt={name} className={classes.picture} />
  );
}
