import { Button } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { Note } from '../ui/note.tsx';

/** At a sign-in: somebody is signed in here already. @param said who, and since when */
export function WhoIsIn({ said, go, label }: { said: string; go: () => void; label: string }) {
  return (
    <>
      <Note icon={IconUserCheck} tone="accent">
        {said}
      </Note>
      <Button variant="default" onClick={go}>
        {label}
      </Button>
    </>
  );
}
