import type { Caller } from '../../profile/caller.ts';

/** `METHOD /path`, with names in braces: those of arguments, and `service`, which `--service` names. `{x?}` may be missing. */
export type Template = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** A member of the body, or of the query of a GET, as an option. */
export type Option = {
  /** Its name on the wire. */
  member: string;
  /** Of the option; else the name on the wire with dashes. */
  flag?: string;
  does: string;
  /**
   * text by default; `switch` takes true or false, `list` several words, none of which is an empty list; `secret` reads a
   * file, so that it stands in no list of processes; `bytes` sends a file as base64.
   */
  kind?: 'switch' | 'whole' | 'list' | 'secret' | 'bytes';
  choices?: readonly string[];
  /** A finder, whose names a shell completes, and which may stand for ids. */
  of?: string;
  required?: true;
  /** `none` takes the value away: null is sent. */
  clears?: true;
  /** The call that changes this member alone. */
  call?: Template;
};

/** A row of a configuration that is published whole, under the token that was read (wire 4.6). */
export type Row = { rows: 'request_fields' | 'share_fields'; act: 'create' | 'set' | 'delete' | 'publish' };

export type Verb = {
  name: string;
  does: string;
  call: Template;
  /** Positional arguments, which are names in the path. */
  args?: readonly string[];
  options?: readonly Option[];
  /** Members of the body that a file alone can give. */
  fileOnly?: readonly string[];
  /** The member of the answer that has the list. */
  items?: string;
  /** The one row of `items` in which this member is the first argument. */
  pick?: string;
  /** The list comes in pages, with `limit` and either `offset` or the last id as `before`. */
  paged?: 'offset' | 'before';
  columns?: readonly string[];
  /** What is lost: it is asked before, unless --yes. */
  asks?: string;
  /** Members that are shown this once; the first is the secret. `--out` writes them to a file instead. */
  once?: readonly string[];
  /** The answer is a file, which `--out` takes. */
  download?: true;
  row?: Row;
  /** What is more than one call, by the name of its module. */
  special?: Special;
  /** A member of the answer that is false when the act did not succeed: the command ends with 1 then. */
  tells?: string;
  /** Waits for the jobs that the act has left to the platform. */
  waits?: string;
  as?: readonly Caller['kind'][];
  /** Each begins with what follows `symbolon`. */
  examples: readonly string[];
  /** Further help. */
  notes?: string;
};
export type Special = 'create-service' | 'replace-key' | 'describe-plugin' | 'all-webhooks';

export type Resource = {
  /** One word or two. */
  name: string;
  does: string;
  /** Who can call it. */
  as: readonly Caller['kind'][];
  /** The verb that is meant without one. */
  usual?: string;
  verbs: readonly Verb[];
};

/** How a name that people know becomes the id of the wire, and what a shell completes. */
export type Finder = {
  call: Template;
  items: string;
  id: string;
  /** Members that may stand for the id. The first is completed. */
  names: readonly string[];
  /** What is said beside it. */
  label: string;
  as: readonly Caller['kind'][];
};
