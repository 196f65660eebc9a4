import { Button } from '@mantine/core';
import type { PersonFileContent } from '@symbolon/sdk/device';
import { useState } from 'react';
import { FileContent } from '../../../parts/file-content.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Opening } from '../../../parts/opening.tsx';
import type { Query } from '../../../platform/queries.ts';
import { useRead } from '../../../platform/read.ts';
import type { Report } from '../../../platform/uploads.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';

interface Props {
  /** The question that the file answers. */
  readonly label: string;
  /** Opens the file, and tells how much of it has come. */
  readonly query: (report: Report) => Query<PersonFileContent>;
}

/** A file that answers a question. It is fetched and opened when somebody asks for it. */
export function AnswerFile(props: Props) {
  const { t } = usePortalText();
  const [isOpened, setOpened] = useState(false);
  const { label } = props;
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        h={36}
        aria-label={t('customer.file.open.of', { label })}
        onClick={() => setOpened(true)}
      >
        {t('customer.file.open')}
      </Button>
      <Sheet title={label} opened={isOpened} close={() => setOpened(false)} closeLabel={t('app.close')}>
        {isOpened && <Opened {...props} />}
      </Sheet>
    </>
  );
}

function Opened({ label, query }: Props) {
  const { t } = usePortalText();
  const [come, setCome] = useState(0);
  const read = useRead(query(setCome));
  const { found: content } = read;
  if (content === undefined) return <Loaded of={read} waiting={<Opening come={come} height={160} />} />;
  return (
    <FileContent content={content} label={label} downloadLabel={(name) => t('fields.download', { name })} />
  );
}
