import type { TemplatePlan } from './plan.ts';

/** What a PDF offers to be filled: tags in the text of its pages, and form fields. */
export interface TemplateAnalysis {
  readonly pages: number;
  readonly tags: readonly TemplateTag[];
  readonly fields: readonly TemplateField[];
  readonly problems: readonly TemplateProblem[];
  /** What filling needs to know. It holds for this very file, and is JSON. */
  readonly plan: TemplatePlan;
}

/** A tag `{{ key }}`. Lengths are points; the place is that of its baseline in the page's own coordinates. */
export interface TemplateTag {
  readonly key: string;
  /** From 1. */
  readonly page: number;
  readonly x: number;
  readonly y: number;
  /** The height of the letters. */
  readonly font_size: number;
  readonly width: number;
  /** The width that a value may have before it is condensed. */
  readonly free_width: number;
}

export interface TemplateField {
  /** The full name of the field, parts joined by dots. */
  readonly name: string;
  readonly type: 'text' | 'checkbox' | 'radio' | 'choice';
  /** The page of its first box, from 1; null where it has none. */
  readonly page: number | null;
  readonly width: number;
  readonly height: number;
  /** What a checkbox, a group of buttons or a choice accepts. */
  readonly options?: readonly string[];
}

export type ProblemCode =
  /** The text of the page, or of a part of it, cannot be read: tags in it stay as they are. */
  | 'text_unreadable'
  /** A tag in a font that runs from top to bottom stays as it is. */
  | 'text_vertical'
  /** The file is signed: filling it would break its signatures. */
  | 'signed'
  /** There are more tags than a document may have. */
  | 'too_many_tags';

export interface TemplateProblem {
  readonly code: ProblemCode;
  /** From 1; null for the whole file. */
  readonly page: number | null;
}

export interface TemplateValues {
  /** By key, in lower case. What has no value becomes blank. */
  readonly values: Readonly<Record<string, string>>;
  /** JPEG or PNG files by key, drawn where the tag stands. */
  readonly images?: Readonly<Record<string, Uint8Array>>;
}

/** A value that is too wide for its place: it had to be made too small to read well. */
export interface TooWide {
  readonly key: string;
  readonly page: number;
}

export interface FilledTemplate {
  readonly bytes: Uint8Array;
  readonly over: readonly TooWide[];
  readonly problems: readonly TemplateProblem[];
}
