import { Button, Text } from '@mantine/core';
import type { RequestFieldInput, Service } from '@symbolon/protocol';
import { kindOf } from '../../../parts/field-icon.ts';
import type { FieldTypes } from '../../../platform/fields.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { IconTile } from '../../../ui/icon.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Status } from '../../../ui/status.tsx';
import classes from './phone-preview.module.css';
import { Reason } from './reason.tsx';

/** What a person sees before connecting, with examples in place of answers. */
export function PhonePreview(props: {
  service: Service;
  rows: readonly RequestFieldInput[];
  types: FieldTypes;
}) {
  const { service, rows, types } = props;
  const { t } = usePortalText();
  const asked = rows.filter(({ audience = 'both' }) => audience !== 'company');
  return (
    <aside className={classes.phone} aria-label={t('asks.preview')}>
      <Text size="sm" c="dimmed" fw={600}>
        {t('asks.preview')}
      </Text>
      <div className={classes.screen}>
        <div className={classes.who}>
          <Avatar name={service.name} size={36} />
          <Text fw={650}>{service.name}</Text>
        </div>
        {asked.length > 0 && (
          <List>
            {asked.map((row) => {
              const { slug, label, type, one_time: isOnce, mandatory_provide: isRequired } = row;
              const { icon, example } = kindOf(type, types);
              const shown = example ?? (isRequired ? undefined : t('asks.preview.optional'));
              return (
                <Row
                  key={slug}
                  leading={<IconTile icon={icon} />}
                  title={label}
                  {...((shown ?? row.reason) && {
                    detail: (
                      <>
                        {shown}
                        <Reason of={row} />
                      </>
                    ),
                  })}
                  trailing={
                    <Status tone={isOnce ? 'neutral' : 'good'}>
                      {t(isOnce ? 'asks.live.once' : 'asks.live.yes')}
                    </Status>
                  }
                />
              );
            })}
          </List>
        )}
        {/* Only a picture of the button. */}
        <Button component="span" fullWidth aria-hidden="true">
          {t('asks.preview.share')}
        </Button>
      </div>
    </aside>
  );
}
