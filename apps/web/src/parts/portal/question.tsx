import { Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** A question in front of the page. The focus stays in it until it is answered or closed. */
export function Question({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: ReactNode;
}) {
  return (
    // Locking the page behind it takes a style that the policy of the pages does not allow.
    <Modal.Root opened onClose={close} centered lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content>
        {/* Not in a header: the page has one. */}
        <Modal.Body pt="lg">
          <Stack>
            <Modal.Title fw={650}>{title}</Modal.Title>
            {children}
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
