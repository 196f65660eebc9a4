import { Text } from '@mantine/core';

/** In the place of a file that the page cannot show. */
export function Unviewable({ text }: { text: string }) {
  return (
    <Text c="dimmed" p="lg" role="status">
      {text}
    </Text>
  );
}
