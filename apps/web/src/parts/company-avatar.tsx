import { Avatar } from '../ui/avatar.tsx';

type Company = { readonly display_name: string; readonly photo?: { readonly thumb_url: string } | null };

/** A company by the photo of its profile, or by its letter. */
export function CompanyAvatar({ company, size }: { company: Company; size?: number }) {
  const { display_name: name, photo } = company;
  return <Avatar name={name} picture={photo?.thumb_url} {...(size !== undefined && { size })} />;
}
