import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    photos: PhotoRow;
    share_photos: SharePhotoRow;
  }
}

/** A photo of a company. */
export interface PhotoRow {
  company_id: string;
  id: string;
  label: string | null;
  media_type: string;
  width: number;
  height: number;
  size: number;
  /** Blobs: SHA-256 of the image and of its small form. */
  hash: string;
  thumb_hash: string;
  is_profile: Flag;
  created_at: number;
}

/** A photo that a service shows. */
export interface SharePhotoRow {
  company_id: string;
  service_id: string;
  photo_id: string;
  position: number;
}

export const photoTables = defineTables({
  photos: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    move: {},
    readBy: ['regions'],
  },
  share_photos: {
    key: ['company_id', 'service_id', 'photo_id'],
    belongsTo: { companies: 'company_id', services: 'service_id', photos: 'photo_id' },
    move: {},
  },
});
