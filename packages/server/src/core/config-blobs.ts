import { ConfigError } from './config-error.ts';
import type { S3Options } from './s3-objects.ts';

/** What else the variable takes. */
const folderToo: Readonly<Record<string, string>> = { SYMBOLON_BLOBS: '; empty: files in a folder' };
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `s3://bucket/prefix` and the variables that other S3 clients read.
 * @throws {ConfigError}, which repeats no secret
 */
export function readS3(
  text: string | undefined,
  environment: Environment,
  variable = 'SYMBOLON_BLOBS',
): S3Options | undefined {
  if (text === undefined) return undefined;
  const [, bucket, path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? [];
  if (bucket === undefined)
    throw new ConfigError(`${variable} takes s3://bucket or s3://bucket/prefix${folderToo[variable] ?? ''}.`);
  const needed = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new ConfigError(`${variable} needs ${name}.`);
  };
  const region = environment.AWS_REGION || environment.AWS_DEFAULT_REGION || 'us-east-1';
  const endpoint = environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL;
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new ConfigError('AWS_ENDPOINT_URL_S3 takes an http:// or https:// address.');
  const folder = path.replace(/\/+$/, '');
  return {
    // Stores of one's own know buckets by path; at Amazon those with a dot have no certificate by name.
    bucketUrl: `${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '')}/${bucket}`,
    prefix: folder === '' ? '' : `${folder}/`,
    region,
    accessKeyId: needed('AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed('AWS_SECRET_ACCESS_KEY'),
    sessionToken: environment.AWS_SESSION_TOKEN || undefined,
  };
}
