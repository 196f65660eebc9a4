// biome-ignore-all lint/style/noExcessiveLinesPerFile: one catalogue
import { limits } from './limits.ts';

/**
 * The error catalogue: every stable `error_key` with its HTTP status and its standard text (wire 7).
 * A text says what is wrong and, where it helps, what to do.
 */
export const errorCatalogue = {
  // Transport
  'request.invalid': [400, 'The request does not have the expected shape; see issues.'],
  'request.malformed': [400, 'The request body is not well-formed.'],
  'request.too_large': [413, 'The request body is larger than this route accepts.'],
  'request.unsupported_media_type': [415, 'Send the body as application/json.'],
  'request.method_not_allowed': [405, 'This method is not allowed here.'],
  'request.not_found': [404, 'There is nothing at this address.'],
  'db.writes_paused': [503, 'Saving is paused. Repeat the same call after the time in Retry-After.'],
  'db.unavailable': [
    503,
    'The database does not answer. Repeat the same call after the time in Retry-After.',
  ],
  'service.busy': [
    503,
    'Others are changing the same service, company or person. Repeat the same call after the time in Retry-After.',
  ],
  'platform.out_of_order': [
    503,
    'This region is out of order. Repeat the same call after the time in Retry-After.',
  ],
  'platform.stopping': [503, 'This process is stopping. Repeat the same call after the time in Retry-After.'],
  'platform.busy': [503, 'The platform is busy. Repeat the same call after the time in Retry-After.'],
  internal: [500, 'Something went wrong on our side. Quote the request id when you report it.'],
  'rate_limit.exceeded': [429, 'Too many requests. Wait for the time in Retry-After.'],
  'rate_limit.unavailable': [503, 'The rate limit cannot be checked at the moment. Try again shortly.'],
  'mail.unavailable': [
    503,
    'Mail cannot be sent at the moment. Repeat the call after the time in Retry-After.',
  ],
  'mail.refused': [400, 'The mail server takes no mail for this address. Check it, or use another one.'],

  // Authentication and access
  'auth.invalid': [401, 'The access token is missing or not valid.'],
  'auth.expired': [401, 'The access token has expired. Request a fresh one.'],
  'auth.client_endpoint_forbidden': [403, 'client not authorized for this endpoint'],
  'auth.forbidden': [403, 'This credential does not give access to this address.'],
  'auth.credentials_invalid': [401, 'The e-mail address or the password is wrong.'],
  'auth.throttled': [429, 'Too many failed attempts. Wait for the time in Retry-After.'],
  'auth.role_forbidden': [403, 'Your role in this company does not allow this.'],
  'auth.second_factor_missing': [
    403,
    'This company asks for a second factor. Set up an authenticator app, or add a passkey and sign in with it.',
  ],
  'auth.anti_forgery': [
    403,
    'Send the anti_forgery_token of the session as X-CSRF-Token with every request that is not a read.',
  ],
  'auth.two_factor_required': [
    401,
    'Also send a code from the authenticator app or a recovery code, or use a passkey.',
  ],
  'auth.second_factor_invalid': [401, 'The code is wrong or was used before.'],
  'auth.passkey_invalid': [
    401,
    'The answer of the passkey is not good for this act, or was used before. Ask for new options and try again.',
  ],
  'auth.proof_required': [
    403,
    'Get a proof for exactly this request from /api/account/proofs and send it in the proof header, once.',
  ],
  'auth.ticket_invalid': [
    401,
    'The sign-in took too long or had too many attempts. Start again with the password.',
  ],
  'region.rebase_required': [421, 'Send this call to the base URL in api_url.'],
  'region.unavailable': [
    503,
    'This call needs another region, which does not answer. Repeat the call later.',
  ],

  // Token route: the catalogue key is the OAuth error code
  invalid_client: [401, 'Client authentication failed.'],
  invalid_grant: [400, 'The code is unknown, used, expired, or was given to another app.'],
  unauthorized_client: [400, 'This client may only use the client_credentials grant.'],
  unsupported_grant_type: [400, 'This grant type is not supported.'],
  invalid_request: [400, 'The request lacks a parameter, repeats one, or is not form-encoded.'],

  // Accounts of people and companies, and the portal
  'account.email_invalid': [400, 'Send a valid e-mail address.'],
  'account.email_taken': [409, 'An account with this e-mail address already exists.'],
  'account.key_invalid': [400, 'The key material is not valid.'],
  'account.recovery_invalid': [401, 'The e-mail address or the recovery code is wrong.'],
  'account.confirmation_required': [
    403,
    'This platform mails a code first: send the e-mail address alone, then the account with ticket and code.',
  ],
  'account.code_invalid': [401, 'The code is wrong or has expired.'],
  'account.recovery_key_invalid': [
    400,
    'The recovery key is not the base64 of an RSA-2048 key with exponent 65537, or its sealed half is no wrapper.',
  ],
  'account.recovery_key_required': [400, "The company's own login must also send a new recovery_key."],
  'account.recovery_key_not_shared': [
    404,
    'The recovery key has not been shared with you yet. Ask a person who can open it to share it.',
  ],
  'account.recovery_key_holder_changed': [
    409,
    'The key of this login has changed. Read the list of holders again and compare the fingerprint.',
  ],
  'account.company_login_only': [403, "Only the company's own login can do this."],
  'account.session_not_found': [404, 'There is no such session.'],
  'account.trusted_device_not_found': [404, 'There is no such trusted device.'],
  'account.mailed_code_unavailable': [
    409,
    'No code is mailed to an account that has a passkey or an authenticator app. Use that.',
  ],
  'account.passkey_not_found': [404, 'There is no such passkey.'],
  'account.passkey_limit': [409, `An account has at most ${limits.passkeysMost} passkeys. Remove one first.`],
  'account.passkeys_unavailable': [
    409,
    'Browsers take no passkeys here: the address of the pages is an IP address. Open them at a host name.',
  ],
  'account.two_factor_on': [409, 'The second factor is on. Switch it off first.'],
  'account.two_factor_off': [409, 'The second factor is not on.'],
  'account.second_factor_needed': [
    409,
    'This company asks for a second factor, and this is the last one. Set up another one first.',
  ],
  'account.second_factor_untried': [
    409,
    'This session was opened without a second factor. Sign in with a code or a passkey first, and then require it of all.',
  ],
  'account.two_factor_not_started': [
    409,
    'No enrolment is in progress, or it was not confirmed within 10 minutes. Start one first.',
  ],
  'account.deletion_pending': [409, 'The account is already scheduled for deletion.'],
  'account.deletion_not_pending': [409, 'The account is not scheduled for deletion.'],

  // People of a company
  'delegates.not_found': [404, 'There is no such delegate.'],
  'delegates.exists': [
    409,
    'A person with this e-mail address already belongs to the company or is invited to it.',
  ],
  'delegates.last_owner': [
    409,
    "The company's own login is always an owner: it cannot be removed and its role cannot be changed.",
  ],
  'delegates.limit_reached': [
    409,
    `A company can have at most ${limits.delegatesMost} delegates. Remove one first.`,
  ],
  'delegates.only_views': [409, 'This delegate only views. Choose another one, or change the role first.'],
  'delegates.accepted': [409, 'The invitation has already been accepted.'],
  'delegates.invitation_invalid': [404, 'The invitation is no longer valid. Ask for a new one.'],

  // Services
  'services.not_found': [404, 'There is no such service.'],
  'services.name_invalid': [
    400,
    'Give the service a name: one line of 1 to 100 characters, some of them visible.',
  ],
  'services.admin_email_invalid': [400, 'Send a valid admin_email.'],
  'services.public_key_invalid': [
    400,
    'public_key must be the base64 of the DER SPKI of an RSA-2048 key with exponent 65537.',
  ],
  'services.encrypted_private_key_invalid': [
    400,
    'encrypted_private_key must be {iter: 100000, salt, iv, data} with a 16-byte salt and a 12-byte iv.',
  ],
  'services.private_key_pem_invalid': [
    400,
    'private_key_pem must be an encrypted PKCS#8 PEM: PBES2, PBKDF2-HMAC-SHA256 with 100000 iterations, AES-256-CBC.',
  ],
  'services.private_key_pem_missing': [
    404,
    'No PEM is stored for this service, because none was sent. Make it on your own device from encrypted_private_key and the passphrase: `symbolon keys pem` does it.',
  ],
  'services.limit_reached': [
    409,
    `A company can have at most ${limits.servicesMost} services. Delete one first.`,
  ],
  'services.share_code_invalid': [400, 'A share code has 1 to 8 characters of A-Z and 0-9.'],
  'services.share_code_taken': [409, 'Another service of the company already has this share code.'],
  'services.audience_b2b_only': [403, 'This service accepts companies only.'],
  'services.client_exists': [409, 'This service already has its data client.'],
  'services.client_not_found': [404, 'This service has no data client.'],
  'services.config_conflict': [
    409,
    'Someone else has published a newer configuration. Read it again and retry with its config_token.',
  ],
  'services.request_fields_invalid': [400, 'The request fields are not valid; see issues.'],
  'services.request_field_plugin_invalid': [400, 'The plugin request row is not valid.'],
  'services.share_fields_invalid': [400, 'The share fields are not valid; see issues.'],
  'services.key_reused': [409, 'This key is or was a key of the service. Create a new key pair.'],
  'services.has_connections': [
    409,
    'People are connected to this service. Repeat with confirm=true to delete it and end their connections.',
  ],

  'services.level_required': [403, "The company's level does not include this."],

  // Webhooks
  'services.webhook_url_invalid': [400, 'The platform is not allowed to call this webhook address.'],
  'services.webhook_auth_invalid': [400, 'The credentials do not match auth_type.'],
  'services.webhook_secret_required': [
    400,
    'The address leads to another scheme, host or port. Send the credentials again that go there.',
  ],
  'services.webhook_secret_overlaps': [
    409,
    'Two secrets of this webhook hold already. End the time of the previous one first, or renew with overlap_hours 0.',
  ],
  'services.webhook_not_found': [404, 'There is no such webhook.'],
  'services.webhooks_limit': [
    409,
    `A service can have at most ${limits.webhooksMost} webhooks. Delete one first.`,
  ],

  // Account clients
  'account_clients.name_invalid': [
    400,
    'Give the client a name: one line of 1 to 100 characters, some of them visible.',
  ],
  'account_clients.purpose_invalid': [400, 'A purpose has 1 to 64 characters of a-z, 0-9, _ . : and -.'],
  'account_clients.purpose_reserved': [
    400,
    'Purposes that start with this prefix are reserved for the platform.',
  ],
  'account_clients.purpose_taken': [409, 'Another client of the company already has this purpose.'],
  'account_clients.purpose_managed': [
    409,
    'The platform manages this client. Change it in the feature that created it.',
  ],
  'account_clients.not_found': [404, 'There is no such client.'],
  'account_clients.limit_reached': [
    409,
    `A company can have at most ${limits.accountClientsMost} clients. Delete one first.`,
  ],

  // Sign-in apps
  'oauth_apps.not_found': [404, 'There is no such sign-in app.'],
  'oauth_apps.name_invalid': [
    400,
    'Give the app a name: one line of 1 to 100 characters, some of them visible.',
  ],
  'oauth_apps.redirect_uri_invalid': [
    400,
    `Send 1 to ${limits.redirectUrisMost} different redirect URIs. Each uses https, http on loopback, or the reversed domain of an app as its scheme.`,
  ],
  'oauth_apps.public_key_invalid': [400, 'public_key must be the base64 of the DER SPKI of an RSA-2048 key.'],
  'oauth_apps.encrypted_private_key_invalid': [
    400,
    'encrypted_private_key must be {iter: 100000, salt, iv, data} with a 16-byte salt and a 12-byte iv, and comes with its public_key.',
  ],
  'oauth_apps.private_key_pem_invalid': [
    400,
    'private_key_pem must be an encrypted PKCS#8 PEM: PBES2, PBKDF2-HMAC-SHA256 with 100000 iterations, AES-256-CBC. It comes with its public_key.',
  ],
  'oauth_apps.private_key_missing': [
    404,
    'The platform has no private key of this app: it was not sent. Replace the key pair, or use the copy that you keep.',
  ],
  'oauth_apps.service_invalid': [400, 'service_id must name a service of the company.'],
  'oauth_apps.claim_config_invalid': [
    400,
    'A claim is configured once. verified_max_age_days needs verified, and verified takes the claim email.',
  ],
  'oauth_apps.claim_config_plugin_invalid': [400, 'No plugin can answer a standard claim.'],
  'oauth_apps.secret_unsupported': [409, 'A public app has no secret.'],
  'oauth_apps.limit_reached': [
    409,
    `A company can have at most ${limits.oauthAppsMost} sign-in apps. Delete one first.`,
  ],

  // The consent page and detached sign-ins
  'oauth.client_unknown': [
    400,
    'This address names no sign-in app. Start again at the site that sent you here.',
  ],
  'oauth.redirect_uri_invalid': [
    400,
    'The redirect URI is not registered for this app; it must match exactly. Start again at the site that sent you here.',
  ],
  'oauth.connect_no_service': [
    400,
    'This app belongs to no service, so connecting and enrolling through it are not possible.',
  ],
  'oauth.detached_off': [
    403,
    'This app does not sign people in on other screens. Whoever sent you this link may not be the app: sign in at the app itself.',
  ],
  'oauth.digits_required': [400, 'Send the two digits that the other screen shows as digits.'],
  'oauth.digits_wrong': [400, 'These are not the digits that the other screen shows; see tries_left.'],
  'oauth.state_taken': [
    409,
    'This link was opened before with other parameters. Start again at the screen that showed it.',
  ],
  'oauth.request_not_found': [404, 'There is no such request. Start again at the site that sent you here.'],
  'oauth.request_expired': [410, 'This request has expired. Start again at the site that sent you here.'],
  'oauth.request_decided': [
    409,
    'This request was decided already. Start again at the site that sent you here.',
  ],
  'oauth.request_owned': [
    403,
    'Another person has begun to answer this request. Start again on the other screen.',
  ],
  'oauth.claim_invalid': [400, 'A claim was not asked for, is repeated, or is answered in the wrong form.'],
  'oauth.claims_missing': [422, 'Some required claims are not answered; see missing.'],
  'oauth.access_denied': [400, 'The person refused.'],
  'oauth.result_expired': [410, 'The result was fetched already, or its time is over. Start a new sign-in.'],
  'oauth.sign_in_not_found': [404, 'There is no such sign-in.'],

  // A person's fields and answers
  'people.push_off': [409, 'This platform sends no push messages. Keep the page open to be notified.'],
  'people.push_subscription_invalid': [400, 'Send the subscription of the browser as it is.'],
  'people.devices_limit': [409, 'There are as many devices as there may be. Remove one first.'],
  'people.device_not_found': [404, 'There is no such device.'],
  'people.draft_not_found': [404, 'There is no such draft.'],
  'people.pins_outdated': [409, 'The list of confirmed keys was changed in the meantime. Read it again.'],
  'contact_data.not_found': [404, 'There is no such field.'],
  'contact_data.encryption_required': [400, 'Send this value encrypted, as a wrapper.'],
  'contact_data.wrapper_invalid': [400, 'The encrypted value is not a valid wrapper.'],
  'contact_data.type_unknown': [400, 'There is no such field type.'],
  'contact_data.type_immutable': [400, 'The type of a field cannot be changed. Create a new field.'],
  'contact_data.value_too_large': [
    413,
    `A sealed value can have at most ${limits.wrapperTextMost} base64 characters of ciphertext. Shorten it, or keep it as a file.`,
  ],
  'contact_data.answers_too_large': [
    413,
    `The answers of a connection can have at most ${limits.connectionBytesMost} bytes together. Shorten some of them.`,
  ],
  'account.storage_full': [409, 'The account has no room left for this. Delete or shorten something first.'],
  'contact_data.limit_reached': [
    409,
    `A person can have at most ${limits.personFieldsMost} fields. Delete one first.`,
  ],
  'contact_data.slug_taken': [409, 'You already have a field with this slug.'],
  'contact_data.files_unsupported': [
    400,
    'A value of this type is a file. Send it to the file route; to answer a row, upload it and name the upload.',
  ],
  'contact_data.usertype_forbidden': [400, 'This kind of profile cannot fill this field.'],
  'contact_data.copies_missing': [
    409,
    'The field is shared live: send a sealed copy for each slot listed in missing.',
  ],
  'contact_data.field_changed': [
    409,
    'The value of this field has changed in the meantime. Read it again and send a copy of the new value.',
  ],
  'contact_data.copies_unexpected': [400, 'A copy names a slot that this field does not answer.'],
  'contact_data.mandatory': [409, 'This answer is mandatory while the connection exists.'],
  'contact_data.mandatory_missing': [422, 'Some mandatory rows are not answered; see missing.'],
  'contact_data.verification_required': [422, 'This row requires a verified value.'],
  'contact_data.type_mismatch': [422, 'The chosen field cannot answer a row of this type.'],
  'contact_data.one_time_only': [422, 'This row accepts only a one-time answer.'],
  'contact_data.decision_invalid': [
    422,
    'A decision names an unknown row, or two decisions name the same row.',
  ],
  'contact_data.not_a_file': [400, 'Values of this type are no files. Send them with the field.'],
  'contact_data.file_not_found': [404, 'This field has no file.'],
  'contact_data.file_required': [
    422,
    'This row takes a file: name a field with a file in plaintext, or an upload that is sealed to the key of the service.',
  ],
  'contact_data.file_too_large': [413, `A file can have at most ${limits.fileBytes / 2 ** 20} MiB.`],
  'contact_data.upload_not_found': [
    404,
    'There is no such upload: it was used, or not used for an hour. Upload the file again.',
  ],
  'contact_data.uploads_limit': [
    409,
    `At most ${limits.fileUploadsMost} uploads can wait for the act that names them. Finish it, or wait an hour.`,
  ],
  'contact_data.value_invalid': [400, 'The value is not valid for its type; see issues.'],
  'verification.unsupported': [400, 'Fields of this type cannot be verified this way.'],
  'verification.not_started': [409, 'No verification is in progress for this field. Start one first.'],
  'verification.code_invalid': [400, 'The code is wrong or has expired.'],
  'verification.value_changed': [409, 'The verification was started for another value. Start again.'],
  'verification.provider_unavailable': [503, 'Documents cannot be verified now. Try again later.'],
  'verification.result_invalid': [
    401,
    'The result is not signed by the provider for this platform, is too old, or its claims are wrong.',
  ],
  'verification.check_not_found': [404, 'No verification waits for this result.'],

  // The company's own profile
  'profile.display_name_invalid': [
    400,
    'Send a name: one line of 1 to 100 characters, some of them visible.',
  ],
  'contact_fields.not_found': [404, 'There is no such field in the catalogue.'],
  'contact_fields.system': [403, 'Fields of the platform cannot be changed.'],
  'contact_fields.type_unusable': [400, 'This field type does not exist, or it is a choice without options.'],
  'contact_fields.type_immutable': [400, 'The type of a field cannot be changed. Create a new field.'],
  'contact_fields.slug_taken': [409, 'The catalogue already has a field with this slug.'],
  'contact_fields.in_use': [409, "The company's profile has values of this field; see in_use."],
  'contact_fields.limit_reached': [
    409,
    `A company can have at most ${limits.contactFieldsMost} custom fields. Delete one first.`,
  ],
  'photos.not_found': [404, 'There is no such photo.'],
  'photos.file_invalid': [400, 'Send the photo as a data URI or as base64.'],
  'photos.bad_mime': [400, 'A photo is a JPEG, PNG or WebP image, and its declared type must match.'],
  'photos.invalid_image': [400, 'The image cannot be decoded: it is damaged or incomplete.'],
  'photos.too_large': [413, `A photo can have at most ${limits.fileBytes / 2 ** 20} MiB.`],
  'photos.too_many_pixels': [400, `A photo can have at most ${limits.photoPixels / 1e6} million pixels.`],
  'photos.limit_reached': [
    409,
    `A company can have at most ${limits.photosMost} photos, and a service can show at most ${limits.sharePhotosMost}. Remove one first.`,
  ],
  'photos.unavailable': [
    503,
    'Photos and files cannot be stored or read at the moment. Repeat the call after the time in Retry-After.',
  ],
  'photos.busy': [503, 'Too many photos are being processed. Wait for the time in Retry-After.'],

  // Connecting
  'profile.company_code_requires_service': [400, 'A company code must be sent together with a service code.'],
  'profile.not_found': [404, 'There is no such company or service.'],
  'connections.not_found': [404, 'There is no such connection.'],
  'connections.exists': [409, 'You are already connected to this service.'],
  'connections.two_factor_required': [
    403,
    'This service wants two factors: send a proof of presence for the act in act.',
  ],
  'consents.not_found': [404, 'There is no such open consent.'],
  'company_connections.active_contract': [
    409,
    'This connection has an active agreement or subscription. End or cancel that first.',
  ],
  'company_connections.persons_only': [403, 'This service accepts people only.'],
  'company_connections.not_found': [404, 'No account has this share code.'],
  'company_connections.exists': [409, 'This person is connected to the service already.'],
  'company_connections.request_cap': [
    409,
    'The person was asked too often, or has too many open requests. Ask again in some weeks.',
  ],
  'company_connections.own_service': [400, 'A company cannot be a customer of its own services.'],

  // Messages, and requests to connect
  'messages.messaging_not_entitled': [403, "The company's level does not include messages."],
  'messages.thread_empty': [404, 'Nothing was written in this thread yet.'],
  'messages.not_connected': [403, 'There is no such connection, or it has ended.'],
  'messages.messaging_suspended': [403, 'The operator has suspended the messages of this company.'],
  'messages.template_not_found': [404, 'There is no such text.'],
  'messages.templates_limit': [
    409,
    `A service keeps at most ${limits.replyTemplatesMost} texts. Delete one first.`,
  ],
  'messages.broadcast_suspended': [403, 'The operator has suspended the broadcasts of this company.'],
  'messages.encryption_required': [
    400,
    'Send both bodies encrypted, as JSON text of wrappers: body for the recipient, sender_body for the sender.',
  ],
  'messages.broadcast_audience_too_large': [
    422,
    'The service has more people than a broadcast of its company may go to.',
  ],
  'messages.rate_limited': [429, 'Too many messages. Wait for the time in Retry-After.'],

  // Definitions of flows
  'flows.not_found': [404, 'There is no such flow.'],
  'flows.not_published': [404, 'This flow has no published version.'],
  'flows.version_not_found': [404, 'The flow has no such version.'],
  'flows.definition_invalid': [422, 'The definition has issues; see issues.'],
  'flows.draft_changed': [
    409,
    'The draft was saved since you read it. Read it again, and repeat the change.',
  ],
  'flows.limit_reached': [409, 'The service has as many flows, versions or files as it may have.'],
  'flows.has_unfinished_runs': [409, 'Runs of this flow are not finished. Cancel them first, or wait.'],
  'flows.asset_not_found': [404, 'The flow has no such file.'],
  'flows.asset_invalid': [400, 'The file is not a PDF that can be filled.'],
  'flows.package_invalid': [400, 'The file is not a package of a flow.'],

  // Runs of flows
  'flows.run_not_found': [404, 'There is no such run.'],
  'flows.version_changed': [409, 'The flow has another published version now. Read it, and start again.'],
  'flows.bindings_invalid': [
    422,
    'Bind each party of the flow to the owning company or to a customer who is connected with this service, the owning party to the company.',
  ],
  'flows.tag_values_stale': [
    409,
    'Values of tags are missing or sealed to another key; see stale. Seal them to the current keys, and start again.',
  ],
  'flows.source_files_invalid': [
    422,
    'Copies of files are missing or unexpected; see missing and unexpected.',
  ],
  'flows.source_user_invalid': [400, 'source_user_id is no customer who is connected with this service.'],
  'flows.runs_limit': [409, `A connection has at most ${limits.openFlowRunsMost} unfinished runs.`],
  'flows.uploads_limit': [
    409,
    `At most ${limits.flowFilesMost} uploads wait for the act that names them. Name them, or wait an hour.`,
  ],
  'flows.not_your_turn': [409, 'It is not this party’s turn, or the run has ended. Read it again.'],
  'flows.answer_unknown': [422, 'An answer names an unknown field, or a field twice.'],
  'flows.copies_missing': [422, 'Each answer needs a copy for each bound user, and for no other user.'],
  'flows.route_invalid': [422, 'The flow cannot go on like this after this step.'],
  'flows.run_too_large': [409, 'The answers of the run take more than they may.'],
  'flows.run_ended': [409, 'The run is completed.'],
  'flows.documents_acted_on': [
    409,
    'A party has signed or accepted a document of this run. Cancel the run instead.',
  ],
  'flows.generate_inputs_mismatch': [
    422,
    'The bundle cannot be opened with its key, or its inputs are not those that the documents need; see missing and unexpected.',
  ],
  'flows.source_pdf_invalid': [422, 'A PDF from which a document is to be made cannot be used; see reason.'],
  'flows.inputs_limit': [
    409,
    `At most ${limits.flowInputsMost} files with ${limits.flowInputBytesMost / 2 ** 20} MiB in all wait to be put into documents of a run.`,
  ],
  'flows.no_document': [404, 'The run has no such document.'],
  'flows.file_not_found': [404, 'The run has no such file for you.'],
  'company_data.ack_boundary_invalid': [400, 'up_to_message_id names no message of this thread.'],
  'connect_requests.not_found': [404, 'There is no such request, or it is no longer open.'],
  'connect_requests.not_blocked': [404, 'You have not blocked this service.'],

  // The second factor
  'twofa.share_code_required': [400, 'Name the person by share_code.'],
  'twofa.idempotency_key_required': [
    400,
    `Send an idempotency_key of 1 to ${limits.idempotencyKeyMost} characters.`,
  ],
  'twofa.context_too_long': [
    400,
    `The context is text of at most ${limits.challengeContextMost} characters.`,
  ],
  'twofa.not_enrolled': [404, 'No person with this code is enrolled with this service.'],
  'twofa.not_found': [404, 'There is no such challenge.'],
  'twofa.pending_cap': [
    429,
    'This person cannot be asked again now. Repeating the call does not help, unless retry_after says when it does.',
  ],
  'twofa.unavailable': [
    503,
    'The challenge cannot be read at the moment, and is unchanged. Repeat the call.',
  ],
  'twofa.result_consumed': [410, 'gone'],
  'twofa.not_pending': [409, 'This request has been answered, or its time is over; see status.'],
  'twofa.number_matching_required': [
    409,
    'Number matching was switched on after this request was made, so it can only be denied. Start the login again.',
  ],
  'twofa.digits_required': [400, 'Send the two digits that the service shows as digits.'],
  'twofa.digits_wrong': [400, 'These are not the digits that the service shows; see tries_left.'],
  'twofa.enrollment_not_found': [404, 'There is no such enrolment.'],
  'twofa.enrollments_limit': [
    409,
    `A person can be enrolled with at most ${limits.enrolmentsMost} services. Revoke one first.`,
  ],
  'twofa.level_required': [403, "The company's level does not include enrolling people."],

  // The operator
  'admin.company_not_found': [404, 'There is no such company.'],
  'admin.person_not_found': [404, 'There is no such person.'],
  'admin.share_code_invalid': [400, 'A share code has 3 to 20 characters of A-Z and 0-9.'],
  'admin.share_code_taken': [409, 'This share code is already taken.'],
  'admin.share_codes_limit': [
    409,
    `A person can have at most ${limits.customShareCodesMost} codes from an operator. Remove one first.`,
  ],
  'admin.share_code_not_found': [404, 'The person has no such code from an operator.'],
  'admin.field_type_invalid': [400, 'This row cannot be added to the registry; see issues.'],
  'admin.field_type_not_found': [404, 'There is no such field type.'],
  'admin.field_type_system': [409, 'This type is part of the platform and cannot be deleted.'],
  'admin.field_type_in_use': [409, 'This type is in use and cannot be deleted.'],
  'admin.key_missing': [
    409,
    'There is no newer version to change to. First add one to SYMBOLON_SECRET in every process.',
  ],
  'admin.key_not_found': [404, 'There is no such version of the keys.'],
  'admin.key_in_use': [
    409,
    'This version of the keys cannot be dropped: it is the current one, or something is under it; see details.',
  ],
  'admin.message_not_found': [404, 'No such message waits for another region.'],
  'admin.message_not_first': [409, 'Other messages wait before this one.'],
  'admin.backup_unavailable': [503, 'This server cannot make a backup.'],

  // Companies that move to another region
  'moves.region_unknown': [400, 'There is no such region.'],
  'moves.same_region': [409, 'The company is already in this region.'],
  'moves.under_way': [409, 'The company is already being moved.'],
  'moves.not_found': [404, 'There is no such move.'],
  'moves.past_undo': [
    409,
    'The move cannot be undone: the other region has been asked to take over the company.',
  ],

  // Documents
  'documents.not_found': [404, 'There is no such document.'],
  'documents.file_not_found': [404, 'This document has no file.'],
  'documents.not_sealed': [404, 'This document is not sealed.'],
  'documents.contract_requires_person': [
    400,
    'An agreement, a subscription, and what is to be signed or accepted need a target: one connection.',
  ],
  'documents.private_requires_person': [400, 'A private document needs a target: one connection.'],
  'documents.invalid_payload': [400, 'The payload does not fit the document.'],
  'documents.bad_mime': [
    400,
    'The file must be pdf, doc, docx, xls, xlsx, png, jpg or jpeg, with the media type of its name.',
  ],
  'documents.too_large': [413, `A document can have at most ${limits.fileBytes / 2 ** 20} MiB.`],
  'documents.run_managed': [
    409,
    'What becomes of this document is decided in its run. Cancel or decline the run while it is not finished.',
  ],
  'documents.contract_immutable': [
    409,
    'This contract was signed or accepted. Its file and its status stay as they are.',
  ],
  'documents.for_all': [
    409,
    'All customers of the service have this document. Single copies cannot be deleted.',
  ],
  'documents.not_cancellable': [
    409,
    'This document cannot be cancelled here. Its metadata must say can_be_cancelled_in_app, and its status be offering, ready_to_sign or active.',
  ],
  'documents.limit_reached': [409, 'There are too many documents here. Delete some first.'],
  'documents.not_signable': [409, 'This document is not to be signed now, or its digest is not known.'],
  'documents.not_acceptable': [409, 'This document is not to be accepted now.'],
  'documents.content_mismatch': [409, 'The digest or file is not that of this document. Read it again.'],
  'documents.content_required': [
    409,
    'This act completes the document. Repeat it with the file itself in `pdf`.',
  ],
  'documents.challenge_invalid': [
    409,
    'This challenge does not prove this act. It must be of the service that issued the document, with a context that ends with the act, approved by you with a passkey or a second factor within the last five minutes, and not used before.',
  ],
  'documents.pdf_unsupported': [422, 'This PDF cannot be sealed; see reason.'],
  'documents.seal_unavailable': [503, 'Documents cannot be sealed at the moment. Try again later.'],

  // Plugins
  'plugins.not_found': [404, 'There is no such plugin.'],
  'plugins.url_invalid': [400, 'This address can never be that of a plugin.'],
  'plugins.body_invalid': [
    400,
    `Send base_url, and a token of 1 to ${limits.pluginTokenMost} visible ASCII characters or none.`,
  ],
  'plugins.duplicate': [409, 'This plugin is there already.'],
  'plugins.in_use': [409, 'This plugin is in use; see in_use. Take it out there first.'],
  'plugins.limit_reached': [
    409,
    `A company can have at most ${limits.pluginsMost} plugins. Delete one first.`,
  ],
  'plugins.builtin_unknown': [404, 'The platform has no plugin with this key.'],
  'plugins.builtin_token_locked': [400, 'A plugin of the platform takes no token.'],
  'plugins.pass_request_invalid': [
    400,
    'Send company_code and service_code, or client_id and state of a sign-in request.',
  ],
  'plugin.pass_invalid': [401, 'The pass is not good for this, or its time is over. Get a fresh one.'],
  'plugin.not_responding': [502, 'The plugin did not answer as it must. Try again.'],
  'plugin.busy': [503, 'The plugin has too many calls in hand. Try again shortly.'],
  'plugin.unavailable': [503, 'The plugin cannot be reached at the moment. Try again later.'],
  'plugin.rate_limited': [429, 'Too many calls of plugins. Wait for the time in Retry-After.'],
  'plugin.key_changed': [409, 'The plugin has another key now. Seal the request to public_key.'],

  // Company data and keys
  'company_data.connection_not_found': [404, 'There is no such connection.'],
  'company_data.file_not_found': [404, 'This answer is no file, or there is no such answer.'],
  'company_data.file_expired': [410, 'This file was given once, and its time is over; see expired_at.'],
  'company_data.webhook_not_found': [404, 'There is no such webhook.'],
  'keys.not_found': [404, 'There is no key for this code.'],
} as const satisfies Record<string, readonly [status: number, text: string]>;

/** A stable `error_key` of the catalogue. */
export type ErrorKey = keyof typeof errorCatalogue;
