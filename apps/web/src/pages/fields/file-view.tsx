import { useState } from 'react';
import { FileContent } from '../../parts/file-content.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Opening } from '../../parts/opening.tsx';
import type { OpenField } from '../../platform/fields.ts';
import { fileQuery } from '../../platform/files.ts';
import { useRead } from '../../platform/read.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** The file of a field, opened here. */
export function FileView({ field }: { field: OpenField }) {
  const { t } = useInsideText();
  const [come, setCome] = useState(0);
  const read = useRead(fileQuery(field.id, setCome));
  const { found: content } = read;
  if (content === undefined) return <Loaded of={read} waiting={<Opening come={come} height={160} />} />;
  return (
    <FileContent
      content={content}
      label={field.label}
      downloadLabel={(name) => t('fields.download', { name })}
    />
  );
}
