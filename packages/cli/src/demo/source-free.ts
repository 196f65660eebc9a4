import { Problem } from '../problem.ts';

/**
 * Reads an answer as it is on the wire, past the SDK, and makes sure that nothing of the field it came from is there.
 *
 * @param options.hidden texts that must not occur
 */
export async function sourceFreeAnswer(options: {
  url: string;
  clientId: string;
  clientSecret: string;
  connectionId: string;
  slug: string;
  hidden: readonly string[];
}): Promise<{ members: string[] }> {
  const { url, clientId, clientSecret, connectionId, slug, hidden } = options;
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const body = new URLSearchParams(form);
  const { access_token: token } = await json(await fetch(`${url}/oauth2/token`, { method: 'POST', body }));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await json(await fetch(`${url}/api/company-data/connections/${connectionId}`, { headers }));
  const { [slug]: value } = answer.values as Record<string, object>;
  if (value === undefined) throw new Problem(`${slug} is not on the wire.`);
  const text = JSON.stringify(value);
  const shown = hidden.find((part) => text.includes(part));
  if (shown !== undefined) throw new Problem(`The wire shows the source of ${slug}: ${shown}.`);
  return { members: Object.keys(value) };
}

async function json(response: Response): Promise<Record<string, unknown>> {
  if (!response.ok)
    throw new Problem(`The platform answers ${response.status} to ${new URL(response.url).pathname}.`);
  return (await response.json()) as Record<string, unknown>;
}
