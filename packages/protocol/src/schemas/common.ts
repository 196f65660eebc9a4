import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';

/** An object without additional members. */
export const Exact = <const P extends Parameters<typeof Type.Object>[0]>(
  properties: P,
  options: object = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** A UUIDv7 in lower case. */
export const Id = Type.String({ minLength: 1, maxLength: 64, description: 'UUIDv7, lower case' });
/** ISO 8601 in UTC with milliseconds. */
export const Time = Type.String({
  description: 'ISO 8601, UTC, milliseconds',
  examples: ['2026-01-31T09:30:00.000Z'],
});
export const Base64 = (most: number) =>
  Type.String({ minLength: 4, maxLength: most, description: 'base64, padded' });
export const Slug = Type.String({ pattern: limits.slug, description: 'slug' });
/**
 * Text of one line that others are shown. Nothing in it breaks a line, controls a terminal or turns the direction of the
 * text around it, and something in it can be seen: marks, spaces and invisible characters alone are not a name.
 */
export const shownText = (maxLength: number, pattern: string = limits.shownText) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern,
    description: `one line of 1 to ${maxLength} characters, some of them visible`,
  });
/** The name of a company, person, service, client or app. */
export const DisplayName = shownText(100, limits.displayName);
/** What a row, field or photo is called. */
export const Label = shownText(200);

export const Wrapper = Exact(
  {
    _enc: Type.Literal(1),
    k: Base64(400),
    iv: Base64(16),
    d: Base64(limits.wrapperTextMost),
  },
  { description: 'An encrypted value' },
);
/**
 * A wrapper that a client sends, as an object or JSON text. The schema accepts anything, so that plaintext of any shape is
 * refused with the error of wire 2.3 and not as a malformed request.
 */
export const WrapperInput = Type.Unsafe<string | Static<typeof Wrapper>>(
  Type.Union([Type.String(), Wrapper, Type.Unknown()], { description: 'Wrapper object, or its JSON text' }),
);
export type WrapperInput = Static<typeof WrapperInput>;

export const EncryptedPrivateKey = Exact(
  { iter: Type.Integer(), salt: Type.String(), iv: Type.String(), data: Type.String() },
  { description: 'A private key, encrypted under a passphrase' },
);
export type EncryptedPrivateKey = Static<typeof EncryptedPrivateKey>;

export const ErrorBody = Type.Object(
  {
    error: Type.String(),
    error_key: Type.String(),
    docs: Type.Optional(
      Type.String({
        description: 'The address of the key in the catalogue: `/errors#` and the key, below the public URL',
      }),
    ),
    reason: Type.Optional(
      Type.String({ description: 'Which of several causes of the same key it is, in a word' }),
    ),
    retry_after: Type.Optional(
      Type.Integer({ description: 'In how many seconds a refusal that clears with time may have cleared' }),
    ),
    issues: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  },
  { additionalProperties: true, description: 'Every error. The [catalogue](/errors) has each error_key.' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** Paging of a list. */
export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMost, default: limits.pageDefault })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
});
/** Where a page begins: the id of a row, or empty. */
export const placePattern = '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$';
export const rowPlace = (description: string) =>
  Type.Optional(Type.String({ pattern: placePattern, description }));
const RowPlace = rowPlace(
  'id of the last row of the page before; empty: from the beginning. Not together with offset',
);
/** Paging of a list by place, or by the key of the last row of the page before, which costs the same on every page. */
export const KeyPageQuery = Type.Object({ ...PageQuery.properties, after: RowPlace });
/** The same of a list whose newest rows come first. */
export const NewestPageQuery = Type.Object({ ...PageQuery.properties, before: RowPlace });
export const Page = <T extends Parameters<typeof Type.Array>[0]>(item: T) =>
  Type.Object({ total: Type.Integer(), items: Type.Array(item) });
