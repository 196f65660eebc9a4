import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { useText } from '../text/index.tsx';
import { RowButton } from '../ui/list.tsx';
import { Sheet } from '../ui/sheet.tsx';

type RowParts = Omit<ComponentProps<typeof RowButton>, 'onClick'>;

/** A row that opens a sheet with one act. @param props.hash the part of the address that opens it, too */
export function RowSheet({
  heading,
  hash,
  children,
  ...row
}: RowParts & {
  /** Of the sheet. */
  heading: string;
  hash?: string;
  children: (close: () => void) => ReactNode;
}) {
  const { t } = useText();
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (hash !== undefined && location.hash === `#${hash}`) setOpened(true);
  }, [hash]);
  const close = () => setOpened(false);
  return (
    <>
      <RowButton {...row} onClick={() => setOpened(true)} />
      <Sheet title={heading} opened={opened} close={close} closeLabel={t('app.close')}>
        {children(close)}
      </Sheet>
    </>
  );
}
