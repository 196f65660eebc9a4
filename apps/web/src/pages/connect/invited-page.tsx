import { getRouteApi, Navigate } from '@tanstack/react-router';
import { addressOf, codesIn, searchOf } from './codes.ts';

const route = getRouteApi('/connect/$company/$service');

/** Where the QR code of a service leads: to the page on which a person connects. */
export function InvitedPage() {
  const { company, service } = route.useParams();
  const found = codesIn(addressOf({ company, service }) + location.hash) ?? { company, service };
  return <Navigate to="/me/connect" search={searchOf(found)} replace />;
}
