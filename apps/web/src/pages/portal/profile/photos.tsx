import { Button, FileButton, Text } from '@mantine/core';
import type { Photo } from '@symbolon/protocol';
import { useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { LoadedList } from '../../../parts/loaded.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { deletePhoto, photosQuery, showOnProfile, uploadPhoto } from '../../../platform/portal/profile.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Status } from '../../../ui/status.tsx';

/** The photos of the company. One of them is that of its profile, and services show others. */
export function Photos({ mayEdit, changed }: { mayEdit: boolean; changed: () => Promise<unknown> }) {
  const { t } = usePortalText();
  const photos = useRead(photosQuery);
  const { busy, error, run } = useAct();
  const [deleting, setDeleting] = useState<Photo>();
  const act = (does: () => Promise<unknown>) =>
    run(async () => {
      await does();
      setDeleting(undefined);
      await Promise.all([photos.load(), changed()]);
    });
  const add = (file: File | null) =>
    file !== null &&
    act(async () => {
      const { id } = await uploadPhoto(file);
      if (photos.found?.every((photo) => !photo.is_profile)) await showOnProfile(id);
    });
  const nameOf = ({ label, created_at: at }: Photo, place: number) =>
    label ?? t('profile.photo.number', { number: place + 1, date: at.slice(0, 10) });
  return (
    <Group
      title={t('profile.photos')}
      lead={t('profile.photos.lead')}
      aside={
        mayEdit && (
          <FileButton accept="image/jpeg,image/png,image/webp" onChange={add}>
            {(props) => (
              <Button {...props} variant="default" size="sm" loading={busy}>
                {t('profile.photo.add')}
              </Button>
            )}
          </FileButton>
        )
      }
    >
      {deleting === undefined && <Problem error={error} />}
      <LoadedList of={photos} none={t('profile.photos.none')} noneText={t('profile.photos.none.text')}>
        {(found) => (
          <List label={t('profile.photos')}>
            {found.map((photo, place) => (
              <Row
                key={photo.id}
                leading={<Avatar name={nameOf(photo, place)} picture={photo.thumb_url} size={48} />}
                title={nameOf(photo, place)}
                detail={t('profile.photo.size', { width: photo.width, height: photo.height })}
                trailing={
                  <>
                    {photo.is_profile && <Status tone="good">{t('profile.photo.shown')}</Status>}
                    {mayEdit && (
                      <PhotoActs
                        photo={photo}
                        name={nameOf(photo, place)}
                        busy={busy}
                        show={(id) => act(() => showOnProfile(id))}
                        remove={() => setDeleting(photo)}
                      />
                    )}
                  </>
                }
              />
            ))}
          </List>
        )}
      </LoadedList>
      {deleting !== undefined && (
        <Question title={t('profile.photo.delete.title')} close={() => setDeleting(undefined)}>
          <Text size="sm">{t('profile.photo.delete.text')}</Text>
          <Problem error={error} />
          <ActButtons
            label={t('profile.photo.delete')}
            busy={busy}
            color="red"
            act={() => act(() => deletePhoto(deleting.id))}
            cancel={() => setDeleting(undefined)}
          />
        </Question>
      )}
    </Group>
  );
}

/** Shows it on the profile or takes it off, and deletes it. */
function PhotoActs(props: {
  photo: Photo;
  name: string;
  busy: boolean;
  show: (id: string | null) => void;
  remove: () => void;
}) {
  const { photo, name, busy, show, remove } = props;
  const { t } = usePortalText();
  const label = t(photo.is_profile ? 'profile.photo.takeOff' : 'profile.photo.show');
  return (
    <>
      <Button
        variant="default"
        size="sm"
        disabled={busy}
        aria-label={`${label}: ${name}`}
        onClick={() => show(photo.is_profile ? null : photo.id)}
      >
        {label}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="sm"
        disabled={busy}
        aria-label={`${t('profile.photo.delete')}: ${name}`}
        onClick={remove}
      >
        {t('profile.photo.delete')}
      </Button>
    </>
  );
}
