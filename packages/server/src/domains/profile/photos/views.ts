import type { Photo, PhotoLink } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { PhotoRow } from './tables.ts';

/** What a link to a photo is made of. */
export type PictureRow = Pick<PhotoRow, 'id' | 'label' | 'media_type' | 'width' | 'height'>;

/** A photo as its company sees it. */
export function toPhoto(row: PhotoRow): Photo {
  return {
    id: row.id,
    ...pictureOf(row, `/api/photos/${row.id}`),
    size: row.size,
    sha256: row.hash,
    is_profile: row.is_profile === 1,
    created_at: isoTime(row.created_at),
  };
}

/** A photo as people see it. */
export function toPhotoLink(row: PictureRow): PhotoLink {
  return pictureOf(row, `/api/person/photos/${row.id}`);
}

function pictureOf(row: PictureRow, path: string): PhotoLink {
  return {
    label: row.label,
    media_type: row.media_type,
    width: row.width,
    height: row.height,
    url: `${path}/file`,
    thumb_url: `${path}/thumb`,
  };
}
