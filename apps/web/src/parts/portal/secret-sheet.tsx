import { Button, Stack, Text } from '@mantine/core';
import { usePortalText } from '../../text/portal/index.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { SecretCodes } from '../secret-codes.tsx';

/** A secret that the platform has just made, and shows this once. */
export function SecretSheet(props: {
  title: string;
  lead: string;
  label: string;
  secret: string;
  /** Of the file that it is saved as. */
  file: string;
  fileText: string;
  close: () => void;
}) {
  const { title, lead, label, secret, file, fileText, close } = props;
  const { t } = usePortalText();
  return (
    <Sheet title={title} opened close={close} closeLabel={t('app.close')}>
      <Stack>
        <Text size="sm">{lead}</Text>
        <SecretCodes label={label} groups={[secret]} value={secret} file={file} fileText={fileText} />
        <Button onClick={close}>{t('access.done')}</Button>
      </Stack>
    </Sheet>
  );
}

/** A client's credentials, as the SDK and the command line read them. */
export function clientFile({
  client_id,
  client_secret,
}: {
  client_id: string;
  client_secret: string;
}): string {
  return `${JSON.stringify({ base_url: location.origin, client_id, client_secret }, null, 2)}\n`;
}
