import { Button } from '@mantine/core';
import type { CompanyConnection } from '@symbolon/protocol';
import { useState } from 'react';
import { FileContent } from '../../../parts/file-content.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Opening } from '../../../parts/opening.tsx';
import { answerFileQuery } from '../../../platform/portal/copies.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';

interface Props {
  readonly serviceId: string;
  readonly customer: CompanyConnection;
  /** The question that the file answers. */
  readonly row: { readonly id: string; readonly slug: string; readonly label: string };
}

/** A file with which a customer answered. It is fetched and opened when somebody asks for it. */
export function AnswerFile(props: Props) {
  const { t } = usePortalText();
  const [isOpened, setOpened] = useState(false);
  const { label } = props.row;
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

function Opened({ serviceId, customer, row }: Props) {
  const { t } = usePortalText();
  const [come, setCome] = useState(0);
  const read = useRead(answerFileQuery(serviceId, customer, { rowId: row.id, slug: row.slug }, setCome));
  const { found: content } = read;
  if (content === undefined) return <Loaded of={read} waiting={<Opening come={come} height={160} />} />;
  return (
    <FileContent
      content={content}
      label={row.label}
      downloadLabel={(name) => t('fields.download', { name })}
    />
  );
}
