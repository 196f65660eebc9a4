/** What the pages say of refusals that no page expects. */
export const enErrors = {
  'error.unauthorized_client': 'This app cannot sign anybody in. Tell the site.',
  'error.region.rebase_required': 'Your data is at home at another address of Symbolon. Load the page again.',
  'error.internal':
    'Something went wrong in Symbolon. Try again, or tell the operator the number of the request.',
  'error.request.too_large': 'This is too large to be sent.',
  'error.platform.busy': 'Symbolon has much to do at the moment. Try again soon.',
  'error.platform.stopping': 'Symbolon was just being restarted. Try again.',
  'error.service.busy': 'Others are changing the same thing at the moment. Try again soon.',
  'error.db.unavailable':
    'Symbolon does not reach its data at the moment. Look whether this was saved before you do it again.',
  'error.rate_limit.unavailable': 'Symbolon cannot do this for a moment. Try again soon.',
  'error.mail.unavailable': 'No mail can be sent at the moment. Try again soon.',
  'error.mail.refused': 'No mail is taken for this address. Check it, or use another one.',
  'error.photos.unavailable': 'Photos and files cannot be kept or read at the moment. Try again soon.',
  'error.flows.run_too_large': 'These answers are larger than they may be together. Choose smaller files.',
  'error.flows.uploads_limit': 'Too many files wait for their answers. Try again in an hour.',
  'error.platform.out_of_order': 'This part of Symbolon is being repaired. Try again in some minutes.',
  'error.profile.company_code_requires_service':
    'This is the code of a company alone. Add the code of its service, as in ACME/SHOP.',
  'error.services.audience_b2b_only': 'This service is for companies only.',
  'error.company_connections.persons_only': 'This can be done with people only.',
  'error.company_data.connection_not_found': 'There is no such connection. It may have ended.',
  'error.company_data.ack_boundary_invalid': 'This message is no longer in the thread. Load the page again.',
  'error.company_data.file_expired': 'This file was shared once and is no longer kept.',
  'error.contact_data.encryption_required':
    'This page did not encrypt what it sent, so nothing was saved. Load the page again.',
  'error.documents.contract_immutable':
    'This contract was signed or accepted already. Its file no longer changes.',
  'error.twofa.unavailable': 'Approvals are not available for a moment. Try again soon.',
  'error.twofa.result_consumed': 'The outcome of this was fetched already. Start again at the site.',
} as const;
