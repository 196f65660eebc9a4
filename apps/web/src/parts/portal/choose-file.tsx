import { Button, FileButton, Group, Text } from '@mantine/core';
import { usePortalText } from '../../text/portal/index.tsx';

/** A button that chooses a file, and the name of the one that is chosen. */
export function ChooseFile(props: {
  label: string;
  accept: string;
  file: File | null;
  choose: (file: File | null) => void;
}) {
  const { label, accept, file, choose } = props;
  const { t } = usePortalText();
  return (
    <Group>
      <FileButton onChange={choose} accept={accept}>
        {(button) => (
          <Button {...button} variant="default">
            {label}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {file?.name ?? t('copy.key.noFile')}
      </Text>
    </Group>
  );
}
