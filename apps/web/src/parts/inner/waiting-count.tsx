import { Badge, VisuallyHidden } from '@mantine/core';
import { useText } from '../../text/index.tsx';

/** How many things wait; nothing where none do. */
export function WaitingCount({ count: waiting }: { count: number }) {
  const { count } = useText();
  if (waiting === 0) return null;
  return (
    <>
      <Badge component="span" px={7} miw="fit-content" aria-hidden>
        {waiting > 99 ? '99+' : waiting}
      </Badge>
      <VisuallyHidden component="span">{count('app.waiting', waiting)}</VisuallyHidden>
    </>
  );
}
