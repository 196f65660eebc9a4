import { getRouteApi, Navigate } from '@tanstack/react-router';
import { keyIn, searchOf } from './codes.ts';

const route = getRouteApi('/connect/$company/$service');

/** Where the QR code of a service leads: to the page on which a person connects. */
export function InvitedPage() {
  const { company, service } = route.useParams();
  const key = keyIn(location.hash);
  return <Navigate to="/me/connect" search={searchOf({ company, service, key })} replace />;
}
