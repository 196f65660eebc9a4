import { IconCamera } from '@tabler/icons-react';
import type { useOwnPhoto } from '../../parts/own-photo.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { RowLink } from '../../ui/list.tsx';

/** Where the person's own photo is added, replaced and deleted: it is one of their fields. */
export function PhotoRow({ field }: Pick<ReturnType<typeof useOwnPhoto>, 'field'>) {
  const { t } = useInsideText();
  return (
    <RowLink
      to="/me/fields"
      search={field === null ? { add: 'photo' } : { ...(field && { field: field.id }) }}
      parts={{
        leading: <IconTile icon={IconCamera} />,
        title: t('account.photo'),
        detail: t(field === null ? 'account.photo.none' : 'account.photo.text'),
      }}
    />
  );
}
