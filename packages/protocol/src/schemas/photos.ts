import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Exact, Id, Label, Nullable, Time } from './common.ts';

const picture = {
  label: Nullable(Type.String({ description: 'what the photo shows, for those who do not see it' })),
  media_type: Type.String({ description: 'image/jpeg, image/png or image/webp' }),
  width: Type.Integer(),
  height: Type.Integer(),
  url: Type.String({ description: 'path of the image' }),
  thumb_url: Type.String({ description: 'path of its small form, image/webp' }),
};

/** A photo of a company. */
export const Photo = Type.Object({
  id: Id,
  ...picture,
  size: Type.Integer({ description: 'bytes of the image' }),
  sha256: Type.String({ description: 'of the image, lower-case hex' }),
  is_profile: Type.Boolean({ description: 'it is the profile photo of the company' }),
  created_at: Time,
});
export type Photo = Static<typeof Photo>;
export const PhotoList = Type.Object({ photos: Type.Array(Photo) });
export type PhotoList = Static<typeof PhotoList>;

/** A photo for people: its paths accept a person's token. */
export const PhotoLink = Type.Object(picture);
export type PhotoLink = Static<typeof PhotoLink>;

export const UploadPhotoRequest = Exact({
  file: Type.String({
    minLength: 1,
    description: 'a data URI, or base64 alone, of a JPEG, PNG or WebP image',
  }),
  label: Type.Optional(Nullable(Label)),
});
export type UploadPhotoRequest = Static<typeof UploadPhotoRequest>;
export const LabelPhotoRequest = Exact({ label: Nullable(Label) });

export const ProfilePhotoRequest = Exact({ photo_id: Nullable(Id) });
export const ProfilePhoto = Type.Object({ photo: Nullable(Photo) });

export const AttachPhotoRequest = Exact({ photo_id: Id });
export const SharePhotosRequest = Exact({
  photo_ids: Type.Array(Id, {
    maxItems: limits.sharePhotosMost,
    uniqueItems: true,
    description: 'the whole new set, in its order',
  }),
});
