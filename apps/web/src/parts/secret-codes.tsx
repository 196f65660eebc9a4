import { Button, Code, Group, Stack } from '@mantine/core';
import { useText } from '../text/index.tsx';
import { CopyButton } from './copy-button.tsx';
import { download } from './download.ts';
import classes from './secret-codes.module.css';

type Props = {
  label: string;
  /** Shown one beside the other. */
  groups: readonly string[];
  /** As it is copied. */
  value: string;
  file: string;
  fileText: string;
  /** Whether it is also meant for paper. */
  print?: boolean;
};

/** A secret that is shown once, to copy or download. */
export function SecretCodes({ label, groups, value, file, fileText, print = false }: Props) {
  const { t } = useText();
  return (
    <Stack gap="sm">
      <Code
        block
        className={classes.codes}
        data-whole={groups.length === 1 || undefined}
        aria-label={label}
        role="group"
        data-testid="secret"
      >
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one secret never change places
          <span key={index}>{group} </span>
        ))}
      </Code>
      <Group grow preventGrowOverflow={false} className={classes.acts ?? ''}>
        <CopyButton value={value} />
        <Button
          variant="default"
          onClick={() => download(file, new Blob([fileText], { type: 'text/plain' }))}
        >
          {t('app.download')}
        </Button>
        {print && (
          <Button variant="default" onClick={() => window.print()}>
            {t('app.print')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
