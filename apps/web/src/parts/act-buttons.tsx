import { Button, Group } from '@mantine/core';
import { useText } from '../text/index.tsx';

/** What a form or a question does, and the way out of it. */
export function ActButtons(props: {
  label: string;
  busy: boolean;
  /** Without it, the button submits its form. */
  act?: () => void;
  cancel?: (() => void) | undefined;
  disabled?: boolean;
  color?: string;
  variant?: 'light';
}) {
  const { label, busy, act, cancel, ...button } = props;
  const { t } = useText();
  return (
    <Group>
      <Button {...button} type={act ? 'button' : 'submit'} loading={busy} {...(act && { onClick: act })}>
        {label}
      </Button>
      {cancel && (
        <Button variant="subtle" color="gray" onClick={cancel} disabled={busy}>
          {t('app.cancel')}
        </Button>
      )}
    </Group>
  );
}
