import { getRouteApi, Navigate } from '@tanstack/react-router';

const route = getRouteApi('/connect/$company/$service');

/** Where the QR code of a service leads: to the page on which a person connects. */
export function InvitedPage() {
  const { company, service } = route.useParams();
  return <Navigate to="/me/connect" search={{ code: `${company}/${service}` }} replace />;
}
