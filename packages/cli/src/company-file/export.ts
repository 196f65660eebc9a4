import { SHARED, writeNew } from '../files/whole-file.ts';
import { findCaller, type SignInOptions } from '../profile/caller.ts';
import { refuseTaken } from '../resources/keep.ts';
import type { Members } from '../resources/structured-file.ts';
import { COMPANY } from '../resources/table/callers.ts';
import { writeLine } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';
import { Present } from './present.ts';

/** Writes the file of what is there: services, what they ask and show, webhooks without their secrets, apps. */
export async function exportFile(options: SignInOptions & { out?: string; apps?: boolean }): Promise<void> {
  const { out, apps: withApps } = options;
  refuseTaken(out);
  const caller = await findCaller(options, COMPANY);
  const present = new Present(await caller.open());
  const company = await present.companyCode();
  const services = await present.services();
  const parts: Members[] = [];
  for (const service of services) parts.push(await serviceOf(service, present));
  const codeOf = (id: string | null) => services.find((service) => service.id === id)?.share_code;
  const apps =
    withApps === false ? undefined : (await present.apps()).map((app) => appOf(app, codeOf(app.service_id)));
  const file = { version: 1, company, services: parts, ...(apps && { apps }) };
  const { stringify } = await import('yaml');
  const text = stringify(file, { lineWidth: 100, aliasDuplicateObjects: false });
  if (out === undefined) {
    for (const line of text.trimEnd().split('\n')) await writeLine(printable(line));
    return;
  }
  await writeNew(out, text, SHARED);
  await writeLine(`${out} has ${services.length} services${apps ? ` and ${apps.length} apps` : ''}.`);
}

type Read<Name extends 'services' | 'apps'> = Awaited<ReturnType<Present[Name]>>[number];

async function serviceOf(service: Read<'services'>, present: Present): Promise<Members> {
  const { id, share_code: code, name, admin_email, audience, require_2fa, number_matching } = service;
  const fields = (await present.rows(id, 'request_fields')).rows.map(said);
  const share_fields = (await present.rows(id, 'share_fields')).rows;
  const webhooks = (await present.webhooks(id)).map((hook) => ({
    url: hook.url,
    events: hook.events,
    format: hook.format,
    auth_type: hook.auth_type,
    encrypt_payload: hook.encrypt_payload,
    enabled: hook.enabled,
  }));
  return {
    ...{ code, name, admin_email, audience, require_2fa, number_matching },
    ...{ fields, share_fields, webhooks },
  };
}

/** Without what a row has anyway. */
function said(row: Members): Members {
  const isUsual = ([name, value]: [string, unknown]) =>
    value === false || value === null || (name === 'audience' && value === 'both');
  return Object.fromEntries(Object.entries(row).filter((entry) => !isUsual(entry)));
}

function appOf(app: Read<'apps'>, service: string | undefined): Members {
  const { name, redirect_uris, app_type, claims_delivery, require_2fa, detached, claim_config } = app;
  const { id_token_signed_response_alg, public_key } = app;
  return {
    ...{
      name,
      redirect_uris,
      app_type,
      claims_delivery,
      require_2fa,
      detached,
      id_token_signed_response_alg,
    },
    ...(service !== undefined && { service }),
    ...(claim_config.length > 0 && { claim_config }),
    ...(public_key !== null && { public_key }),
  };
}
