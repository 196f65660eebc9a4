import { Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** One subject of a page. */
export function Section({
  title,
  lead,
  id,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** Where an address with it leads. */
  id?: string;
  children: ReactNode;
}) {
  const heading = useId();
  return (
    <Paper component="section" id={id} withBorder p="lg" aria-labelledby={heading}>
      <Stack gap="md">
        <Stack gap={4}>
          <Title order={2} id={heading}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </Paper>
  );
}
